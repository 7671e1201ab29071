/* The plain value "nic": freeing it, looking things up in it, and the words of its enums. Reads nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/nic.h>

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
