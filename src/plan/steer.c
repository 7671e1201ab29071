/* Decides what software steering each queue gets: RPS and its flow tables on receive queues, XPS on transmit queues.
 * Never moves an interrupt: it follows the ones that were planned.
 *
 *  1. CPUs that RPS masks lose in silence (isolcpus=, nohz_full=) are taken out first and named.
 *  2. Flow tables are powers of two: what is asked is rounded up as the kernel does, before it is compared.
 *  3. xps = follow-irq: tx i belongs to the CPUs of its own interrupt, or of rx i's where tx i has none, as planned.
 *  4. What goes by the interrupts (irq-cpus) waits until they are known: no CPU is taken for free because nobody knows.
 *  5. xps_rxqs wins over xps_cpus in the kernel: where XPS goes by CPU, a map by receive queue is emptied. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "cpuexpr.h"
#include "draft.h"

static char *queue_file(const struct job *job, const struct queue *queue, const char *file)
{
	return text_format("/sys/class/net/%s/queues/%s-%u/%s", job->nic->name, queue_type_name(queue->type),
			   queue->index, file);
}

static struct change of_queue(const struct job *job, const struct queue *queue, enum setting setting, const char *file,
			      const struct origin *origin)
{
	return (struct change){ .setting = setting,
				.queue = queue->type,
				.index = queue->index,
				.target = queue_file(job, queue, file),
				.origin = *origin };
}

struct map { /* what a queue is to have */
	cpuset *cpus;
	char *why;
	char *why_not;
	bool later; /* not possible before the link is up */
};

static void map_clear(struct map *map)
{
	cpuset_free(map->cpus);
	free(map->why);
	free(map->why_not);
}

/* Rule 4: why an expression cannot be worked out yet, or NULL. *ret_later: not before the link is up. */
static const char *not_known(const struct job *job, const struct cpuexpr *expr, bool *ret_later)
{
	bool any = false, all = true;

	if (nic_is_virtual(job->nic) || !cpuexpr_has(expr, CPUEXPR_IRQ_CPUS))
		return NULL;
	for (size_t i = 0; i < job->then.nirqs; i++) {
		const struct irq *irq = &job->then.irqs[i];

		if (irq->role == IRQ_CONTROL || irq->role == IRQ_UNKNOWN)
			continue;
		any = true;
		all = all && irq->affinity;
	}
	if (any && all)
		return NULL;
	*ret_later = job->then.link == LINK_DOWN && forecast_waits_for_link(job);
	return *ret_later ? "goes by its interrupts, which the driver requests when the link is set up"
			  : "goes by its interrupts, and where they run is not known";
}

/* False, with the CPUs and *ret_why; or true, with ret->why_not. */
static bool evaluate(const struct draft *draft, const struct job *job, const struct cpuexpr *expr, struct map *ret,
		     char **ret_why)
{
	ret->why_not = alloc_string(not_known(job, expr, &ret->later));
	if (!ret->why_not)
		cpuexpr_eval_within(expr, draft->machine, &job->then, job->cpus, &ret->cpus, ret_why);
	return ret->why_not;
}

/* ---- RPS -------------------------------------------------------------------------------------------------------- */

/* Rule 1. */
static void rps_cpus(const struct draft *draft, const struct job *job, struct map *ret)
{
	const cpuset *excluded = draft->machine->topology.rps_excluded;
	CLEANUP(cpuset_freep) cpuset *lost = NULL;
	CLEANUP(free_string) char *why = NULL, *lost_list = NULL;
	bool one;

	if (evaluate(draft, job, job->section->rps.expr, ret, &why))
		return;
	if (!cpuset_overlap(ret->cpus, excluded)) {
		ret->why = text_format(cpuset_empty(ret->cpus) ? "RPS off: %s" : "RPS on %s", why);
		return;
	}
	lost = cpuset_dup(ret->cpus);
	cpuset_keep(lost, excluded);
	lost_list = cpuset_list(lost);
	one = cpuset_count(lost) == 1;
	cpuset_drop_all(ret->cpus, excluded);
	ret->why = text_format("RPS on %s, without CPU%s %s: isolcpus= or nohz_full= keeps %s out of RPS", why,
			       one ? "" : "s", lost_list, one ? "it" : "them");
	if (!cpuset_empty(ret->cpus))
		return;
	ret->why_not =
		text_format("isolcpus= and nohz_full= CPUs can't take RPS, and there is no other in %s", lost_list);
	cpuset_freep(&ret->cpus); /* it can't be had, which is not the same as off */
}

static void rps_map(struct draft *draft, struct job *job, const struct queue *queue, const struct map *map)
{
	struct change change = of_queue(job, queue, SETTING_RPS, "rps_cpus", &job->section->rps.at);

	change.from = queue->rps ? cpuset_list(queue->rps) : NULL;
	change.to = map->cpus ? cpuset_list(map->cpus) : NULL;
	change.why = alloc_string(map->why);
	change.skipped = queue->rps ? alloc_string(map->why_not) : alloc_string("the kernel has no RPS for this queue");
	change.state = queue->rps && map->later ? CHANGE_DEFERRED : CHANGE_SAME;
	draft_add(draft, job, change);
}

static void rps_maps(struct draft *draft, struct job *job)
{
	const struct cpus_value *key = &job->section->rps;
	CLEANUP(map_clear) struct map map = { 0 };

	if (key->mode == CPUS_EXPR) {
		rps_cpus(draft, job, &map);
	} else if (key->mode == CPUS_OFF) {
		map.cpus = cpuset_new();
		map.why = alloc_string("RPS off: the CPU that takes the interrupt of a queue does the rest as well");
	} else {
		return;
	}
	for (size_t i = 0; i < job->then.nqueues; i++)
		if (job->then.queues[i].type == QUEUE_RX)
			rps_map(draft, job, &job->then.queues[i], &map);
}

/* Rule 2. */
static uint32_t rounded(uint32_t flows)
{
	uint32_t power = 1;

	while (power < flows && power < UINT32_C(1) << 31)
		power *= 2;
	return flows ? power : 0;
}

static void rps_flows(struct draft *draft, struct job *job)
{
	const struct count_value *key = &job->section->rps_flows;
	uint32_t flows = rounded(key->number);

	for (size_t i = 0; i < job->then.nqueues && key->mode == COUNT_NUMBER; i++) {
		const struct queue *queue = &job->then.queues[i];
		struct change change;

		if (queue->type != QUEUE_RX)
			continue;
		change = of_queue(job, queue, SETTING_RPS_FLOWS, "rps_flow_cnt", &key->at);
		change.from = queue->rps_flows.set ? text_format("%u", queue->rps_flows.value) : NULL;
		change.to = text_format("%u", flows);
		change.why =
			flows == key->number
				? text_format("%u flows for the queue", flows)
				: text_format("asked %u flows; the kernel rounds up to a power of two", key->number);
		if (!queue->rps_flows.set)
			change.skipped = alloc_string("the kernel has no flow table for this queue");
		draft_add(draft, job, change);
	}
}

void steer_rps(struct draft *draft, struct job *job)
{
	rps_maps(draft, job);
	rps_flows(draft, job);
}

/* ---- XPS -------------------------------------------------------------------------------------------------------- */

/* Rule 3. */
static void follow_irq(const struct job *job, const struct queue *queue, struct map *ret)
{
	const struct irq *irq = nic_irq_of(&job->then, QUEUE_TX, queue->index);
	const char *of = "its";
	CLEANUP(free_string) char *list = NULL;

	if (!irq) {
		irq = nic_irq_of(&job->then, QUEUE_RX, queue->index);
		of = "the receive queue's";
	}
	if (!irq) {
		ret->later = job->then.link == LINK_DOWN && forecast_waits_for_link(job);
		ret->why_not = alloc_string(ret->later ? "follows its interrupt, which the driver requests when the "
							 "link is set up"
						       : "the queue's interrupt is not known");
		return;
	}
	if (!irq->affinity) {
		ret->why_not = text_format("where interrupt %u runs is not known", irq->number);
		return;
	}
	list = cpuset_list(irq->affinity);
	ret->cpus = cpuset_dup(irq->affinity);
	ret->why = irq->requested ? text_format("tx queue %u follows %s interrupt %u to CPU %s", queue->index, of,
						irq->number, list)
				  : text_format("tx queue %u follows %s interrupt to CPU %s", queue->index, of, list);
}

static void xps_of(const struct draft *draft, const struct job *job, const struct queue *queue, struct map *ret)
{
	const struct cpus_value *key = &job->section->xps;
	CLEANUP(free_string) char *why = NULL;

	switch (key->mode) {
	case CPUS_FOLLOW_IRQ: follow_irq(job, queue, ret); return;
	case CPUS_OFF:
		ret->cpus = cpuset_new();
		ret->why = alloc_string("XPS off");
		return;
	case CPUS_EXPR:
		if (!evaluate(draft, job, key->expr, ret, &why))
			ret->why = text_format("XPS on %s", why);
		return;
	case CPUS_ABSENT:
	case CPUS_SPREAD:
	case CPUS_ALL:
	case CPUS_RXQS: return;
	}
}

static void no_rxqs(struct draft *draft, struct job *job, const struct queue *queue)
{
	struct change change;

	if (cpuset_empty(queue->xps_rxqs))
		return;
	change = of_queue(job, queue, SETTING_XPS_RXQS, "xps_rxqs", &job->section->xps.at);
	change.from = cpuset_list(queue->xps_rxqs);
	change.to = alloc_string("");
	change.why = alloc_string("a map by receive queue would win over the one by CPU");
	draft_add(draft, job, change);
}

/* Whether the kernel has XPS maps for the device: those of queues that are yet to come tell nothing. */
static bool has_xps(const struct nic *nic)
{
	for (size_t i = 0; i < nic->nqueues; i++)
		if (nic->queues[i].type == QUEUE_TX && nic->queues[i].xps)
			return true;
	return nic_queue_count(nic, QUEUE_TX) == 0;
}

static void xps_map(struct draft *draft, struct job *job, const struct queue *queue)
{
	struct change change = of_queue(job, queue, SETTING_XPS, "xps_cpus", &job->section->xps.at);
	CLEANUP(map_clear) struct map map = { 0 };
	bool exists = queue->xps || (job->stage > 1 && has_xps(job->nic));

	xps_of(draft, job, queue, &map);
	change.from = queue->xps ? cpuset_list(queue->xps) : NULL;
	change.to = map.cpus ? cpuset_list(map.cpus) : NULL;
	change.why = TAKE(map.why);
	if (exists) {
		change.skipped = TAKE(map.why_not);
		change.state = map.later ? CHANGE_DEFERRED : CHANGE_SAME;
	} else {
		change.skipped = alloc_string(nic_queue_count(&job->then, QUEUE_TX) == 1
						      ? "a device with one transmit queue has no XPS"
						      : "the kernel has no XPS for this queue");
	}
	draft_add(draft, job, change);
	no_rxqs(draft, job, queue);
}

static void xps_by_rx(struct draft *draft, struct job *job, const struct queue *queue)
{
	struct change change = of_queue(job, queue, SETTING_XPS_RXQS, "xps_rxqs", &job->section->xps.at);
	unsigned rx_queues = nic_queue_count(&job->then, QUEUE_RX);

	change.from = queue->xps_rxqs ? cpuset_list(queue->xps_rxqs) : NULL;
	if (rx_queues == 0) {
		change.skipped = alloc_string("the device has no receive queue");
	} else {
		change.to = text_format("%u", queue->index % rx_queues);
		change.why = text_format("flows of rx queue %u leave by tx queue %u", queue->index % rx_queues,
					 queue->index);
	}
	if (!queue->xps_rxqs && job->stage == 1 && !change.skipped)
		change.skipped = alloc_string("the kernel has no XPS for this queue");
	draft_add(draft, job, change);
}

void steer_xps(struct draft *draft, struct job *job)
{
	enum cpus_mode mode = job->section->xps.mode;

	for (size_t i = 0; i < job->then.nqueues && mode != CPUS_ABSENT; i++) {
		const struct queue *queue = &job->then.queues[i];

		if (queue->type != QUEUE_TX)
			continue;
		if (mode == CPUS_RXQS)
			xps_by_rx(draft, job, queue);
		else
			xps_map(draft, job, queue);
	}
}
