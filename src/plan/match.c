/* Decides which section a device belongs to, and says why; and what observing must find out for it. Pure.
 *
 * 1. The first section that matches wins; a section without conditions matches every device.
 * 2. All conditions of a section must hold. Of the patterns of a key one without "!" must match, if there are any, and
 *    none with "!".
 * 3. What is not known matches no pattern, not even "*".
 * 4. The loopback device belongs to no section.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "cpuexpr.h"
#include "keys.h"

/* ---- facts of a device ------------------------------------------------------------------------------------------ */

/* All texts that a pattern may match; none when it is not known. */
typedef void facts(const struct machine *machine, const struct nic *nic, struct strings *ret);

static void add_known(struct strings *list, const char *text)
{
	if (text)
		strings_add(list, text);
}

static void facts_name(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)machine;
	add_known(ret, nic->name);
}

static void facts_driver(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)machine;
	add_known(ret, nic->driver);
}

static void facts_mac(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)machine;
	add_known(ret, nic->mac);
}

/* Both with and without /sys/devices, and a PCI address also as lspci prints it, without domain 0. */
static void facts_path(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)machine;
	add_known(ret, nic->bus);
	if (nic->bus && text_starts(nic->bus, "0000:"))
		strings_add(ret, nic->bus + strlen("0000:"));
	add_known(ret, nic->path);
	if (nic->path)
		strings_take(ret, text_format("/sys/devices/%s", nic->path));
}

static void facts_kind(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)machine;
	strings_add(ret, nic_kind_name(nic->kind));
	if (nic_is_virtual(nic))
		strings_add(ret, "virtual");
}

static void facts_node(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)machine;
	strings_take(ret, nic->node >= 0 ? text_format("%d", nic->node) : alloc_string("none"));
}

static void facts_pci_id(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)machine;
	add_known(ret, nic->pci_id);
}

static void facts_host(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)nic;
	add_known(ret, machine->hostname);
}

static void facts_arch(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)nic;
	add_known(ret, machine->arch);
}

static void facts_master(const struct machine *machine, const struct nic *nic, struct strings *ret)
{
	(void)machine;
	add_known(ret, nic->master);
}

/* ---- conditions ------------------------------------------------------------------------------------------------- */

static const struct condition {
	const char *key, *what;
	size_t offset;
	facts *facts;
	bool any_case; /* hexadecimal digits come in both */
} conditions[] = {
	{ "match.name", "name", offsetof(struct section, match_name), facts_name, false },
	{ "match.driver", "driver", offsetof(struct section, match_driver), facts_driver, false },
	{ "match.mac", "address", offsetof(struct section, match_mac), facts_mac, true },
	{ "match.path", "path", offsetof(struct section, match_path), facts_path, true },
	{ "match.kind", "kind", offsetof(struct section, match_kind), facts_kind, false },
	{ "match.node", "node", offsetof(struct section, match_node), facts_node, false },
	{ "match.pci-id", "PCI id", offsetof(struct section, match_pci_id), facts_pci_id, true },
	{ "match.host", "host", offsetof(struct section, match_host), facts_host, false },
	{ "match.arch", "architecture", offsetof(struct section, match_arch), facts_arch, false },
	{ "match.master", "master", offsetof(struct section, match_master), facts_master, false },
};

static char *lower(const char *text)
{
	char *copy = alloc_string(text);

	for (char *at = copy; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return copy;
}

static bool glob_matches(const char *glob, const struct strings *texts, bool any_case)
{
	CLEANUP(free_string) char *low = any_case ? lower(glob) : alloc_string(glob);

	for (size_t i = 0; i < texts->n; i++) {
		CLEANUP(free_string) char *text = any_case ? lower(texts->items[i]) : alloc_string(texts->items[i]);

		if (text_glob(low, text))
			return true;
	}
	return false;
}

static bool patterns_match(const struct patterns *patterns, const struct strings *texts, bool any_case)
{
	bool wanted = false, matched = false;

	for (size_t i = 0; i < patterns->globs.n; i++) {
		const char *glob = patterns->globs.items[i];

		if (*glob == '!') {
			if (glob_matches(glob + 1, texts, any_case))
				return false;
			continue;
		}
		wanted = true;
		matched = matched || glob_matches(glob, texts, any_case);
	}
	return matched || !wanted;
}

static bool number_matches(const struct number_match *match, size_t number)
{
	switch (match->compare) {
	case CMP_EQ: return number == match->number;
	case CMP_LT: return number < match->number;
	case CMP_LE: return number <= match->number;
	case CMP_GT: return number > match->number;
	case CMP_GE: return number >= match->number;
	}
	return false;
}

/* A device without carrier is down; one whose link is not known is neither. */
static bool link_matches(const struct word_value *when, enum link_state link)
{
	if (link == LINK_UNKNOWN)
		return false;
	return (link == LINK_UP) == (when->value != 0);
}

static char *flow_miss(const struct section *section, const struct machine *machine, const struct nic *nic,
		       struct strings *held)
{
	CLEANUP(free_string) char *why = NULL;
	enum flow_offload wanted = (enum flow_offload)section->when_flow.value;
	enum flow_offload now = machine_flow_offload(machine, nic, &why);

	if (now != wanted)
		return text_format("flow offloading %s (%s), wanted %s", flow_offload_name(now), why,
				   flow_offload_name(wanted));
	strings_take(held, text_format("flow offloading %s (%s)", flow_offload_name(now), why));
	return NULL;
}

/* ---- sections --------------------------------------------------------------------------------------------------- */

/* Why the section does not match, or NULL when it does; the conditions that hold are added to `held`. */
static char *first_miss(const struct section *section, const struct machine *machine, const struct nic *nic,
			struct strings *held)
{
	for (size_t i = 0; i < COUNT_OF(conditions); i++) {
		const struct condition *condition = &conditions[i];
		const struct patterns *patterns =
			(const struct patterns *)(const void *)((const char *)section + condition->offset);
		CLEANUP(strings_clear) struct strings texts = { 0 };
		CLEANUP(free_string) char *wanted = NULL;

		if (!patterns->at.line)
			continue;
		condition->facts(machine, nic, &texts);
		if (patterns_match(patterns, &texts, condition->any_case)) {
			strings_take(held, text_format("%s %s", condition->what, texts.n ? texts.items[0] : "unknown"));
			continue;
		}
		wanted = strings_join(&patterns->globs, " ");
		return text_format("%s %s, wanted %s", condition->what, texts.n ? texts.items[0] : "unknown", wanted);
	}
	if (section->match_cpus.at.line && !number_matches(&section->match_cpus, machine->topology.ncpus))
		return text_format("%zu CPUs online", machine->topology.ncpus);
	if (section->when_link.at.line && !link_matches(&section->when_link, nic->link))
		return text_format("link %s, wanted %s", link_state_name(nic->link),
				   section->when_link.value ? "up" : "down");
	return section->when_flow.at.line ? flow_miss(section, machine, nic, held) : NULL;
}

/* "[nic uplinks] line 9: yes, name ens2f0np0, driver mlx5_core" */
static char *verdict(const struct section *section, const char *miss, const struct strings *held)
{
	CLEANUP(free_string) char *conditions_held = strings_join(held, ", ");

	if (miss)
		return text_format("[nic %s] %s:%u: no, %s", section->name, section->at.file, section->at.line, miss);
	return text_format("[nic %s] %s:%u: yes, %s", section->name, section->at.file, section->at.line,
			   held->n ? conditions_held : "it matches every device");
}

const struct section *policy_match(const struct policy *policy, const struct machine *machine, const struct nic *nic,
				   char **ret_why)
{
	CLEANUP(strings_clear) struct strings why = { 0 };
	const struct section *match = NULL;

	if (nic->kind == NIC_LOOPBACK)
		strings_add(&why, "the loopback device belongs to no section");
	for (size_t i = 0; i < policy->nsections && nic->kind != NIC_LOOPBACK; i++) {
		const struct section *section = &policy->sections[i];
		CLEANUP(strings_clear) struct strings held = { 0 };
		CLEANUP(free_string) char *miss = NULL;

		if (match) {
			strings_take(&why, text_format("[nic %s] %s:%u: not asked, [nic %s] comes first", section->name,
						       section->at.file, section->at.line, match->name));
			continue;
		}
		miss = first_miss(section, machine, nic, &held);
		strings_take(&why, verdict(section, miss, &held));
		match = miss ? NULL : section;
	}
	if (ret_why)
		*ret_why = strings_join(&why, "\n");
	return match;
}

bool policy_wants_flows(const struct policy *policy)
{
	for (size_t i = 0; i < policy->nsections; i++)
		if (policy->sections[i].when_flow.at.line)
			return true;
	return false;
}

/* ---- what to observe -------------------------------------------------------------------------------------------- */

static unsigned expression_details(const struct cpuexpr *expr)
{
	return (cpuexpr_has(expr, CPUEXPR_IRQ_CPUS) ? DETAIL_NAPI | DETAIL_IRQS : 0) |
	       (cpuexpr_has(expr, CPUEXPR_LACKING) ? DETAIL_CHANNELS : 0);
}

unsigned policy_details(const void *policy, const struct machine *machine, const struct nic *nic)
{
	const struct section *section = policy_match(policy, machine, nic, NULL);
	const struct key *keys;
	size_t n = policy_keys(&keys);
	unsigned details = 0;

	for (size_t i = 0; i < n && section; i++) {
		const void *field = (const char *)section + keys[i].offset;

		if (strcmp(keys[i].section, "nic") != 0 || !keys[i].type->present(field))
			continue;
		details |= keys[i].details;
		if (keys[i].type == &cpus_type)
			details |= expression_details(((const struct cpus_value *)field)->expr);
	}
	return details;
}
