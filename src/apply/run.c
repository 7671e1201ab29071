/* The rounds: observe, plan, apply the first stage, let the devices come to rest, and again until nothing differs.
 * Decides when to stop, never what to change. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include <steer/cleanup.h>
#include <steer/net.h>

#include "run.h"

enum {
	ROUNDS_MOST = 6,
	CARRIER_WAIT = 10000, /* ms for the links that were reset to come back, all together */
};

void run_clear(struct run *run)
{
	if (run->has_topology)
		topology_clear(&run->topology);
	machine_clear(&run->machine);
	plan_clear(&run->plan);
	tries_clear(&run->tries);
	notes_clear(&run->notes);
	strings_clear(&run->sysctls);
}

/* ---- observing and planning ------------------------------------------------------------------------------------- */

/* What observe has to say is told once, not in every round. */
static int look(struct run *run)
{
	const struct observe_scope scope = {
		.details = run->kind->details,
		.context = run,
		.sysctls = &run->sysctls,
		.flows = run->flows,
		.fmc = run->has_fmc ? &run->fmc : NULL,
		.topology = run->has_topology ? &run->topology : NULL,
	};
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r;

	if (run->looked)
		r = observe_again(run->host, &scope, &run->machine, &notes);
	else
		r = observe(run->host, &scope, &run->machine, &notes);
	if (r < 0)
		return r;
	if (!run->has_topology) {
		topology_copy(&run->topology, &run->machine.topology);
		run->has_topology = true;
	}
	if (!run->looked)
		notes_move(&run->notes, &notes);
	run->looked = true;
	return 0;
}

/* What is spared is left alone as if it had been tried. */
static void add_spared(const struct run *run, struct attempts *attempts)
{
	const struct attempts *spared = run->errand ? run->errand->spared : NULL;

	for (size_t i = 0; spared && i < spared->n; i++) {
		attempts->items = alloc_more(attempts->items, attempts->n, sizeof *attempts->items);
		attempts->items[attempts->n++] = spared->items[i];
	}
}

/* What a change given up just now means for the others, only a new plan can say. */
static void make_plan(struct run *run)
{
	bool again;

	do {
		struct attempts attempts;

		tries_attempts(&run->tries, &attempts);
		add_spared(run, &attempts);
		plan_clear(&run->plan);
		run->kind->plan(run, &attempts, &run->plan);
		free(attempts.items);
		again = tries_judge(&run->tries, &run->plan);
	} while (again);
}

/* ---- coming to rest --------------------------------------------------------------------------------------------- */

int64_t run_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int run_wait_carrier(struct run *run, const struct nic *nic, int64_t until)
{
	int64_t left = until - run_clock();

	return net_wait_carrier(run->host, nic, left > 0 ? (unsigned)left : 0);
}

static bool was_reset(const struct run *run, const struct nic *nic)
{
	for (size_t i = 0; i < run->plan.nchanges; i++) {
		const struct change *change = &run->plan.changes[i];

		if (change->state == CHANGE_DONE && change->cost & COST_LINK_RESET &&
		    text_equal(change->device, nic->name))
			return true;
	}
	return false;
}

/* A driver may undo a setting when the link it reset is up again, so nothing is judged before that. */
static void settle(struct run *run)
{
	int64_t end = run_clock() + CARRIER_WAIT;

	for (size_t i = 0; i < run->machine.nnics; i++) {
		const struct nic *nic = &run->machine.nics[i];

		if (nic->link != LINK_UP || !was_reset(run, nic))
			continue;
		if (run_wait_carrier(run, nic, end) == -ETIMEDOUT)
			notes_add(
				&run->notes, NOTE_WARNING, nic->name,
				"has no carrier %d s after its link was reset: what the link negotiates is not checked",
				CARRIER_WAIT / 1000);
	}
}

/* ---- rounds ----------------------------------------------------------------------------------------------------- */

/* What waits behind a change that did not come about waits for it. */
static void leave_forecasts(struct plan *plan)
{
	for (size_t i = 0; i < plan->nchanges; i++) {
		struct change *change = &plan->changes[i];

		if (change->state != CHANGE_TODO || change->stage == 1)
			continue;
		change->state = CHANGE_DEFERRED;
		free_string(&change->skipped);
		change->skipped =
			alloc_string(change->stage ? "it comes behind a change that could not be made"
						   : "steerd-fmc.service loads it before links are set up, or "
						     "`steerctl fmc --apply`");
	}
}

/* Of one queue or interrupt: to set it moves nothing else. */
static bool is_of_queue(enum setting setting)
{
	return setting >= SETTING_IRQ && setting <= SETTING_XPS_RXQS;
}

/* The devices were at rest when this round began, and all that it wrote were values of queues and interrupts, which
 * read back as written: another look would tell nothing new. */
static bool is_settled(const struct run *run)
{
	for (size_t i = 0; i < run->plan.nchanges; i++) {
		const struct change *change = &run->plan.changes[i];

		if (change->state == CHANGE_SAME || change->state == CHANGE_SKIPPED)
			continue;
		if (change->state != CHANGE_DONE || !is_of_queue(change->setting) || !tries_kept(&run->tries, change))
			return false;
	}
	return true;
}

int run_rounds(struct run *run)
{
	int r;

	for (;;) {
		size_t todo;

		if (run->errand && run->errand->alive)
			run->errand->alive(run->errand->context);
		if ((r = look(run)) < 0)
			return r;
		make_plan(run);
		todo = plan_todo(&run->plan, 1);
		if (todo == 0)
			break;
		if (run->rounds == ROUNDS_MOST) {
			notes_add(&run->notes, NOTE_ERROR, NULL, "%zu settings still differ after %u rounds", todo,
				  run->rounds)
				->hint = alloc_string("another program may write them too");
			return 0;
		}
		if (run->kind->before && (r = run->kind->before(run)) < 0)
			return r;
		run->rounds++;
		stage_apply(run);
		if (run->kind->by_read_back && is_settled(run))
			return 0;
		settle(run);
	}
	leave_forecasts(&run->plan);
	return 0;
}

void run_report(struct run *run, struct report *ret)
{
	tries_merge(&run->tries, &run->plan);
	*ret = (struct report){
		.plan = run->plan,
		.notes = run->notes,
		.rounds = run->rounds,
		.writes = run->writes,
	};
	run->plan = (struct plan){ 0 };
	run->notes = (struct notes){ 0 };
}

void report_clear(struct report *report)
{
	plan_clear(&report->plan);
	notes_clear(&report->notes);
	*report = (struct report){ 0 };
}

bool report_failed(const struct report *report)
{
	for (size_t i = 0; i < report->plan.nchanges; i++) {
		enum change_state state = report->plan.changes[i].state;

		if (state == CHANGE_FAILED || state == CHANGE_TODO)
			return true;
	}
	return false;
}
