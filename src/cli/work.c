/* What both programs do with a policy: check it, plan it, apply it, take it back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/log.h>

#include "cli.h"

enum { LOCK_STEP = 100 }; /* ms */

int cli_check(const struct strings *files)
{
	int status = DONE;

	for (size_t i = 0; i < files->n; i++) {
		CLEANUP(policy_freep) struct policy *policy = NULL;
		CLEANUP(notes_clear) struct notes notes = { 0 };
		int r = policy_load(files->items[i], &policy, &notes);

		log_notes(&notes);
		if (r == 0) {
			printf("%s: ok (%zu section%s)\n", files->items[i], policy->nsections,
			       policy->nsections == 1 ? "" : "s");
			continue;
		}
		if (!notes_have(&notes, NOTE_ERROR))
			cli_say("cannot read the policy %s: %s", files->items[i], strerror(-r));
		status = USAGE;
	}
	return status;
}

int cli_check_policy(const struct cli *cli)
{
	CLEANUP(session_clear) struct session session = { 0 };
	int status;

	if (cli->policy) {
		CLEANUP(strings_clear) struct strings files = { 0 };

		strings_add(&files, cli->policy);
		return cli_check(&files);
	}
	status = session_open(cli, &session);
	if (status == DONE)
		printf("%s: ok (%zu sections)\n", session.policy->name, session.policy->nsections);
	return status;
}

int cli_plan(const struct cli *cli, const struct strings *devices)
{
	CLEANUP(session_clear) struct session session = { 0 };
	struct view view;
	int status = session_look(cli, LOOK_POLICY, devices, &session);

	if (status != DONE)
		return status;
	plan_only(&session.look.plan, devices);
	view = session_view(&session, devices);
	if (cli->given & OPTION_JSON)
		json_plan(stdout, &session.look.plan);
	else
		show_plan(stdout, &view);
	if ((cli->given & OPTION_EXIT_CODE) && (plan_todo(&session.look.plan, 0) || session.look.plan.refused))
		return DRIFT;
	return DONE;
}

/* Another writer is soon done, unless it is a daemon. */
int cli_wait_for_lock(const char *directory, unsigned milliseconds, struct lock **ret, int *ret_holder)
{
	const struct timespec step = { .tv_nsec = LOCK_STEP * 1000000L };
	int r = lock_take(directory, ret, ret_holder);

	for (unsigned waited = 0; r == -EAGAIN && waited < milliseconds; waited += LOCK_STEP) {
		(void)nanosleep(&step, NULL);
		r = lock_take(directory, ret, ret_holder);
	}
	return r;
}

const char *cli_run_directory(const struct cli *cli)
{
	return cli->run_directory ? cli->run_directory : "/run/steerd";
}

int cli_take_charge(const struct cli *cli, unsigned milliseconds, struct lock **ret_lock,
		    struct originals **ret_originals)
{
	CLEANUP(free_string) char *above = text_format("%s/run", cli->root ? cli->root : "");
	CLEANUP(free_string) char *standard = text_format("%s/steerd", above);
	const char *directory = cli->run_directory ? cli->run_directory : standard;
	CLEANUP(lock_releasep) struct lock *lock = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int holder = 0, r;

	if (!cli->run_directory && cli->root)
		mkdir(above, 0755); /* a capture has none; what is wrong with it, the lock will say */
	r = cli_wait_for_lock(directory, milliseconds, &lock, &holder);
	if (r == -EAGAIN && trial_is_noted(directory))
		cli_say("what was applied last waits for `steerctl confirm`, or goes back (process %d)", holder);
	else if (r == -EAGAIN && holder > 0)
		cli_say("another steerd or steerctl is writing now (process %d)", holder);
	else if (r == -EAGAIN)
		cli_say("another steerd or steerctl is writing now");
	else if (r < 0)
		cli_say("cannot take the lock in %s: %s%s", directory, strerror(-r),
			geteuid() ? " (changing a machine needs root)" : "");
	if (r < 0)
		return FAILED;
	r = originals_load(directory, ret_originals, &notes);
	log_notes(&notes);
	if (r < 0) {
		cli_say("cannot read the original values in %s: %s", directory, strerror(-r));
		return FAILED;
	}
	*ret_lock = TAKE(lock);
	return DONE;
}

int cli_finish_report(const struct cli *cli, int r, const struct report *report)
{
	if (r < 0) {
		cli_say("nothing could be done: %s", strerror(-r));
		log_notes(&report->notes);
		return FAILED;
	}
	if (cli->given & OPTION_JSON)
		json_report(stdout, report);
	else
		show_report(stdout, report, cli_colour());
	return report_failed(report) || report->plan.refused ? FAILED : DONE;
}

int cli_open_trusted(const struct cli *cli, struct session *ret)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r, status = session_open_host(cli, HOST_WRITABLE, ret);

	if (status != DONE)
		return status;
	r = cli_load_policy(cli, ret->host, &ret->policy, &ret->policy_path, &notes);
	log_notes(&notes);
	return r < 0 ? USAGE : DONE;
}

/* What was not confirmed before its steerctl or steerd was killed goes back first. */
int cli_settle_trial(struct host *host, struct originals *originals)
{
	CLEANUP(report_clear) struct report report = { 0 };
	int r;

	if (!trial_was_cut_off(originals))
		return DONE;
	r = trial_undo(host, originals, &report);
	log_notes(&report.notes);
	if (r < 0)
		cli_say("cannot put back what was applied with --confirm and not confirmed: %s", strerror(-r));
	else
		cli_say("what was applied with --confirm was cut off and not confirmed: %u values put back",
			report.writes);
	return r < 0 ? FAILED : DONE;
}

int cli_apply(const struct cli *cli)
{
	CLEANUP(session_clear) struct session session = { 0 };
	CLEANUP(lock_releasep) struct lock *lock = NULL;
	CLEANUP(originals_freep) struct originals *originals = NULL;
	CLEANUP(report_clear) struct report report = { 0 };
	int status;

	if (cli->given & OPTION_DRY_RUN)
		return cli_plan(cli, NULL);
	status = cli_open_trusted(cli, &session);
	if (status == DONE)
		status = cli_take_charge(cli, 0, &lock, &originals);
	if (status == DONE)
		status = cli_settle_trial(session.host, originals);
	if (status != DONE)
		return status;
	return cli_finish_report(cli, reconcile(session.host, session.policy, originals, NULL, &report), &report);
}

int cli_revert(const struct cli *cli, const struct strings *devices)
{
	CLEANUP(session_clear) struct session session = { 0 };
	CLEANUP(lock_releasep) struct lock *lock = NULL;
	CLEANUP(originals_freep) struct originals *originals = NULL;
	CLEANUP(report_clear) struct report report = { 0 };
	int status = session_open_host(cli, HOST_WRITABLE, &session);

	if (status == DONE)
		status = cli_take_charge(cli, 0, &lock, &originals);
	if (status == DONE)
		status = cli_settle_trial(session.host, originals);
	if (status != DONE)
		return status;
	return cli_finish_report(cli, revert(session.host, originals, devices, &report), &report);
}
