/* Adds a change to the plan and gives it its state: same, to do, not allowed, or already tried. Never looks at what the
 * setting means. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "draft.h"

/* What an earlier attempt left of the same change, or NULL. */
static const struct change *attempt(const struct draft *draft, const struct change *change)
{
	for (size_t i = 0; draft->attempts && i < draft->attempts->n; i++) {
		const struct change *tried = &draft->attempts->items[i];

		if (tried->setting == change->setting && tried->queue == change->queue &&
		    tried->index == change->index && text_equal(tried->path, change->path) &&
		    text_equal(tried->to, change->to))
			return tried;
	}
	return NULL;
}

/* Making the queues anew loses the frames in them, so it counts as a reset
 * even where the link stays. A device that is up without carrier moves no frame that a reset could lose: its link is
 * down in the sense of `link-down`. */
const char *draft_forbids(const struct job *job, unsigned cost)
{
	const struct word_value *disruptive = &job->section->disruptive;

	if (!disruptive->at.line || !(cost & (COST_LINK_RESET | COST_RENUMBERS)))
		return NULL;
	if (job->nic->link == LINK_DOWN)
		return NULL;
	switch ((enum disruptive_mode)disruptive->value) {
	case DISRUPTIVE_ALWAYS: return NULL;
	case DISRUPTIVE_LINK_DOWN:
		if (job->nic->link == LINK_NO_CARRIER)
			return NULL;
		return "disrupts the link, which is up (disruptive = link-down)";
	case DISRUPTIVE_NEVER: return "disrupts the device, which is up (disruptive = never)";
	}
	return NULL;
}

/* A change that was refused in this run stays refused. One that was done and undone by someone else is to do again; but
 * an interrupt that could only go to another CPU, which `skipped` says then, stays there, and XPS follows it. */
static bool stays(const struct change *tried)
{
	switch (tried->state) {
	case CHANGE_SKIPPED:
	case CHANGE_FAILED:
	case CHANGE_DEFERRED: return true;
	case CHANGE_DONE: return tried->setting == SETTING_IRQ && tried->skipped;
	case CHANGE_SAME:
	case CHANGE_TODO:
	case CHANGE_GONE: return false;
	}
	return false;
}

static void judge(const struct draft *draft, const struct job *job, struct change *change)
{
	const struct change *tried = attempt(draft, change);
	const char *why_not = job ? draft_forbids(job, change->cost) : NULL;

	if (change->state == CHANGE_DEFERRED)
		return;
	if (change->from && text_equal(change->from, change->to)) {
		change->state = CHANGE_SAME;
		free_string(&change->skipped);
	} else if (change->skipped) {
		change->state = CHANGE_SKIPPED;
	} else if (why_not) {
		change->state = CHANGE_SKIPPED;
		change->skipped = alloc_string(why_not);
	} else if (tried && stays(tried)) {
		change->state = tried->state;
		change->skipped = alloc_string(tried->skipped);
		change->error = tried->error;
	} else {
		change->state = CHANGE_TODO;
	}
}

/* A control interrupt whose number is known outlives the barrier (forecast.c), and is left alone by it. */
static bool comes_behind_barrier(const struct change *change)
{
	if (change->setting == SETTING_IRQ_CONTROL)
		return !change->irq.set;
	return change->setting >= SETTING_IRQ && change->setting <= SETTING_XPS_RXQS;
}

struct change *draft_add(struct draft *draft, const struct job *job, struct change change)
{
	struct plan *plan = draft->plan;

	change.stage = 1;
	if (job) {
		change.device = alloc_string(job->nic->name);
		change.path = alloc_string(job->nic->path);
		change.ifindex = job->nic->ifindex;
		if (comes_behind_barrier(&change))
			change.stage = job->stage;
	}
	judge(draft, job, &change);
	plan->changes = alloc_more(plan->changes, plan->nchanges, sizeof *plan->changes);
	plan->changes[plan->nchanges] = change;
	return &plan->changes[plan->nchanges++];
}
