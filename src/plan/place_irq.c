/* Decides which CPUs each interrupt of a device gets. Never looks at load, nor at the order of interrupt numbers.
 *
 *  1. irq = spread: queue i gets the i-th CPU in topology order; beyond the last it starts again at the first. The
 *     vectors of rx i and tx i get the same CPU. irq = all, irq = EXPRESSION: each gets all of them.
 *  2. A vector of which it is not known what it serves gets all CPUs of the section, never the CPU of some queue.
 *  3. A control vector is touched by irq.control alone.
 *  4. An interrupt that the kernel manages is not moved.
 *  5. A line that several devices are on is moved only when it is the device's only one. Where two devices of the
 *     policy have one interrupt, the first of them places it.
 *  6. Interrupts that come into being with the link are put off until then. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "draft.h"

struct target {
	enum cpus_mode mode;
	cpuset *cpus; /* of the section, or of the expression */
	char *why;
	const struct origin *origin;
};

static void target_clear(struct target *target)
{
	cpuset_free(target->cpus);
	free(target->why);
}

static void target_set(const struct draft *draft, const struct job *job, const struct cpus_value *key,
		       struct target *ret)
{
	ret->mode = key->mode;
	ret->origin = &key->at;
	if (key->mode == CPUS_EXPR) {
		cpuexpr_eval_within(key->expr, draft->machine, job->nic, job->cpus, &ret->cpus, &ret->why);
	} else {
		ret->cpus = cpuset_dup(job->cpus);
		ret->why = alloc_string(job->cpus_why);
	}
}

/* ---- one interrupt ---------------------------------------------------------------------------------------------- */

static enum queue_type queue_of(const struct irq *irq)
{
	switch (irq->role) {
	case IRQ_UNKNOWN:
	case IRQ_CONTROL: return QUEUE_NONE;
	case IRQ_RX: return QUEUE_RX;
	case IRQ_TX: return QUEUE_TX;
	case IRQ_COMBINED: return QUEUE_COMBINED;
	case IRQ_ROLES: break;
	}
	return QUEUE_NONE;
}

/* The number of its queue. Of a vector without one, what tells it from the device's others. */
static unsigned index_of(const struct irq *irq)
{
	if (irq->role != IRQ_CONTROL && irq->role != IRQ_UNKNOWN && (irq->rx.set || irq->tx.set))
		return irq->rx.set ? irq->rx.value : irq->tx.value;
	return irq->vector.set ? irq->vector.value : irq->number;
}

static char *what(const struct irq *irq)
{
	switch (irq->role) {
	case IRQ_UNKNOWN:
		return irq->vector.set ? text_format("vector %u, whose queue is not known", irq->vector.value)
				       : alloc_string("interrupt whose queue is not known");
	case IRQ_CONTROL:
		return irq->vector.set ? text_format("control vector %u", irq->vector.value)
				       : alloc_string("control interrupt");
	case IRQ_RX: return text_format("rx queue %u", index_of(irq));
	case IRQ_TX: return text_format("tx queue %u", index_of(irq));
	case IRQ_COMBINED:
	case IRQ_ROLES: break;
	}
	return text_format("queue %u", index_of(irq));
}

static const char *ordinal_end(size_t n)
{
	if (n / 10 % 10 != 1) {
		if (n % 10 == 1)
			return "st";
		if (n % 10 == 2)
			return "nd";
		if (n % 10 == 3)
			return "rd";
	}
	return "th";
}

/* Rule 1 for `spread`. */
static cpuset *spread(const struct job *job, const struct irq *irq, const char *name, char **ret_why)
{
	size_t at = index_of(irq) % job->ncpus;
	const char *again = index_of(irq) < job->ncpus ? "" : "more queues than CPUs, again the ";

	if (job->ncpus == 1)
		*ret_why = text_format("%s -> CPU %u: the only CPU, %s", name, job->order[at], job->cpus_why);
	else
		*ret_why = text_format("%s -> CPU %u: %s%zu%s of %zu CPUs, %s", name, job->order[at], again, at + 1,
				       ordinal_end(at + 1), job->ncpus, job->cpus_why);
	return cpuset_one(job->order[at]);
}

static cpuset *wanted(const struct job *job, const struct irq *irq, const struct target *target, struct change *change)
{
	CLEANUP(free_string) char *name = what(irq);
	CLEANUP(free_string) char *list = cpuset_list(target->cpus);
	CLEANUP(free_string) char *cpus = text_format("CPU%s %s", cpuset_count(target->cpus) == 1 ? "" : "s", list);

	if (cpuset_empty(target->cpus)) {
		change->skipped = text_format("no CPU for it is online: %s", target->why);
		change->why = TAKE(name);
		return NULL;
	}
	if (target->mode == CPUS_SPREAD && queue_of(irq) != QUEUE_NONE)
		return spread(job, irq, name, &change->why);
	if (text_equal(target->why, cpus))
		change->why = text_format("%s -> %s, which the policy names", name, cpus);
	else
		change->why = text_format("%s -> %s: %s", name, cpus, target->why);
	return cpuset_dup(target->cpus);
}

/* Rule 5: the device of the policy that places the interrupt in this one's stead, or NULL. */
static const struct nic *other_owner(const struct draft *draft, const struct job *job, const struct irq *irq)
{
	for (const struct job *other = draft->jobs; other < job; other++) {
		if (other->section->irq.mode == CPUS_ABSENT)
			continue;
		for (size_t i = 0; i < other->nic->nirqs; i++)
			if (other->nic->irqs[i].requested && other->nic->irqs[i].number == irq->number)
				return other->nic;
	}
	return NULL;
}

static char *immovable(const struct draft *draft, const struct job *job, const struct irq *irq)
{
	const struct nic *other;

	if (!irq->requested)
		return NULL;
	if (irq->fixed)
		return alloc_string("the kernel manages this interrupt's affinity");
	other = other_owner(draft, job, irq);
	if (other)
		return text_format("interrupt %u also serves %s, which places it", irq->number, other->name);
	if (irq->shared && job->then.nirqs > 1)
		return text_format("other devices are on the line of interrupt %u, and it is not the only one of %s",
				   irq->number, job->nic->name);
	return NULL;
}

static void place(struct draft *draft, struct job *job, struct irq *irq, enum setting setting,
		  const struct target *target)
{
	struct change change = { .setting = setting, .origin = *target->origin };
	CLEANUP(cpuset_freep) cpuset *want = NULL;
	const struct change *added;

	change.queue = queue_of(irq);
	change.index = index_of(irq);
	want = wanted(job, irq, target, &change);
	if (irq->requested) {
		change.irq = SOME_U32(irq->number);
		change.target = text_format("/proc/irq/%u/smp_affinity_list", irq->number);
	} else {
		change.target = alloc_string("/proc/irq/?/smp_affinity_list");
	}
	if (irq->shared) {
		CLEANUP(free_string) char *why = TAKE(change.why);

		change.why = text_format("%s (other devices are on the same line)", why);
	}
	change.from = irq->affinity ? cpuset_list(irq->affinity) : NULL;
	change.to = want ? cpuset_list(want) : NULL;
	if (!change.skipped)
		change.skipped = immovable(draft, job, irq);
	added = draft_add(draft, job, change);
	if (added->state != CHANGE_SAME && added->state != CHANGE_TODO)
		return;
	cpuset_free(irq->affinity);
	irq->affinity = TAKE(want);
	cpuset_freep(&irq->effective); /* what it was before says nothing any more */
}

/* ---- all of a device -------------------------------------------------------------------------------------------- */

static void nothing_to_place(struct draft *draft, struct job *job, enum setting setting, const struct target *target)
{
	struct change change = { .setting = setting, .origin = *target->origin };

	change.why = alloc_string(target->why);
	if (nic_is_virtual(job->nic)) {
		change.skipped = alloc_string("a virtual device has no interrupts");
	} else if (forecast_waits_for_link(job)) { /* rule 6 */
		change.state = CHANGE_DEFERRED;
		change.skipped = alloc_string("the driver requests its interrupts when the link is set up");
	} else {
		change.skipped = alloc_string("no interrupt of the device is known");
	}
	draft_add(draft, job, change);
}

static void place_all(struct draft *draft, struct job *job, const struct cpus_value *key, enum setting setting)
{
	CLEANUP(target_clear) struct target target = { 0 };
	bool any = false;

	target_set(draft, job, key, &target);
	for (size_t i = 0; i < job->then.nirqs; i++) {
		struct irq *irq = &job->then.irqs[i];

		if ((irq->role == IRQ_CONTROL) != (setting == SETTING_IRQ_CONTROL)) /* rule 3 */
			continue;
		any = true;
		place(draft, job, irq, setting, &target);
	}
	if (!any)
		nothing_to_place(draft, job, setting, &target);
}

void place_irqs(struct draft *draft, struct job *job)
{
	enum cpus_mode mode = job->section->irq.mode;

	if (mode == CPUS_SPREAD || mode == CPUS_ALL || mode == CPUS_EXPR)
		place_all(draft, job, &job->section->irq, SETTING_IRQ);
	if (job->section->irq_control.mode == CPUS_EXPR)
		place_all(draft, job, &job->section->irq_control, SETTING_IRQ_CONTROL);
}
