/* Finds packet steering that costs more than it gives, or that is missing where it would help. Looks at physical
 * devices that are up; what the policy wants as it is, is at most worth a remark. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "findings.h"

enum {
	FEW_CORES = 4,  /* with fewer cores, one or two queues are enough */
	FEW_QUEUES = 2, /* with more queues, a quarter of the cores is no small part */
};

static bool has_rps(const struct nic *nic)
{
	for (size_t i = 0; i < nic->nqueues; i++)
		if (!cpuset_empty(nic->queues[i].rps))
			return true;
	return false;
}

static bool knows_rps(const struct nic *nic)
{
	for (size_t i = 0; i < nic->nqueues; i++)
		if (nic->queues[i].type == QUEUE_RX && nic->queues[i].rps)
			return true;
	return false;
}

static bool has_rps_by_policy(const struct inquiry *inquiry, const struct nic *nic)
{
	for (size_t i = 0; inquiry->plan && i < inquiry->plan->nchanges; i++) {
		const struct change *change = &inquiry->plan->changes[i];

		if (change->setting == SETTING_RPS && change->state == CHANGE_SAME && *change->to &&
		    text_equal(change->device, nic->name))
			return true;
	}
	return false;
}

/* Measured elsewhere: with a queue for each CPU, RPS only adds inter-processor interrupts. */
static void find_useless_rps(const struct inquiry *inquiry, const struct nic *nic, const cpuset *near)
{
	unsigned queues = nic_queue_count(nic, QUEUE_RX), cpus = cpuset_count(near);
	bool wanted = has_rps_by_policy(inquiry, nic);

	if (queues < cpus || cpuset_count(inquiry->machine->topology.online) < 2 || !has_rps(nic))
		return;
	finding_add(inquiry, wanted ? NOTE_INFO : NOTE_WARNING, "rps-useless", nic->name,
		    text_format("RPS is on with %u queues for %u CPUs: it only adds inter-processor interrupts", queues,
				cpus),
		    alloc_string("`rps = off`"));
}

static void find_own_cpu_rps(const struct inquiry *inquiry, const struct nic *nic)
{
	size_t n = 0;

	if (cpuset_count(inquiry->machine->topology.online) < 2)
		return;
	for (size_t i = 0; i < nic->nqueues; i++) {
		const struct queue *queue = &nic->queues[i];
		const struct irq *irq = queue->type == QUEUE_RX ? nic_irq_of(nic, QUEUE_RX, queue->index) : NULL;

		n += irq && cpuset_count(queue->rps) == 1 && cpuset_equal(queue->rps, irq_runs_on(irq));
	}
	if (n)
		finding_add(inquiry, NOTE_INFO, "rps-same-cpu", nic->name,
			    text_format("RPS of %zu queue%s names only the CPU that takes the interrupt anyway", n,
					n == 1 ? "" : "s"),
			    NULL);
}

/* `isolated` knows cpuset partitions too, which the kernel does not keep out of RPS. */
static void find_isolated_rps(const struct inquiry *inquiry, const struct nic *nic)
{
	const cpuset *isolated = inquiry->machine->topology.isolated;
	CLEANUP(cpuset_freep) cpuset *hit = cpuset_new();
	CLEANUP(free_string) char *list = NULL;

	for (size_t i = 0; i < nic->nqueues; i++)
		cpuset_add_all(hit, nic->queues[i].rps);
	cpuset_keep(hit, isolated);
	if (cpuset_empty(hit))
		return;
	list = cpuset_list(hit);
	finding_add(inquiry, NOTE_WARNING, "isolated-rps", nic->name,
		    text_format("RPS sends packets to isolated CPUs (%s)", list), NULL);
}

static void find_few_queues(const struct inquiry *inquiry, const struct nic *nic, const cpuset *near)
{
	const struct channels *channels = &nic->channels;
	unsigned queues = nic_queue_count(nic, QUEUE_RX), cores = cores_in(&inquiry->machine->topology, near);
	bool more = channels->max[CHANNEL_COMBINED].value > channels->count[CHANNEL_COMBINED].value ||
		    channels->max[CHANNEL_RX].value > channels->count[CHANNEL_RX].value;

	if (fman_port_named(&inquiry->machine->fman, nic->name)) /* its frames are on many queues, or where fmc says */
		return;
	if (nic->link != LINK_UP || cores < FEW_CORES || (queues > FEW_QUEUES && 4 * queues > cores) ||
	    !knows_rps(nic) || has_rps(nic) ||
	    spoken_of(inquiry, nic->name, SETTING_CHANNELS_RX, SETTING_CHANNELS_COMBINED) ||
	    spoken_of(inquiry, nic->name, SETTING_RPS, SETTING_RPS))
		return;
	finding_add(inquiry, NOTE_INFO, "few-queues", nic->name,
		    text_format("%u receive queue%s for %u cores, and RPS is off: the other cores take no packets",
				queues, queues == 1 ? "" : "s", cores),
		    alloc_string(more ? "`channels = per-cpu`" : "`rps = cores(local) - irq-cpus`"));
}

void find_steering(const struct inquiry *inquiry, const struct nic *nic)
{
	CLEANUP(cpuset_freep) cpuset *near = NULL;

	if (nic->link == LINK_DOWN)
		return;
	find_isolated_rps(inquiry, nic);
	if (nic_is_virtual(nic))
		return;
	near = cpus_near(&inquiry->machine->topology, nic);
	find_useless_rps(inquiry, nic, near);
	find_own_cpu_rps(inquiry, nic);
	find_few_queues(inquiry, nic, near);
}
