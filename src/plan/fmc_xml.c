/* Writes the two files of fmc(8): which port uses which policy, and what each policy does with a frame. Knows no
 * machine. A policy is a list of distributions, and the first that fits a frame takes it; the last one fits any frame.
 */
#include <stdio.h>
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/fmc.h>

enum { FIELDS = 5 };

/* What a hash is made of. A distribution with TCP fields fits TCP frames alone. */
static const struct kind {
	const char *name, *fields[FIELDS];
	unsigned hashes; /* bits of enum fmc_hash: where it is used */
} kinds[] = {
	{ "udp4", { "ipv4.src", "ipv4.dst", "ipv4.nextp", "udp.sport", "udp.dport" }, 1 << FMC_L4 | 1 << FMC_L3L4_V4 },
	{ "tcp4", { "ipv4.src", "ipv4.dst", "ipv4.nextp", "tcp.sport", "tcp.dport" }, 1 << FMC_L4 | 1 << FMC_L3L4_V4 },
	{ "ipv4", { "ipv4.src", "ipv4.dst" }, 1 << FMC_L4 | 1 << FMC_L3L4_V4 | 1 << FMC_L3 },
	{ "udp6", { "ipv6.src", "ipv6.dst", "ipv6.nexthdr", "udp.sport", "udp.dport" }, 1 << FMC_L4 },
	{ "tcp6", { "ipv6.src", "ipv6.dst", "ipv6.nexthdr", "tcp.sport", "tcp.dport" }, 1 << FMC_L4 },
	{ "ipv6", { "ipv6.src", "ipv6.dst" }, 1 << FMC_L4 | 1 << FMC_L3 },
	{ "rest", { NULL }, 1 << FMC_L4 | 1 << FMC_L3L4_V4 | 1 << FMC_L3 },
};

static const struct kind all = { "all", { NULL }, 0 };

/* With one queue there is nothing to hash. */
static bool is_used(const struct kind *kind, uint32_t count, enum fmc_hash hash)
{
	return count > 1 && kind->hashes & 1U << hash;
}

unsigned fmc_schemes(uint32_t count, enum fmc_hash hash)
{
	unsigned n = 0;

	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		n += is_used(&kinds[i], count, hash);
	return n ? n : 1;
}

static FILE *begin(char **ret_text, size_t *ret_size)
{
	FILE *out = open_memstream(ret_text, ret_size);

	if (!out)
		abort();
	fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n", out);
	return out;
}

static char *end(FILE *out, char **text)
{
	if (fclose(out))
		abort();
	return *text;
}

char *fmc_config_text(const struct fmc_port *ports, size_t n)
{
	char *text = NULL;
	size_t size;
	FILE *out = begin(&text, &size);

	fputs("<cfgdata>\n  <config>\n    <engine name=\"fm0\">\n", out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "      <port type=\"MAC\" number=\"%u\" policy=\"steerd_mac%u\"/>\n", ports[i].mac,
			ports[i].mac);
	fputs("    </engine>\n  </config>\n</cfgdata>\n", out);
	return end(out, &text);
}

static void print_reference(FILE *out, const struct kind *kind, const struct fmc_port *port)
{
	fprintf(out, "      <distributionref name=\"%s_mac%u\"/>\n", kind->name, port->mac);
}

static void print_policy(FILE *out, const struct fmc_port *port, enum fmc_hash hash)
{
	fprintf(out, "  <policy name=\"steerd_mac%u\">\n    <dist_order>\n", port->mac);
	if (port->count == 1)
		print_reference(out, &all, port);
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (is_used(&kinds[i], port->count, hash))
			print_reference(out, &kinds[i], port);
	fputs("    </dist_order>\n  </policy>\n", out);
}

static void print_distribution(FILE *out, const struct kind *kind, const struct fmc_port *port, bool symmetric)
{
	fprintf(out, "  <distribution name=\"%s_mac%u\">\n", kind->name, port->mac);
	fprintf(out, "    <queue count=\"%u\" base=\"0x%x\"/>\n", kind->fields[0] ? port->count : 1, port->base);
	if (kind->fields[0])
		fputs(symmetric ? "    <key symmetric=\"true\">\n" : "    <key>\n", out);
	for (size_t i = 0; i < FIELDS && kind->fields[i]; i++)
		fprintf(out, "      <fieldref name=\"%s\"/>\n", kind->fields[i]);
	if (kind->fields[0])
		fputs("    </key>\n", out);
	fputs("  </distribution>\n", out);
}

static void print_distributions(FILE *out, const struct fmc_port *port, enum fmc_hash hash, bool symmetric)
{
	if (port->count == 1)
		print_distribution(out, &all, port, false);
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (is_used(&kinds[i], port->count, hash))
			print_distribution(out, &kinds[i], port, symmetric);
}

char *fmc_policy_text(const struct fmc_port *ports, size_t n, enum fmc_hash hash, bool symmetric,
		      const char *description)
{
	char *text = NULL;
	size_t size;
	FILE *out = begin(&text, &size);

	fprintf(out, "<netpcd name=\"steerd\" version=\"1\" creator=\"steerd\" description=\"%s\">\n", description);
	for (size_t i = 0; i < n; i++)
		print_policy(out, &ports[i], hash);
	for (size_t i = 0; i < n; i++)
		print_distributions(out, &ports[i], hash, symmetric);
	fputs("</netpcd>\n", out);
	return end(out, &text);
}
