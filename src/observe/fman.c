/* Reads NXP's Frame Manager: its portals from /proc/interrupts, its ports from attributes of the drivers, and what fmc
 * was told in this boot.
 *
 * Formats: drivers/soc/fsl/qbman ("QMan portal N" is of CPU N); dpaa_eth_sysfs.c (fqids, device_addr), which NXP's own
 * kernel has too, with device_type beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "private.h"
#include "proc_interrupts.h"

#define RECORD "run/steerd/fmc/applied"

enum {
	WITHIN_FMAN = 0x1fffff, /* of a register's address */
	MAC1_AT = 0xe0000,
	MAC_STEP = 0x2000,
	QUEUES_SHIFT = 6, /* NXP's kernel: address of the MAC -> first queue */
	QUEUES = 128,
};

/* ---- portals ---------------------------------------------------------------------------------------------------- */

static int by_cpu(const void *a, const void *b)
{
	const struct fman_portal *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void add_portal(struct host *host, unsigned cpu, unsigned irq, struct fman_portals *ret)
{
	CLEANUP(free_string) char *directory = text_format("proc/irq/%u", irq);

	ret->items = alloc_more(ret->items, ret->n, sizeof *ret->items);
	ret->items[ret->n++] =
		(struct fman_portal){ .cpu = cpu, .irq = irq, .cpus = read_cpus(host, directory, "smp_affinity_list") };
	qsort(ret->items, ret->n, sizeof *ret->items, by_cpu);
}

static void read_portals(struct host *host, struct fman *fman)
{
	struct interrupts interrupts = { 0 };
	char *text = NULL;

	if (host_read(host, "proc/interrupts", &text) < 0)
		return;
	interrupts_parse(text, &interrupts);
	free(text);
	for (size_t i = 0; i < interrupts.n; i++) {
		const struct interrupt *one = &interrupts.items[i];
		const char *name = one->actions.n ? one->actions.items[0] : "";
		uint32_t cpu;

		if (text_suffix_u32(name, "QMan portal ", &cpu) == 0)
			add_portal(host, cpu, one->irq, &fman->qman);
		else if (text_suffix_u32(name, "BMan portal ", &cpu) == 0)
			add_portal(host, cpu, one->irq, &fman->bman);
	}
	interrupts_clear(&interrupts);
}

/* ---- ports ------------------------------------------------------------------------------------------------------ */

static bool read_mac(const char *address, unsigned *ret_mac, uint32_t *ret_queues)
{
	char *end;
	unsigned long at = strtoul(address, &end, 16) & WITHIN_FMAN;

	if (end == address || *end || at < MAC1_AT || (at - MAC1_AT) % MAC_STEP)
		return false;
	*ret_mac = (unsigned)((at - MAC1_AT) / MAC_STEP) + 1;
	*ret_queues = (uint32_t)(at >> QUEUES_SHIFT);
	return true;
}

/* Lines "Rx PCD: 15360 - 15487", ascending or not, one or several. */
static void read_queue_range(const char *fqids, struct fman_port *port)
{
	uint32_t least = UINT32_MAX, most = 0;

	for (const char *line = fqids; line; line = strchr(line, '\n')) {
		unsigned a, b;
		int n;

		line += *line == '\n';
		n = sscanf(line, "Rx PCD: %u - %u", &a, &b);
		if (n < 1)
			continue;
		b = n == 2 ? b : a;
		least = a < least ? a : least;
		least = b < least ? b : least;
		most = a > most ? a : most;
		most = b > most ? b : most;
	}
	if (most >= least) {
		port->first = least;
		port->count = most - least + 1;
	}
}

static int by_mac(const void *a, const void *b)
{
	const struct fman_port *x = a, *y = b;

	return x->mac < y->mac ? -1 : x->mac > y->mac;
}

static void read_port(struct host *host, const char *nic, struct fman *fman)
{
	CLEANUP(free_string) char *directory = text_format("sys/class/net/%s", nic);
	CLEANUP(free_string) char *address = read_text(host, directory, "device_addr");
	CLEANUP(free_string) char *fqids = address ? read_text(host, directory, "fqids") : NULL;
	CLEANUP(free_string) char *type = address ? read_text(host, directory, "device_type") : NULL;
	struct fman_port port = { 0 };
	uint32_t queues;

	if (!address || !read_mac(address, &port.mac, &queues))
		return;
	if (type)
		fman->kernel = FMAN_SDK;
	if (fqids)
		read_queue_range(fqids, &port);
	if (!port.count && fman->kernel == FMAN_SDK) {
		port.first = queues;
		port.count = QUEUES;
	}
	port.nic = alloc_string(nic);
	fman->ports = alloc_more(fman->ports, fman->nports, sizeof *fman->ports);
	fman->ports[fman->nports++] = port;
}

/* ---- fmc -------------------------------------------------------------------------------------------------------- */

/* The value of a line "KEY = VALUE". */
static char *value_of(const char *text, const char *key)
{
	CLEANUP(free_string) char *start = text_format("%s = ", key);
	CLEANUP(strings_clear) struct strings lines = { 0 };

	strings_split(&lines, text, "\n");
	for (size_t i = 0; i < lines.n; i++)
		if (text_starts(lines.items[i], start))
			return alloc_string(lines.items[i] + strlen(start));
	return NULL;
}

/* What was recorded before the machine was booted is gone from the hardware. */
static void read_record(struct host *host, struct fmc_record *ret)
{
	CLEANUP(fmc_record_clear) struct fmc_record record = { 0 };
	CLEANUP(free_string) char *text = NULL, *boot = NULL, *then = NULL, *status = NULL;

	if (host_read(host, RECORD, &text) < 0)
		return;
	then = value_of(text, "boot");
	if (host_read(host, "proc/sys/kernel/random/boot_id", &boot) < 0 || !text_equal(boot, then))
		return;
	record = (struct fmc_record){ .what = value_of(text, "what"),
				      .config = value_of(text, "config"),
				      .policy = value_of(text, "policy"),
				      .pdl = value_of(text, "pdl"),
				      .said = value_of(text, "said") };
	status = value_of(text, "status");
	if (!record.what || !status || text_u32(status, &record.status) < 0)
		return;
	*ret = record;
	record = (struct fmc_record){ 0 };
}

/* "fmc" is looked for as a shell does it, without asking the environment. */
static char *find_program(struct host *host, const char *program)
{
	static const char *const places[] = { "usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin", "sbin", "bin" };

	if (*program == '/')
		return host_exists(host, program + 1) ? alloc_string(program) : NULL;
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		char *path = text_format("/%s/%s", places[i], program);

		if (host_exists(host, path + 1))
			return path;
		free(path);
	}
	return NULL;
}

static char *read_named(struct host *host, const char *path)
{
	char *text = NULL;

	return path && host_read(host, path + strspn(path, "/"), &text) == 0 ? text : NULL;
}

static void read_files(struct host *host, const struct fmc_paths *paths, struct fman *fman)
{
	CLEANUP(free_string) char *pdl = read_named(host, paths->pdl);

	fman->program = paths->program ? find_program(host, paths->program) : NULL;
	fman->pdl = pdl ? text_sha256(pdl) : NULL;
	fman->config = read_named(host, paths->config);
	fman->policy = read_named(host, paths->policy);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static const struct fmc_paths usual = { .program = FMC_PROGRAM, .pdl = FMC_PDL };

void read_fman(struct host *host, const struct fmc_paths *paths, struct machine *machine)
{
	struct fman *fman = &machine->fman;

	fman->device = host_exists(host, "dev/fm0");
	read_portals(host, fman);
	if (fman->device || fman->qman.n)
		fman->kernel = fman->device ? FMAN_SDK : FMAN_MAINLINE;
	for (size_t i = 0; fman->kernel != FMAN_NONE && i < machine->nnics; i++)
		if (!nic_is_virtual(&machine->nics[i]))
			read_port(host, machine->nics[i].name, fman);
	if (fman->nports)
		qsort(fman->ports, fman->nports, sizeof *fman->ports, by_mac);
	read_record(host, &fman->record);
	fman->foreign = !fman->record.what && host_exists(host, "tmp/fmc.bin");
	if (fman->kernel != FMAN_NONE)
		read_files(host, paths ? paths : &usual, fman);
}
