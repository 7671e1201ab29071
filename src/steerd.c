/* steerd: keeps a machine as its policy says. Option handling and wiring only. */
#include <locale.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/control.h>
#include <steer/log.h>
#include <steer/notify.h>

#include "cli.h"

enum {
	OPTIONS = OPTION_POLICY | OPTION_ROOT | OPTION_ONCE | OPTION_DRY_RUN | OPTION_CHECK | OPTION_FOREGROUND |
		  OPTION_LOG_LEVEL | OPTION_RUN_DIR | OPTION_REVERT | OPTION_VERSION | OPTION_HELP,
	PATIENCE = 3000, /* ms for another writer to end */
};

static int help(void)
{
	puts("usage: steerd [--once] [--policy FILE|DIR] [OPTION...]\n"
	     "\n"
	     "Puts every packet queue of this machine where the policy says, and keeps it there. See steerd(8).\n"
	     "\n"
	     "options:");
	cli_print_options(stdout, OPTIONS);
	return DONE;
}

/* ---- the daemon ------------------------------------------------------------------------------------------------- */

struct source { /* where its policy comes from */
	const struct cli *cli;
	const struct host *host;
	bool refused; /* the last time */
};

static int load(void *context, struct policy **ret, struct notes *notes)
{
	struct source *source = context;
	CLEANUP(free_string) char *path = NULL;
	int r = cli_load_policy(source->cli, source->host, ret, &path, notes);

	source->refused = r < 0;
	return r;
}

static int give_back(struct host *host, struct originals *originals)
{
	CLEANUP(report_clear) struct report report = { 0 };
	int r = revert(host, originals, NULL, &report);

	log_notes(&report.notes);
	if (r < 0)
		cli_say("cannot put the original values back: %s", strerror(-r));
	else
		log_info("put %u original values back", report.writes);
	return r < 0 || report_failed(&report) ? FAILED : DONE;
}

/* A daemon that nobody can ask is better than none. */
static void listen_to_clients(const struct control_setup *setup, struct control **ret)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r = control_open(setup, ret, &notes);

	log_notes(&notes);
	if (r < 0)
		log_error("cannot listen on %s/" CONTROL_SOCKET ": %s; steerctl cannot ask this steerd",
			  setup->run_directory, strerror(-r));
}

static int serve(struct loop *loop, const struct daemon_setup *setup, const char *run_directory)
{
	CLEANUP(service_closep) struct service *service = NULL;
	CLEANUP(daemon_closep) struct daemon *daemon = NULL;
	CLEANUP(control_closep) struct control *control = NULL;
	int r = service_open(loop, &service);

	if (r == 0)
		r = daemon_open(setup, &daemon);
	if (r == 0)
		listen_to_clients(&(struct control_setup){ loop, daemon, run_directory }, &control);
	if (r == 0)
		r = service_ready(service, daemon);
	if (r == 0)
		r = loop_run(loop);
	return r;
}

static int run_daemon(const struct cli *cli)
{
	CLEANUP(loop_freep) struct loop *loop = NULL;
	CLEANUP(session_clear) struct session session = { 0 };
	CLEANUP(lock_releasep) struct lock *lock = NULL;
	CLEANUP(originals_freep) struct originals *originals = NULL;
	struct source source = { .cli = cli };
	int r, status;

	if (cli->given & OPTION_ROOT) {
		cli_say("a captured machine does not change by itself: use --once or --dry-run with --root");
		return USAGE;
	}
	status = session_open_host(cli, HOST_WRITABLE, &session);
	if (status == DONE)
		status = cli_take_charge(cli, PATIENCE, &lock, &originals);
	if (status != DONE)
		return status;
	source.host = session.host;
	r = loop_new(&loop);
	if (r == 0)
		r = serve(loop,
			  &(struct daemon_setup){ .loop = loop,
						  .host = session.host,
						  .originals = originals,
						  .load = load,
						  .context = &source },
			  cli_run_directory(cli));
	if (r < 0 && source.refused)
		return USAGE;
	if (r < 0) {
		cli_say("cannot run: %s", strerror(-r));
		return FAILED;
	}
	return cli->given & OPTION_REVERT ? give_back(session.host, originals) : DONE;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

static int run(const struct cli *cli)
{
	enum log_level level = LOG_LEVEL_INFO;

	if (cli->given & OPTION_HELP)
		return help();
	if (cli->given & OPTION_VERSION)
		return puts("steerd " STEER_VERSION) < 0 ? FAILED : DONE;
	if (cli->words.n) {
		cli_say("unexpected argument '%s'; see --help", cli->words.items[0]);
		return USAGE;
	}
	if (cli->log_level && log_level_parse(cli->log_level, &level) < 0) {
		cli_say("--log-level is error, warning, info or debug, not '%s'", cli->log_level);
		return USAGE;
	}
	log_set_level(level);
	if ((cli->given & OPTION_REVERT) && (cli->given & (OPTION_ONCE | OPTION_DRY_RUN | OPTION_CHECK))) {
		cli_say("--revert-on-exit is for a steerd that stays");
		return USAGE;
	}
	if (cli->given & OPTION_CHECK)
		return cli_check_policy(cli);
	if (cli->given & (OPTION_ONCE | OPTION_DRY_RUN))
		return cli_apply(cli);
	return run_daemon(cli);
}

int main(int argc, char **argv)
{
	CLEANUP(cli_clear) struct cli cli = { 0 };
	int status;

	setlocale(LC_CTYPE, "");
	status = cli_parse(argc, argv, OPTIONS, &cli);
	return cli_finish(status == DONE ? run(&cli) : status);
}
