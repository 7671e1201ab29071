/* Finds interrupts that run where they should not. Looks at queue interrupts that can be moved, of devices that are up;
 * one that is where the policy wants it is never wrong. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "findings.h"

struct served { /* one queue interrupt */
	const struct irq *irq;
	const cpuset *cpus; /* where it runs */
	bool wanted;        /* there, by the policy */
};

struct serving { /* the queue interrupts of a device */
	const struct inquiry *inquiry;
	const struct nic *nic;
	struct served *items;
	size_t n;
	cpuset *near;
};

static void serving_clear(struct serving *serving)
{
	free(serving->items);
	cpuset_free(serving->near);
}

static bool serves_a_queue(const struct nic *nic, const struct irq *irq)
{
	if (!irq->requested || irq->fixed || cpuset_empty(irq->affinity) || irq->role == IRQ_CONTROL)
		return false;
	if (nic->nqueues == 0)
		return irq->rx.set || irq->tx.set;
	return (irq->rx.set && nic_queue(nic, QUEUE_RX, irq->rx.value)) ||
	       (irq->tx.set && nic_queue(nic, QUEUE_TX, irq->tx.value));
}

static bool is_wanted(const struct plan *plan, const struct nic *nic, const struct irq *irq)
{
	for (size_t i = 0; plan && i < plan->nchanges; i++)
		if (plan->changes[i].setting == SETTING_IRQ && plan->changes[i].state == CHANGE_SAME &&
		    plan->changes[i].irq.set && plan->changes[i].irq.value == irq->number &&
		    text_equal(plan->changes[i].device, nic->name))
			return true;
	return false;
}

static void gather(const struct inquiry *inquiry, const struct nic *nic, struct serving *ret)
{
	*ret = (struct serving){ .inquiry = inquiry, .nic = nic };
	ret->near = cpus_near(&inquiry->machine->topology, nic);
	for (size_t i = 0; i < nic->nirqs; i++) {
		const struct irq *irq = &nic->irqs[i];

		if (!serves_a_queue(nic, irq))
			continue;
		ret->items = alloc_more(ret->items, ret->n, sizeof *ret->items);
		ret->items[ret->n++] = (struct served){ .irq = irq,
							.cpus = irq_runs_on(irq),
							.wanted = is_wanted(inquiry->plan, nic, irq) };
	}
}

/* ---- the node --------------------------------------------------------------------------------------------------- */

/* "node 1", "nodes 1-3" */
static char *nodes_of(const struct topology *topology, const cpuset *cpus)
{
	CLEANUP(cpuset_freep) cpuset *nodes = cpuset_new(); /* any set of small numbers has this text */
	CLEANUP(free_string) char *list = NULL;

	for (int id = cpuset_next(cpus, -1); id >= 0; id = cpuset_next(cpus, id)) {
		const struct cpu *cpu = topology_cpu(topology, (unsigned)id);

		if (cpu && cpu->node >= 0)
			cpuset_add(nodes, (unsigned)cpu->node);
	}
	list = cpuset_list(nodes);
	return text_format(cpuset_count(nodes) == 1 ? "node %s" : "nodes %s", list);
}

static void find_remote(const struct serving *serving)
{
	const struct topology *topology = &serving->inquiry->machine->topology;
	const struct nic *nic = serving->nic;
	CLEANUP(cpuset_freep) cpuset *far = cpuset_new();
	CLEANUP(free_string) char *nodes = NULL;
	unsigned queues = nic_queue_count(nic, QUEUE_RX), local = cpuset_count(serving->near);
	size_t n = 0;

	if (nic->node < 0 || topology->nnodes < 2)
		return;
	for (size_t i = 0; i < serving->n; i++) {
		if (serving->items[i].wanted || cpuset_overlap(serving->items[i].cpus, serving->near))
			continue;
		cpuset_add_all(far, serving->items[i].cpus);
		n++;
	}
	nodes = nodes_of(topology, far);
	if (n)
		finding_add(serving->inquiry, NOTE_WARNING, "remote-irq", nic->name,
			    text_format("%zu of %zu queue interrupts run on %s, the NIC is on node %d", n, serving->n,
					nodes, nic->node),
			    plan_hint(serving->inquiry, nic->name));
	else if (queues > local && serving->n > local &&
		 !spoken_of(serving->inquiry, nic->name, SETTING_CHANNELS_RX, SETTING_CHANNELS_COMBINED))
		finding_add(serving->inquiry, NOTE_INFO, "channels-remote", nic->name,
			    text_format("has %u receive queues for the %u CPUs of node %d: some share one, or run on "
					"another node",
					queues, local, nic->node),
			    alloc_string("`channels = per-cpu` makes one queue for each CPU of `cpus`"));
}

/* ---- sharing a CPU ---------------------------------------------------------------------------------------------- */

static bool same_way(const struct irq *a, const struct irq *b)
{
	return (a->rx.set && b->rx.set) || (a->tx.set && b->tx.set);
}

static bool shares_its_cpu(const struct serving *serving, size_t which)
{
	const struct served *one = &serving->items[which];

	for (size_t i = 0; i < serving->n; i++)
		if (i != which && same_way(one->irq, serving->items[i].irq) &&
		    cpuset_equal(one->cpus, serving->items[i].cpus))
			return true;
	return false;
}

/* Cores near the device, not isolated, of which no thread serves a queue of it. */
static unsigned idle_cores(const struct serving *serving)
{
	const struct topology *topology = &serving->inquiry->machine->topology;
	CLEANUP(cpuset_freep) cpuset *idle = cpuset_dup(serving->near);

	cpuset_drop_all(idle, topology->isolated);
	for (size_t i = 0; i < serving->n; i++) {
		const struct cpu *busy = topology_cpu(topology, (unsigned)cpuset_first(serving->items[i].cpus));

		for (size_t j = 0; busy && j < topology->ncpus; j++)
			if (topology->cpus[j].core == busy->core)
				cpuset_drop(idle, topology->cpus[j].id);
	}
	return cores_in(topology, idle);
}

static void find_stacked(const struct serving *serving)
{
	CLEANUP(cpuset_freep) cpuset *crowded = cpuset_new();
	CLEANUP(free_string) char *list = NULL;
	size_t n = 0;
	unsigned idle;

	for (size_t i = 0; i < serving->n; i++) {
		const struct served *one = &serving->items[i];

		if (one->wanted || cpuset_count(one->cpus) != 1 || !shares_its_cpu(serving, i))
			continue;
		cpuset_add_all(crowded, one->cpus);
		n++;
	}
	idle = n ? idle_cores(serving) : 0;
	if (!idle)
		return;
	list = cpuset_list(crowded);
	finding_add(serving->inquiry, NOTE_WARNING, "stacked-queues", serving->nic->name,
		    text_format("%zu queue interrupts share CPU%s %s, while %u core%s near the device serve%s none", n,
				cpuset_count(crowded) == 1 ? "" : "s", list, idle, idle == 1 ? "" : "s",
				idle == 1 ? "s" : ""),
		    plan_hint(serving->inquiry, serving->nic->name));
}

/* ---- wide masks ------------------------------------------------------------------------------------------------- */

/* A CPU that goes offline takes the affinity of its interrupts with it: they fall back to all CPUs, or all of the node,
 * and stay so (Documentation/core-api/cpu_hotplug.rst). One such vector among pinned ones shows it. */
static void find_wide(const struct serving *serving)
{
	const struct topology *topology = &serving->inquiry->machine->topology;
	const char *device = serving->nic->name;
	size_t wide = 0, pinned = 0;

	for (size_t i = 0; i < serving->n; i++) {
		const struct served *one = &serving->items[i];

		if (cpuset_count(one->irq->affinity) == 1)
			pinned++;
		else if (!one->wanted && cpuset_within(serving->near, one->irq->affinity))
			wide++;
	}
	if (wide && pinned >= wide)
		finding_add(
			serving->inquiry, NOTE_WARNING, "broken-affinity", device,
			text_format("%zu of %zu queue interrupts may run on any CPU near the device, the others are "
				    "pinned: as after a CPU went offline",
				    wide, serving->n),
			plan_hint(serving->inquiry, device));
	else if (wide > 1 && topology->nnodes > 1 && !spoken_of(serving->inquiry, device, SETTING_IRQ, SETTING_IRQ))
		finding_add(
			serving->inquiry, NOTE_INFO, "wide-affinity", device,
			text_format("%zu of %zu queue interrupts may run on several CPUs; each is delivered to one of "
				    "them that nobody chose",
				    wide, serving->n),
			alloc_string("`irq = spread` gives each a CPU of its own"));
}

/* ---- isolated CPUs ---------------------------------------------------------------------------------------------- */

static void find_isolated(const struct serving *serving)
{
	const cpuset *isolated = serving->inquiry->machine->topology.isolated;
	CLEANUP(cpuset_freep) cpuset *hit = cpuset_new();
	CLEANUP(free_string) char *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < serving->n; i++) {
		const struct served *one = &serving->items[i];

		if (one->wanted || !cpuset_within(one->cpus, isolated))
			continue;
		cpuset_add_all(hit, one->cpus);
		n++;
	}
	if (!n)
		return;
	list = cpuset_list(hit);
	finding_add(serving->inquiry, NOTE_WARNING, "isolated-irq", serving->nic->name,
		    text_format("%zu of %zu queue interrupts run on isolated CPUs (%s)", n, serving->n, list),
		    plan_hint(serving->inquiry, serving->nic->name));
}

/* ---- what is not known ------------------------------------------------------------------------------------------ */

static void find_unknown(const struct inquiry *inquiry, const struct nic *nic)
{
	size_t n = 0;

	for (size_t i = 0; i < nic->nirqs; i++)
		n += nic->irqs[i].requested && nic->irqs[i].role == IRQ_UNKNOWN;
	if (n)
		finding_add(inquiry, NOTE_INFO, "unknown-irq", nic->name,
			    text_format("what %zu of its interrupts serve%s is not known", n, n == 1 ? "s" : ""),
			    alloc_string("`irq` gives such an interrupt all CPUs of the section"));
}

void find_irq(const struct inquiry *inquiry, const struct nic *nic)
{
	CLEANUP(serving_clear) struct serving serving = { 0 };

	if (nic->link == LINK_DOWN || nic_is_virtual(nic))
		return;
	gather(inquiry, nic, &serving);
	find_remote(&serving);
	find_stacked(&serving);
	find_wide(&serving);
	find_isolated(&serving);
	find_unknown(inquiry, nic);
}
