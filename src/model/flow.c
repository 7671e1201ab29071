/* Decides what an nftables flowtable means to a device; reads nothing. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/machine.h>

enum { DEPTH_MOST = 8 }; /* of devices on devices, which the kernel allows too */

void flowtables_clear(struct flow_offloads *flows)
{
	for (size_t i = 0; i < flows->ntables; i++) {
		struct flowtable *table = &flows->tables[i];

		free(table->family);
		free(table->table);
		free(table->name);
		strings_clear(&table->devices);
	}
	free(flows->tables);
	*flows = (struct flow_offloads){ 0 };
}

static bool strings_equal(const struct strings *a, const struct strings *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (!text_equal(a->items[i], b->items[i]))
			return false;
	return a->n == b->n;
}

static bool flowtable_equal(const struct flowtable *a, const struct flowtable *b)
{
	return text_equal(a->family, b->family) && text_equal(a->table, b->table) && text_equal(a->name, b->name) &&
	       a->hardware == b->hardware && a->used == b->used && strings_equal(&a->devices, &b->devices);
}

bool flowtables_equal(const struct flow_offloads *a, const struct flow_offloads *b)
{
	if (a->known != b->known || a->ntables != b->ntables || a->configured != b->configured)
		return false;
	for (size_t i = 0; i < a->ntables; i++)
		if (!flowtable_equal(&a->tables[i], &b->tables[i]))
			return false;
	return true;
}

const char *flow_offload_name(enum flow_offload offload)
{
	switch (offload) {
	case FLOW_OFFLOAD_UNKNOWN: return "unknown";
	case FLOW_OFFLOAD_OFF: return "off";
	case FLOW_OFFLOAD_SOFTWARE: return "software";
	case FLOW_OFFLOAD_HARDWARE: return "hardware";
	}
	return "?";
}

static bool hooks(const struct flowtable *table, const char *device)
{
	for (size_t i = 0; i < table->devices.n; i++)
		if (text_glob(table->devices.items[i], device))
			return true;
	return false;
}

/* The device that the table hooks: this one, or one below it. NULL: none. */
static const char *hooked(const struct machine *machine, const struct flowtable *table, const struct nic *nic,
			  unsigned depth)
{
	if (hooks(table, nic->name))
		return nic->name;
	for (size_t i = 0; i < nic->lowers.n && depth < DEPTH_MOST; i++) {
		const struct nic *lower = machine_nic(machine, nic->lowers.items[i]);
		const char *found = lower ? hooked(machine, table, lower, depth + 1) : NULL;

		if (found)
			return found;
	}
	return NULL;
}

static char *describe(const struct flowtable *table, const char *device)
{
	return text_format("flowtable %s of %s %s hooks %s", table->name, table->family, table->table, device);
}

static enum flow_offload by_kernel(const struct machine *machine, const struct nic *nic, char **why)
{
	enum flow_offload found = FLOW_OFFLOAD_OFF;

	for (size_t i = 0; i < machine->flows.ntables; i++) {
		const struct flowtable *table = &machine->flows.tables[i];
		const char *device = table->used ? hooked(machine, table, nic, 0) : NULL;
		enum flow_offload now = table->hardware ? FLOW_OFFLOAD_HARDWARE : FLOW_OFFLOAD_SOFTWARE;

		if (!device || now <= found)
			continue;
		found = now;
		free(*why);
		*why = describe(table, device);
	}
	return found;
}

enum flow_offload machine_flow_offload(const struct machine *machine, const struct nic *nic, char **ret_why)
{
	CLEANUP(free_string) char *why = NULL;
	enum flow_offload offload = machine->flows.configured;

	if (machine->flows.known) {
		offload = by_kernel(machine, nic, &why);
		if (!why)
			why = alloc_string("no flowtable that is in use hooks it");
	} else {
		why = alloc_string(offload == FLOW_OFFLOAD_UNKNOWN
					   ? "the kernel does not tell, for want of rights or of nf_tables"
					   : "the kernel does not tell, /etc/config/firewall does");
	}
	if (ret_why)
		*ret_why = TAKE(why);
	return offload;
}
