/* steerd: keeps a machine as its policy says. Option handling and wiring only. */
#include <locale.h>

#include <steer/cleanup.h>
#include <steer/log.h>

#include "cli.h"

enum {
	OPTIONS = OPTION_POLICY | OPTION_ROOT | OPTION_ONCE | OPTION_DRY_RUN | OPTION_CHECK | OPTION_FOREGROUND |
		  OPTION_LOG_LEVEL | OPTION_RUN_DIR | OPTION_VERSION | OPTION_HELP,
};

static int help(void)
{
	puts("usage: steerd --once [--policy FILE|DIR] [OPTION...]\n"
	     "\n"
	     "Puts every packet queue of this machine where the policy says. See steerd(8).\n"
	     "\n"
	     "options:");
	cli_print_options(stdout, OPTIONS);
	return DONE;
}

static int run_daemon(const struct cli *cli)
{
	(void)cli;
	cli_say("steerd runs once only in this version: use --once");
	return USAGE;
}

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
