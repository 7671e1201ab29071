/* Reads a machine, in this order: topology, host facts, what each NIC is, and then of each NIC the details that are
 * wanted. Only reads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/net.h>

#include "private.h"

static bool is_machine(struct host *host)
{
	return host_exists(host, "sys") || host_exists(host, "proc");
}

/* Several NICs may sit on one device (ports of a switch or of one PCI function); what is remembered of them is told
 * apart by their names. */
static void tell_apart(struct machine *machine)
{
	for (size_t i = 0; i < machine->nnics; i++) {
		CLEANUP(free_string) char *shared = alloc_string(machine->nics[i].path);
		bool twice = false;

		for (size_t j = i + 1; j < machine->nnics; j++) {
			struct nic *other = &machine->nics[j];
			char *path;

			if (!text_equal(other->path, shared))
				continue;
			path = text_format("%s/net/%s", shared, other->name);
			free(other->path);
			other->path = path;
			twice = true;
		}
		if (twice) {
			free(machine->nics[i].path);
			machine->nics[i].path = text_format("%s/net/%s", shared, machine->nics[i].name);
		}
	}
}

/* Files like bonding_masters lie beside the devices. */
static bool is_netdev(struct host *host, const char *name)
{
	CLEANUP(free_string) char *path = NULL;

	if (!text_equal(name, "bonding_masters"))
		return true;
	path = text_format("sys/class/net/%s/ifindex", name);
	return host_exists(host, path);
}

/* The queues and what is set go with the old observation; what the device is stays. */
static void keep(struct nic *old, struct nic *ret)
{
	*ret = (struct nic){
		.name = TAKE(old->name),
		.ifindex = old->ifindex,
		.kind = old->kind,
		.driver = TAKE(old->driver),
		.driver_version = TAKE(old->driver_version),
		.bus = TAKE(old->bus),
		.path = TAKE(old->path),
		.pci_id = TAKE(old->pci_id),
		.mac = TAKE(old->mac),
		.node = old->node,
		.local = TAKE(old->local),
		.link = old->link,
		.speed = old->speed,
		.master = TAKE(old->master),
		.uppers = old->uppers,
		.lowers = old->lowers,
		.xdp = old->xdp,
	};
	old->uppers = old->lowers = (struct strings){ 0 };
	old->name = alloc_string(ret->name);
}

static bool kept(struct host *host, const struct machine *before, const char *name, struct nic *ret)
{
	struct nic *old = before ? machine_nic(before, name) : NULL;

	if (!old || !is_nic(host, old))
		return false;
	keep(old, ret);
	if (ret->kind != NIC_LOOPBACK)
		read_link(host, ret);
	return true;
}

static void read_nics(struct host *host, const struct machine *before, struct machine *machine, struct notes *notes)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(host, "sys/class/net", &names);
	machine->nics = alloc_zero(names.n, sizeof *machine->nics);
	for (size_t i = 0; i < names.n; i++) {
		struct nic *nic;

		nic = &machine->nics[machine->nnics];
		if (kept(host, before, names.items[i], nic)) {
			machine->nnics++;
			continue;
		}
		if (!is_netdev(host, names.items[i]))
			continue;
		machine->nnics++;
		nic->name = alloc_string(names.items[i]);
		read_nic(host, &machine->topology, nic, notes);
	}
	tell_apart(machine);
}

static unsigned wanted(const struct observe_scope *scope, const struct machine *machine, const struct nic *nic)
{
	return scope && scope->details ? scope->details(scope->context, machine, nic) : DETAIL_ALL;
}

static const unsigned per_queue =
	DETAIL_IRQS | DETAIL_EFFECTIVE | DETAIL_RPS | DETAIL_RPS_FLOWS | DETAIL_XPS | DETAIL_XPS_RXQS;

/* Which vector serves which queue is best known by netdev-genl and bounded by the number of queues and channels. */
static void read_details(struct host *host, struct nic *nic, unsigned details, struct notes *notes)
{
	unsigned asked = details & (DETAIL_CHANNELS | DETAIL_PAUSE | DETAIL_RINGS | DETAIL_FEATURES | DETAIL_NAPI);
	int r = asked ? net_read(host, nic, asked) : 0;

	if (r < 0 && r != -ENODEV && r != -EOPNOTSUPP)
		notes_add(notes, NOTE_WARNING, nic->name, "netlink does not answer all that is asked: %s",
			  strerror(-r));
	if (details & per_queue)
		read_queues(host, nic, details);
}

/* To ask a kernel that has not loaded it would load it. */
static bool has_nf_tables(struct host *host)
{
	return !host_is_live(host) || host_exists(host, "sys/module/nf_tables");
}

static void read_settings(struct host *host, const struct observe_scope *scope, struct machine *machine,
			  struct notes *notes)
{
	read_sysctls(host, scope ? scope->sysctls : NULL, machine);
	if (scope ? scope->flows : has_nf_tables(host))
		read_flows(host, machine, notes);
	if (!scope || scope->fmc)
		read_fman(host, scope ? scope->fmc : NULL, machine);
	for (size_t i = 0; i < machine->nnics; i++)
		machine->nics[i].details = wanted(scope, machine, &machine->nics[i]);
	for (size_t i = 0; i < machine->nnics; i++)
		read_details(host, &machine->nics[i], machine->nics[i].details, notes);
	read_irqs(host, machine);
}

int observe(struct host *host, const struct observe_scope *scope, struct machine *ret, struct notes *notes)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };

	if (!is_machine(host))
		return -ENOENT;
	if (scope && scope->topology)
		topology_copy(&machine.topology, scope->topology);
	else
		observe_topology(host, &machine.topology, notes);
	read_facts(host, &machine);
	read_nics(host, NULL, &machine, notes);
	read_settings(host, scope, &machine, notes);
	*ret = machine;
	machine = (struct machine){ 0 };
	return 0;
}

int observe_again(struct host *host, const struct observe_scope *scope, struct machine *machine, struct notes *notes)
{
	CLEANUP(machine_clear) struct machine before = *machine;

	*machine = (struct machine){
		.topology = before.topology,
		.hostname = TAKE(before.hostname),
		.arch = TAKE(before.arch),
		.kernel = TAKE(before.kernel),
		.cmdline = before.cmdline,
		.irqbalance = TAKE(before.irqbalance),
	};
	before.topology = (struct topology){ 0 };
	before.cmdline = (struct strings){ 0 };
	read_nics(host, &before, machine, notes);
	read_settings(host, scope, machine, notes);
	return 0;
}

/* Which interrupt serves which queue needs all that tells it. */
void observe_more(struct host *host, struct machine *machine, struct nic *nic, unsigned details, struct notes *notes)
{
	details &= ~nic->details;
	if (details & DETAIL_IRQS)
		details |= DETAIL_CHANNELS | DETAIL_NAPI;
	nic->details |= details;
	read_details(host, nic, details, notes);
	if (details & DETAIL_IRQS)
		read_irqs(host, machine);
}
