/* A policy on trial: put in force, and taken back unless it is confirmed. What is changed and put back is apply's. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/log.h>
#include <steer/text.h>

#include "daemon.h"

static void note_problem(struct daemon *daemon, const char *text, const char *hint)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };

	notes_add(&notes, NOTE_WARNING, NULL, "%s", text)->hint = alloc_string(hint);
	daemon_tell(daemon, &notes);
	notes_move(&daemon->policy_problems, &notes);
}

/* Puts the values back. What does not go back is told; there is no second try. */
static void put_back(struct daemon *daemon)
{
	CLEANUP(report_clear) struct report report = { 0 };
	int r;

	watch_unsettle(daemon->watch);
	r = trial_undo(daemon->setup.host, daemon->setup.originals, &report);
	if (r < 0) {
		log_error("cannot put back what was there before the trial: %s", strerror(-r));
		(void)trial_keep(daemon->setup.originals);
		return;
	}
	daemon->writes += report.writes;
	daemon_tell(daemon, &report.notes);
	log_info("the trial is over: %u values put back", report.writes);
}

/* The policy as it was, and the values too. */
static void undo(struct daemon *daemon)
{
	policy_free(daemon->policy);
	daemon_use(daemon, TAKE(daemon->trial.before));
	put_back(daemon);
	notes_clear(&daemon->policy_problems);
	note_problem(daemon, "the policy was not confirmed: what was in force before it is again",
		     "put the older policy back where it is loaded from, or run `steerctl apply`");
	loop_timer_set(daemon->trial.timer, LOOP_NEVER);
}

static int on_end(void *context, unsigned events)
{
	struct daemon *daemon = context;

	(void)events;
	if (!daemon->trial.before)
		return 0;
	undo(daemon);
	daemon->held = true; /* so that its end is one */
	daemon_hold(daemon, daemon->trial.was_held);
	return 0;
}

int daemon_try(struct daemon *daemon, unsigned seconds, struct report *ret)
{
	int r = trial_begin(daemon->setup.originals);

	if (r < 0)
		return r == -EEXIST ? -EBUSY : r;
	r = daemon_load(daemon, &daemon->trial.before);
	if (r < 0) {
		(void)trial_keep(daemon->setup.originals);
		return -EINVAL;
	}
	log_info("policy %s is on trial for %u seconds", daemon->policy->name, seconds);
	daemon->trial.was_held = daemon->held;
	if (!daemon->trial.timer)
		daemon->trial.timer = loop_timer_add(daemon->setup.loop, on_end, daemon);
	r = daemon_apply(daemon, ret);
	if (r < 0)
		(void)on_end(daemon, 0);
	else
		loop_timer_set(daemon->trial.timer, (int64_t)seconds * 1000);
	daemon->trial.end = loop_now() + (uint64_t)seconds * 1000;
	return r;
}

int daemon_confirm(struct daemon *daemon)
{
	if (!daemon->trial.before)
		return -ENOENT;
	policy_free(TAKE(daemon->trial.before));
	loop_timer_set(daemon->trial.timer, LOOP_NEVER);
	log_info("policy %s is confirmed", daemon->policy->name);
	daemon_tell_manager(daemon);
	return trial_keep(daemon->setup.originals);
}

void trial_settle(struct daemon *daemon)
{
	if (!trial_was_cut_off(daemon->setup.originals))
		return;
	put_back(daemon);
	daemon->held = true;
	note_problem(daemon,
		     "a trial of the policy was cut off: what was there before it is put back, and nothing is changed",
		     "run `steerctl apply` to put the policy in force");
}

void trial_close(struct daemon *daemon)
{
	if (daemon->trial.before)
		undo(daemon);
	loop_timer_remove(daemon->trial.timer);
}
