/* Puts the plan together: which devices a policy is about, the steps in their order, and the order of the result. Never
 * reads or writes anything: the same machine and policy give the same plan, however they are listed. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "draft.h"

/* ---- requirements ----------------------------------------------------------------------------------------------- */

static void check_requirements(const struct draft *draft)
{
	const struct policy *policy = draft->policy;
	const struct strings *cmdline = &draft->machine->cmdline;
	struct plan *plan = draft->plan;

	for (size_t i = 0; i < policy->require_cmdline.n; i++) {
		const char *token = policy->require_cmdline.items[i];

		if (!strings_have(cmdline, token))
			strings_take(&plan->unmet,
				     text_format(cmdline->n ? "the kernel command line lacks %s"
							    : "the kernel command line is not known to have %s",
						 token));
	}
}

static void refuse(struct plan *plan)
{
	for (size_t i = 0; i < plan->nchanges; i++) {
		struct change *change = &plan->changes[i];

		if (change->state != CHANGE_TODO)
			continue;
		change->state = CHANGE_SKIPPED;
		change->skipped = text_format("the policy refuses this host: %s", plan->unmet.items[0]);
	}
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct job *x = a, *y = b;
	int order = text_natural(x->nic->name, y->nic->name);

	if (order)
		return order;
	return x->nic->ifindex < y->nic->ifindex ? -1 : x->nic->ifindex > y->nic->ifindex;
}

static void find_jobs(struct draft *draft)
{
	const struct machine *machine = draft->machine;

	for (size_t i = 0; i < machine->nnics; i++) {
		const struct nic *nic = &machine->nics[i];
		const struct section *section = policy_match(draft->policy, machine, nic, NULL);

		if (!section)
			continue;
		draft->jobs = alloc_more(draft->jobs, draft->njobs, sizeof *draft->jobs);
		draft->jobs[draft->njobs++] = (struct job){ .section = section, .nic = nic };
	}
	if (draft->njobs)
		qsort(draft->jobs, draft->njobs, sizeof *draft->jobs, by_name);
}

static void draft_clear(struct draft *draft)
{
	for (size_t i = 0; i < draft->njobs; i++) {
		cpuset_free(draft->jobs[i].cpus);
		free(draft->jobs[i].cpus_why);
		free(draft->jobs[i].order);
	}
	free(draft->jobs);
}

/* What may be a barrier comes first: the steps behind it work on the device as it will be. */
static void plan_device(struct draft *draft, struct job *job)
{
	forecast_begin(job);
	plan_pause(draft, job);
	plan_offloads(draft, job);
	plan_rings(draft, job);
	plan_channels(draft, job);
	plan_link(draft, job);
	place_irqs(draft, job);
	steer_rps(draft, job);
	steer_xps(draft, job);
	forecast_end(job);
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

static int compare_texts(const char *a, const char *b)
{
	if (!a || !b)
		return a ? -1 : b != NULL; /* without a device: the host, last */
	return text_natural(a, b);
}

static int compare_numbers(unsigned a, unsigned b)
{
	return a < b ? -1 : a > b;
}

static int by_place(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	int order = compare_numbers(x->stage, y->stage);

	if (!order)
		order = compare_texts(x->device, y->device);
	if (!order)
		order = compare_numbers(x->setting, y->setting);
	if (!order) /* what is no queue comes last */
		order = compare_numbers(x->queue == QUEUE_NONE, y->queue == QUEUE_NONE);
	if (!order)
		order = compare_numbers(x->index, y->index);
	if (!order)
		order = compare_numbers(x->queue, y->queue);
	if (!order)
		order = compare_numbers(x->irq.value, y->irq.value);
	if (!order)
		order = compare_texts(x->target, y->target);
	return order;
}

/* ---- what others call ------------------------------------------------------------------------------------------- */

void plan_make(const struct machine *machine, const struct policy *policy, const struct attempts *attempts,
	       struct plan *ret)
{
	CLEANUP(draft_clear)
	struct draft draft = { .machine = machine, .policy = policy, .attempts = attempts, .plan = ret };

	*ret = (struct plan){ .policy = alloc_string(policy->name) };
	check_requirements(&draft);
	find_jobs(&draft);
	place_cpus(&draft);
	for (size_t i = 0; i < draft.njobs; i++)
		plan_device(&draft, &draft.jobs[i]);
	plan_sysctls(&draft);
	plan_fmc(&draft);
	ret->refused = policy->refuse_unmet && ret->unmet.n > 0;
	if (ret->refused)
		refuse(ret);
	if (ret->nchanges)
		qsort(ret->changes, ret->nchanges, sizeof *ret->changes, by_place);
}

void plan_clear(struct plan *plan)
{
	for (size_t i = 0; i < plan->nchanges; i++)
		change_clear(&plan->changes[i]);
	free(plan->changes);
	free(plan->policy);
	strings_clear(&plan->unmet);
	*plan = (struct plan){ 0 };
}

void plan_only(struct plan *plan, const struct strings *devices)
{
	size_t kept = 0;

	if (!devices || devices->n == 0)
		return;
	for (size_t i = 0; i < plan->nchanges; i++) {
		if (plan->changes[i].device && strings_have(devices, plan->changes[i].device))
			plan->changes[kept++] = plan->changes[i];
		else
			change_clear(&plan->changes[i]);
	}
	plan->nchanges = kept;
}

size_t plan_todo(const struct plan *plan, unsigned stage)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->nchanges; i++)
		n += plan->changes[i].state == CHANGE_TODO && (!stage || plan->changes[i].stage == stage);
	return n;
}
