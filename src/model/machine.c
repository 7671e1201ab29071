/* The plain value "machine": freeing it, looking things up in it, and the words of its enums. Reads nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/machine.h>

/* ---- life ------------------------------------------------------------------------------------------------------- */

static void topology_release(struct topology *topology)
{
	for (size_t i = 0; i < topology->nnodes; i++)
		cpuset_free(topology->nodes[i].cpus);
	free(topology->nodes);
	free(topology->cpus);
	cpuset_free(topology->online);
	cpuset_free(topology->possible);
	cpuset_free(topology->isolated);
	cpuset_free(topology->rps_excluded);
}

static void queue_release(struct queue *queue)
{
	cpuset_free(queue->rps);
	cpuset_free(queue->xps);
	cpuset_free(queue->xps_rxqs);
}

static void irq_release(struct irq *irq)
{
	free(irq->name);
	cpuset_free(irq->affinity);
	cpuset_free(irq->effective);
}

void nic_clear(struct nic *nic)
{
	for (size_t i = 0; i < nic->nqueues; i++)
		queue_release(&nic->queues[i]);
	for (size_t i = 0; i < nic->nirqs; i++)
		irq_release(&nic->irqs[i]);
	for (size_t i = 0; i < nic->nfeatures; i++)
		free(nic->features[i].name);
	for (size_t i = 0; i < nic->nnapis; i++) {
		free(nic->napis[i].rx);
		free(nic->napis[i].tx);
	}
	free(nic->queues);
	free(nic->irqs);
	free(nic->features);
	free(nic->napis);
	free(nic->name);
	free(nic->driver);
	free(nic->driver_version);
	free(nic->bus);
	free(nic->path);
	free(nic->pci_id);
	free(nic->mac);
	free(nic->master);
	cpuset_free(nic->local);
	strings_clear(&nic->uppers);
	strings_clear(&nic->lowers);
	*nic = (struct nic){ .node = -1 };
}

void machine_clear(struct machine *machine)
{
	topology_release(&machine->topology);
	for (size_t i = 0; i < machine->nnics; i++)
		nic_clear(&machine->nics[i]);
	for (size_t i = 0; i < machine->nsysctls; i++) {
		free(machine->sysctls[i].name);
		free(machine->sysctls[i].value);
	}
	free(machine->nics);
	free(machine->sysctls);
	free(machine->hostname);
	free(machine->arch);
	free(machine->kernel);
	free(machine->irqbalance);
	strings_clear(&machine->cmdline);
	*machine = (struct machine){ 0 };
}

/* ---- looking up ------------------------------------------------------------------------------------------------- */

struct nic *machine_nic(const struct machine *machine, const char *name)
{
	for (size_t i = 0; i < machine->nnics; i++)
		if (strcmp(machine->nics[i].name, name) == 0)
			return &machine->nics[i];
	return NULL;
}

const char *machine_sysctl(const struct machine *machine, const char *name)
{
	for (size_t i = 0; i < machine->nsysctls; i++)
		if (strcmp(machine->sysctls[i].name, name) == 0)
			return machine->sysctls[i].value;
	return NULL;
}

const struct cpu *topology_cpu(const struct topology *topology, unsigned id)
{
	for (size_t i = 0; i < topology->ncpus; i++)
		if (topology->cpus[i].id == id)
			return &topology->cpus[i];
	return NULL;
}

const struct node *topology_node(const struct topology *topology, int id)
{
	for (size_t i = 0; i < topology->nnodes; i++)
		if (topology->nodes[i].id == id)
			return &topology->nodes[i];
	return NULL;
}

size_t topology_order(const struct topology *topology, const cpuset *set, unsigned **ret)
{
	unsigned *ids = alloc_zero(topology->ncpus, sizeof *ids);
	size_t n = 0;

	for (size_t i = 0; i < topology->ncpus; i++)
		if (cpuset_has(set, topology->cpus[i].id))
			ids[n++] = topology->cpus[i].id;
	*ret = ids;
	return n;
}

struct queue *nic_queue(const struct nic *nic, enum queue_type type, unsigned index)
{
	for (size_t i = 0; i < nic->nqueues; i++)
		if (nic->queues[i].type == type && nic->queues[i].index == index)
			return &nic->queues[i];
	return NULL;
}

unsigned nic_queue_count(const struct nic *nic, enum queue_type type)
{
	unsigned n = 0;

	for (size_t i = 0; i < nic->nqueues; i++)
		n += nic->queues[i].type == type;
	return n;
}

struct irq *nic_irq_of(const struct nic *nic, enum queue_type type, unsigned index)
{
	for (size_t i = 0; i < nic->nirqs; i++) {
		const struct opt_u32 *serves = type == QUEUE_TX ? &nic->irqs[i].tx : &nic->irqs[i].rx;

		if (serves->set && serves->value == index)
			return &nic->irqs[i];
	}
	return NULL;
}

bool nic_is_virtual(const struct nic *nic)
{
	return nic->kind != NIC_PHYSICAL && nic->kind != NIC_VF;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static const char *const nic_kinds[NIC_KINDS] = {
	[NIC_PHYSICAL] = "physical",
	[NIC_VF] = "vf",
	[NIC_BRIDGE] = "bridge",
	[NIC_VLAN] = "vlan",
	[NIC_BOND] = "bond",
	[NIC_TEAM] = "team",
	[NIC_VETH] = "veth",
	[NIC_TUN] = "tun",
	[NIC_WIREGUARD] = "wireguard",
	[NIC_MACVLAN] = "macvlan",
	[NIC_VXLAN] = "vxlan",
	[NIC_DUMMY] = "dummy",
	[NIC_IFB] = "ifb",
	[NIC_LOOPBACK] = "loopback",
	[NIC_OTHER] = "other",
};

const char *nic_kind_name(enum nic_kind kind)
{
	return nic_kinds[kind];
}

int nic_kind_parse(const char *word, enum nic_kind *ret)
{
	for (size_t i = 0; i < NIC_KINDS; i++) {
		if (strcmp(nic_kinds[i], word) == 0) {
			*ret = (enum nic_kind)i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *channel_kind_name(enum channel_kind kind)
{
	static const char *const names[CHANNEL_KINDS] = { "rx", "tx", "other", "combined" };

	return names[kind];
}

const char *queue_type_name(enum queue_type type)
{
	static const char *const names[] = { "", "rx", "tx", "combined" };

	return names[type];
}

const char *irq_role_name(enum irq_role role)
{
	static const char *const names[IRQ_ROLES] = { "unknown", "control", "rx", "tx", "combined" };

	return names[role];
}

const char *link_state_name(enum link_state link)
{
	static const char *const names[] = { "unknown", "down", "no-carrier", "up" };

	return names[link];
}
