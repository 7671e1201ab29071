/* What steerctl does by itself, without a daemon: shows, explains, and applies what goes back unless it is confirmed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/log.h>

#include "cli.h"

enum { CONFIRM_MOST = 10 * 1000 }; /* ms that who waits may take to hear of it */

int cli_show(const struct cli *cli, const struct strings *devices)
{
	CLEANUP(session_clear) struct session session = { 0 };
	struct view view;
	int status = session_look(cli, LOOK_EVERYTHING, devices, &session);

	if (status != DONE)
		return status;
	view = session_view(&session, devices);
	if (cli->given & OPTION_JSON)
		json_machine(stdout, &view);
	else
		show_machine(stdout, &view);
	return (cli->given & OPTION_EXIT_CODE) && look_is_wrong(&session.look, devices) ? DRIFT : DONE;
}

int cli_explain(const struct cli *cli, const struct strings *devices)
{
	CLEANUP(session_clear) struct session session = { 0 };
	struct view view;
	int status = session_look(cli, LOOK_POLICY, devices, &session);

	if (status != DONE)
		return status;
	view = session_view(&session, devices);
	show_explain(stdout, &view);
	return DONE;
}

/* ---- what goes back --------------------------------------------------------------------------------------------- */

/* From here on nobody listens, and the terminal may go. */
static void detach(void)
{
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	fflush(stdout);
	for (int fd = 0; nowhere >= 0 && fd <= 2; fd++)
		dup2(nowhere, fd);
}

static void put_back(struct host *host, struct originals *originals)
{
	CLEANUP(report_clear) struct report report = { 0 };
	int r = trial_undo(host, originals, &report);

	if (r < 0)
		syslog(LOG_ERR, "cannot put back what was not confirmed: %s", strerror(-r));
	else
		syslog(LOG_WARNING, "what was applied was not confirmed: %u values put back", report.writes);
}

/* Puts back what was there before unless it is confirmed. */
static void wait_for_confirmation(struct host *host, struct originals *originals, unsigned seconds)
{
	if (trial_wait(originals, seconds) == 1)
		(void)trial_keep(originals);
	else
		put_back(host, originals);
}

static int try(const struct cli *cli, unsigned seconds, int tell)
{
	CLEANUP(session_clear) struct session session = { 0 };
	CLEANUP(lock_releasep) struct lock *lock = NULL;
	CLEANUP(originals_freep) struct originals *originals = NULL;
	CLEANUP(report_clear) struct report report = { 0 };
	unsigned char status = (unsigned char)cli_open_trusted(cli, &session);
	int r;

	if (status == DONE)
		status = (unsigned char)cli_take_charge(cli, 0, &lock, &originals);
	if (status == DONE)
		status = (unsigned char)cli_settle_trial(session.host, originals);
	if (status != DONE)
		return status;
	if ((r = trial_begin(originals)) < 0) {
		cli_say("cannot note what there is in %s: %s", cli_run_directory(cli), strerror(-r));
		return FAILED;
	}
	r = reconcile(session.host, session.policy, originals, NULL, &report);
	status = (unsigned char)cli_finish_report(cli, r, &report);
	if (r < 0) {
		put_back(session.host, originals);
		return status;
	}
	detach();
	(void)!write(tell, &status, 1);
	close(tell);
	wait_for_confirmation(session.host, originals, seconds);
	return status;
}

/* A process of its own, which neither the terminal nor who started it takes along when they go. */
static void stay_behind(void)
{
	sigset_t set;

	setsid();
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	openlog("steerctl", LOG_PID, LOG_DAEMON);
}

int cli_try(const struct cli *cli, unsigned seconds)
{
	unsigned char told = FAILED;
	int ends[2], status;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0 || (child = fork()) < 0) {
		cli_say("cannot start the process that waits for `steerctl confirm`: %s", strerror(errno));
		return FAILED;
	}
	if (child == 0) {
		close(ends[0]);
		stay_behind();
		exit(cli_finish(try(cli, seconds, ends[1])));
	}
	close(ends[1]);
	if (read(ends[0], &told, 1) == 1) {
		fprintf(stderr, "steerctl: this goes back in %u s unless `steerctl confirm` follows\n", seconds);
		status = told;
	} else {
		status = waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
	}
	close(ends[0]);
	return status;
}

/* Who waited may have been killed; then it is confirmed here. */
static int keep(const char *directory)
{
	CLEANUP(originals_freep) struct originals *originals = NULL;
	CLEANUP(lock_releasep) struct lock *lock = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int holder = 0, r = cli_wait_for_lock(directory, CONFIRM_MOST, &lock, &holder);

	if (r == 0)
		r = originals_load(directory, &originals, &notes);
	if (r == 0 && trial_was_cut_off(originals))
		r = trial_keep(originals);
	if (r == 0)
		return DONE;
	cli_say("cannot be sure that it is confirmed: %s", strerror(-r));
	return FAILED;
}

int cli_confirm(const struct cli *cli)
{
	const char *directory = cli_run_directory(cli);
	int r = trial_confirm(directory);

	if (r == 0)
		return keep(directory);
	if (r == -ENOENT)
		cli_say("nothing waits to be confirmed");
	else if (r == -EEXIST)
		cli_say("too late: it goes back, or is confirmed already");
	else
		cli_say("cannot confirm: %s", strerror(-r));
	return FAILED;
}
