/* Does what a running daemon is asked from outside. Decides nothing by itself. */
#include <steer/cleanup.h>
#include <steer/log.h>
#include <steer/text.h>

#include "daemon.h"

struct host *daemon_host(struct daemon *daemon)
{
	return daemon->setup.host;
}

struct originals *daemon_originals(struct daemon *daemon)
{
	return daemon->setup.originals;
}

const struct policy *daemon_policy(const struct daemon *daemon)
{
	return daemon->policy;
}

int daemon_read_policy(const struct daemon *daemon, struct policy **ret, struct notes *notes)
{
	return daemon->setup.load(daemon->setup.context, ret, notes);
}

/* ---- changing --------------------------------------------------------------------------------------------------- */

int daemon_reload(struct daemon *daemon)
{
	int r = daemon_load(daemon, NULL);

	if (r < 0) {
		log_error("the policy was not reloaded: %s stays in force", daemon->policy->name);
	} else {
		log_info("policy %s is in force", daemon->policy->name);
		daemon->held = false;
		watch_everything(daemon->watch, loop_now());
	}
	daemon_schedule(daemon);
	daemon_tell_manager(daemon);
	return r;
}

int daemon_apply(struct daemon *daemon, struct report *ret)
{
	CLEANUP(pass_clear) struct pass pass = { 0 };
	int r;

	daemon->held = false;
	watch_everything(daemon->watch, loop_now());
	(void)watch_take(daemon->watch, loop_now(), &pass);
	r = daemon_pass(daemon, &pass, ret);
	daemon_schedule(daemon);
	daemon_tell_manager(daemon);
	return r;
}

int daemon_revert(struct daemon *daemon, const struct strings *devices, struct report *ret)
{
	int r;

	daemon_hold(daemon, true);
	r = revert(daemon->setup.host, daemon->setup.originals, devices, ret);
	if (r == 0)
		daemon->writes += ret->writes;
	return r;
}

void daemon_hold(struct daemon *daemon, bool hold)
{
	if (daemon->held && !hold)
		watch_everything(daemon->watch, loop_now());
	daemon->held = hold;
	watch_unsettle(daemon->watch);
	daemon_schedule(daemon);
	daemon_tell_manager(daemon);
}

/* ---- telling ---------------------------------------------------------------------------------------------------- */

void daemon_status(const struct daemon *daemon, struct daemon_status *ret)
{
	uint64_t now = loop_now();

	*ret = (struct daemon_status){
		.running = now - daemon->started,
		.pending = watch_wait(daemon->watch, now) != WATCH_NEVER,
		.held = daemon->held,
		.udev = events_by_udev(daemon->events),
		.on_trial = daemon->trial.before,
		.trial_left = daemon->trial.before && daemon->trial.end > now ? daemon->trial.end - now : 0,
		.policy_refused = daemon->policy_problems.n > 0,
		.loaded = now - daemon->loaded,
		.last_pass = now - daemon->last_pass,
		.writes = daemon->writes,
	};
	watch_count(daemon->watch, now, &ret->counts);
}

static void add_notes(const struct notes *notes, struct notes *ret)
{
	for (size_t i = 0; i < notes->n; i++) {
		const struct note *note = &notes->items[i];
		struct note *copy;

		if (note->level == NOTE_INFO)
			continue;
		copy = notes_add(ret, note->level, note->subject, "%s", note->text);
		copy->hint = alloc_string(note->hint);
		copy->file = alloc_string(note->file);
		copy->line = note->line;
		copy->column = note->column;
	}
}

void daemon_policy_problems(const struct daemon *daemon, struct notes *ret)
{
	add_notes(&daemon->policy_problems, ret);
}

void daemon_problems(const struct daemon *daemon, struct notes *ret)
{
	add_notes(&daemon->policy_problems, ret);
	add_notes(&daemon->standing, ret);
	watch_problems(daemon->watch, loop_now(), ret);
}

void daemon_findings(const struct daemon *daemon, struct findings *findings)
{
	watch_findings(daemon->watch, loop_now(), findings);
}

const struct attempts *daemon_spared(struct daemon *daemon)
{
	return watch_spared(daemon->watch, loop_now());
}

void daemon_listen(struct daemon *daemon, daemon_listener *listener, void *context)
{
	daemon->listener = listener;
	daemon->listener_context = context;
}
