/* The daemon: turns events into passes, and each pass into one reconciliation of the devices that it is about. Decides
 * nothing about the machine; when to look and what to make of it is watch.h's. */
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/daemon.h>
#include <steer/log.h>
#include <steer/net.h>
#include <steer/notify.h>

#include "daemon.h"

enum {
	TRY_AGAIN = 10 * 1000, /* ms, when a pass could do nothing at all */
	MANY = 100,            /* devices whose memory is worth giving back */
};

/* ---- telling ---------------------------------------------------------------------------------------------------- */

static void tell(const struct daemon *daemon, const struct happening *happening)
{
	if (daemon->listener)
		daemon->listener(daemon->listener_context, happening);
}

static void tell_note(const struct daemon *daemon, const struct note *note)
{
	log_note(note);
	tell(daemon, &(struct happening){ .note = note });
}

void daemon_tell(const struct daemon *daemon, const struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		tell_note(daemon, &notes->items[i]);
}

static bool have(const struct notes *notes, const struct note *note)
{
	for (size_t i = 0; i < notes->n; i++)
		if (notes->items[i].level == note->level && text_equal(notes->items[i].subject, note->subject) &&
		    text_equal(notes->items[i].text, note->text))
			return true;
	return false;
}

/* What stands since the pass before is not told again. Takes the notes over. */
static void tell_standing(struct daemon *daemon, struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		if (!have(&daemon->standing, &notes->items[i]))
			tell_note(daemon, &notes->items[i]);
	notes_clear(&daemon->standing);
	notes_move(&daemon->standing, notes);
}

void daemon_tell_manager(const struct daemon *daemon)
{
	CLEANUP(notes_clear) struct notes problems = { 0 };
	CLEANUP(free_string) char *line = NULL;
	struct watch_counts counts;

	daemon_problems(daemon, &problems);
	watch_count(daemon->watch, loop_now(), &counts);
	line = text_format("STATUS=policy %s, %" PRIu64 " settings watched, %zu problem%s%s", daemon->policy->name,
			   counts.remembered, problems.n, problems.n == 1 ? "" : "s",
			   daemon->trial.before ? ", on trial"
			   : daemon->held       ? ", held"
						: "");
	(void)notify(line);
}

/* ---- what a pass is about --------------------------------------------------------------------------------------- */

struct scope {
	const struct daemon *daemon;
	const struct pass *pass;
};

static bool divides(const struct section *section)
{
	return section && section->share.at.line && section->share.value == SHARE_PARTITION;
}

/* Whether it shares CPUs with a device that the pass is about: those may be divided otherwise now. */
static bool is_concerned(const struct scope *scope, const struct machine *machine, const struct nic *nic)
{
	const struct policy *policy = scope->daemon->policy;
	const struct section *section = policy_match(policy, machine, nic, NULL);

	for (size_t i = 0; divides(section) && i < machine->nnics; i++) {
		const struct nic *other = &machine->nics[i];

		if (pass_includes(scope->pass, other->ifindex) && policy_match(policy, machine, other, NULL) == section)
			return true;
	}
	return false;
}

static bool means(const void *context, const struct machine *machine, const struct nic *nic)
{
	const struct scope *scope = context;

	if (!events_ready(scope->daemon->events, nic->ifindex))
		return false;
	return pass_includes(scope->pass, nic->ifindex) || is_concerned(scope, machine, nic);
}

static void alive(const void *context)
{
	(void)context;
	(void)notify("WATCHDOG=1");
}

/* ---- passes ----------------------------------------------------------------------------------------------------- */

/* Several devices on one path are told apart by their names, as long as they are several. */
static bool shares_path(const struct nic *nic)
{
	return nic->bus && nic->path && strstr(nic->path, "/net/");
}

/* Returns how many devices were forgotten. pass NULL: those that are gone. */
static size_t forget_devices(struct daemon *daemon, const struct pass *pass)
{
	struct machine *known = &daemon->known;
	size_t before = known->nnics, kept = 0;

	for (size_t i = 0; i < before; i++) {
		struct nic *nic = &known->nics[i];
		bool over = pass ? pass_includes(pass, nic->ifindex) || shares_path(nic)
				 : !events_ready(daemon->events, nic->ifindex);

		if (over)
			nic_clear(nic);
		else
			known->nics[kept++] = *nic;
	}
	known->nnics = kept;
	return before - kept;
}

/* What a pass is about is read anew, the rest is known. */
static void forget_known(struct daemon *daemon, const struct pass *pass)
{
	if (pass_remakes_topology(pass))
		machine_clear(&daemon->known);
	(void)forget_devices(daemon, pass);
}

/* What thousands of devices took is given back once they are gone, and not kept for the next storm. */
static void forget_gone(struct daemon *daemon)
{
	daemon->forgotten += forget_devices(daemon, NULL);
	if (daemon->forgotten < MANY)
		return;
	daemon->forgotten = 0;
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

static bool has_news(const struct report *report)
{
	return report->writes || report_failed(report);
}

void daemon_schedule(struct daemon *daemon)
{
	uint64_t now = loop_now();
	int64_t wait = watch_wait(daemon->watch, now), least = (int64_t)(daemon->not_before - now);

	if (daemon->not_before > now && wait < least)
		wait = least;
	loop_timer_set(daemon->timer, daemon->held ? LOOP_NEVER : wait);
}

static void learn(struct daemon *daemon, const struct pass *pass, struct report *report)
{
	const struct rivals rivals = { .likely = rival_likely, .context = &daemon->rivals };
	CLEANUP(notes_clear) struct notes learned = { 0 }, standing = { 0 };

	watch_learn(daemon->watch, loop_now(), pass, &report->plan, &rivals, &learned);
	daemon_tell(daemon, &learned);
	for (size_t i = 0; i < report->plan.unmet.n; i++)
		notes_add(&standing, report->plan.refused ? NOTE_ERROR : NOTE_WARNING, NULL, "%s",
			  report->plan.unmet.items[i]);
	for (size_t i = 0; i < report->notes.n; i++) {
		const struct note *note = &report->notes.items[i];

		notes_add(&standing, note->level, note->subject, "%s", note->text)->hint = alloc_string(note->hint);
	}
	tell_standing(daemon, &standing);
}

static void note_failure(struct daemon *daemon, int error)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };

	notes_add(&notes, NOTE_ERROR, NULL, "nothing could be done: %s", strerror(-error));
	tell_standing(daemon, &notes);
	daemon->not_before = loop_now() + TRY_AGAIN;
	watch_everything(daemon->watch, loop_now());
}

int daemon_pass(struct daemon *daemon, const struct pass *pass, struct report *ret)
{
	const struct scope scope = { .daemon = daemon, .pass = pass };
	const struct errand errand = { .means = means,
				       .known = &daemon->known,
				       .spared = watch_spared(daemon->watch, loop_now()),
				       .alive = alive,
				       .context = &scope };
	int r;

	forget_known(daemon, pass);
	r = reconcile_errand(daemon->setup.host, daemon->policy, daemon->setup.originals, &errand, ret);
	daemon->last_pass = loop_now();
	if (r < 0) {
		note_failure(daemon, r);
		return r;
	}
	daemon->writes += ret->writes;
	learn(daemon, pass, ret);
	if (has_news(ret))
		tell(daemon, &(struct happening){ .report = ret });
	log_debug("pass over %s: %u rounds, %u writes", pass->everything ? "everything" : "some devices", ret->rounds,
		  ret->writes);
	return 0;
}

/* Makes the passes that are due. */
static int on_due(void *context, unsigned events)
{
	struct daemon *daemon = context;
	CLEANUP(pass_clear) struct pass pass = { 0 };
	CLEANUP(report_clear) struct report report = { 0 };

	(void)events;
	if (!daemon->held && watch_take(daemon->watch, loop_now(), &pass))
		(void)daemon_pass(daemon, &pass, &report);
	daemon_schedule(daemon);
	daemon_tell_manager(daemon);
	return 0;
}

static void hear(struct daemon *daemon, const struct event *event)
{
	log_debug("event: %s, ifindex %u", event_kind_name(event->kind), event->ifindex);
	watch_event(daemon->watch, loop_now(), event);
	tell(daemon, &(struct happening){ .event = event });
}

/* Most of what is changed in a ruleset has nothing to do with flowtables. */
static bool flows_have_changed(struct daemon *daemon)
{
	CLEANUP(flowtables_clear) struct flow_offloads now = { 0 };

	return net_flowtables(daemon->setup.host, &now) < 0 || !flowtables_equal(&now, &daemon->known.flows);
}

static int on_events(void *context, unsigned ready)
{
	struct daemon *daemon = context;
	struct event event;
	bool gone = false, flows = false;
	int r;

	(void)ready;
	while ((r = events_take(daemon->events, &event)) > 0) {
		if (event.kind == EVENT_FLOWS) {
			flows = true;
			continue;
		}
		hear(daemon, &event);
		if (event.kind == EVENT_NIC_REMOVED) {
			originals_forget_nic(daemon->setup.originals, event.ifindex);
			gone = true;
		}
	}
	if (gone)
		forget_gone(daemon);
	/* a flowtable loses a device that goes without a word of nftables */
	if ((flows || gone) && policy_wants_flows(daemon->policy) && flows_have_changed(daemon))
		hear(daemon, &(struct event){ .kind = EVENT_FLOWS });
	daemon_schedule(daemon);
	return r;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

static void hear_of_flows(struct daemon *daemon)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r = events_hear_flows(daemon->events, policy_wants_flows(daemon->policy), &notes);

	daemon_tell(daemon, &notes);
	if (r < 0)
		log_warning("cannot listen to nftables: %s", strerror(-r));
}

void daemon_use(struct daemon *daemon, struct policy *policy)
{
	daemon->policy = policy;
	if (daemon->events)
		hear_of_flows(daemon);
	daemon->loaded = loop_now();
	watch_set_audit(daemon->watch, (uint64_t)policy->audit.number * 1000, daemon->loaded);
}

int daemon_load(struct daemon *daemon, struct policy **ret_before)
{
	CLEANUP(policy_freep) struct policy *policy = NULL, *before = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r = daemon->setup.load(daemon->setup.context, &policy, &notes);

	daemon_tell(daemon, &notes);
	notes_clear(&daemon->policy_problems);
	if (r < 0) {
		notes_move(&daemon->policy_problems, &notes);
		return r;
	}
	before = TAKE(daemon->policy);
	daemon_use(daemon, TAKE(policy));
	if (ret_before)
		*ret_before = TAKE(before);
	return 0;
}

static int start(struct daemon *daemon)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r;

	daemon->watch = watch_new(0, loop_now());
	if ((r = daemon_load(daemon, NULL)) < 0)
		return r;
	r = events_open(NULL, &daemon->events, &notes);
	daemon_tell(daemon, &notes);
	if (r < 0) {
		log_error("cannot listen to the kernel: %s", strerror(-r));
		return r;
	}
	hear_of_flows(daemon);
	daemon->rivals = (struct rival_search){ .host = daemon->setup.host, .events = daemon->events };
	daemon->timer = loop_timer_add(daemon->setup.loop, on_due, daemon);
	watch_everything(daemon->watch, loop_now());
	trial_settle(daemon);
	(void)on_due(daemon, 0);
	return loop_add(daemon->setup.loop, events_fd(daemon->events), LOOP_READ, on_events, daemon, &daemon->source);
}

int daemon_open(const struct daemon_setup *setup, struct daemon **ret)
{
	CLEANUP(daemon_closep) struct daemon *daemon = alloc_zero(1, sizeof *daemon);
	int r;

	daemon->setup = *setup;
	daemon->started = loop_now();
	if ((r = start(daemon)) < 0)
		return r;
	*ret = TAKE(daemon);
	return 0;
}

void daemon_close(struct daemon *daemon)
{
	if (!daemon)
		return;
	trial_close(daemon);
	loop_remove(daemon->source);
	loop_timer_remove(daemon->timer);
	events_close(daemon->events);
	watch_free(daemon->watch);
	policy_free(daemon->policy);
	machine_clear(&daemon->known);
	notes_clear(&daemon->policy_problems);
	notes_clear(&daemon->standing);
	free(daemon->rivals.words);
	free(daemon);
}

void daemon_closep(struct daemon **daemon)
{
	daemon_close(*daemon);
	*daemon = NULL;
}
