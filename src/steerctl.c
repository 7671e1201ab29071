/* steerctl: shows, plans, applies and explains. The table of commands and their wiring; decides nothing itself. */
#include <limits.h>
#include <locale.h>
#include <string.h>

#include <steer/capture.h>
#include <steer/cleanup.h>
#include <steer/log.h>

#include "cli.h"

struct command {
	const char *name;
	int (*run)(const struct cli *cli, const struct strings *arguments);
	const char *arguments; /* as the help prints them */
	const char *help;
	unsigned least, most; /* arguments */
	unsigned options;
};

enum { ANY_NUMBER = INT_MAX, EVERYWHERE = OPTION_HELP | OPTION_VERSION };

/* Asks the daemon if one runs that means the same, and does it alone otherwise. */
static int ask_or_do(const struct cli *cli, const struct strings *devices,
		     int (*ask)(const struct cli *cli, struct remote *remote, const struct strings *devices),
		     int (*alone)(const struct cli *cli, const struct strings *devices), enum remote_need need)
{
	CLEANUP(remote_clear) struct remote remote = { 0 };
	int status = remote_open(cli, need, &remote);

	if (status != DONE)
		return status;
	return remote.client ? ask(cli, &remote, devices) : alone(cli, devices);
}

static int run_show(const struct cli *cli, const struct strings *devices)
{
	return ask_or_do(cli, devices, remote_show, cli_show, REMOTE_READ);
}

static int run_plan(const struct cli *cli, const struct strings *devices)
{
	return ask_or_do(cli, devices, remote_plan, cli_plan, REMOTE_READ);
}

static int run_explain(const struct cli *cli, const struct strings *devices)
{
	return ask_or_do(cli, devices, remote_explain, cli_explain, REMOTE_READ);
}

static int run_revert(const struct cli *cli, const struct strings *devices)
{
	return ask_or_do(cli, devices, remote_revert, cli_revert, REMOTE_WRITE);
}

static int read_confirm(const struct cli *cli, unsigned *ret)
{
	if (!cli->confirm)
		return DONE;
	if (text_u32(cli->confirm, ret) < 0 || *ret < 1 || *ret > TRIAL_MOST) {
		cli_say("--confirm is a number of seconds from 1 to %d, not '%s'", TRIAL_MOST, cli->confirm);
		return USAGE;
	}
	if (cli->given & (OPTION_ROOT | OPTION_DRY_RUN)) {
		cli_say("--confirm is for applying to this machine");
		return USAGE;
	}
	return DONE;
}

static int run_apply(const struct cli *cli, const struct strings *arguments)
{
	CLEANUP(remote_clear) struct remote remote = { 0 };
	unsigned confirm = 0;
	int status = read_confirm(cli, &confirm);

	if (status != DONE)
		return status;
	if (cli->given & OPTION_DRY_RUN)
		return run_plan(cli, arguments);
	status = remote_open(cli, REMOTE_WRITE, &remote);
	if (status != DONE)
		return status;
	if (remote.client)
		return remote_apply(cli, &remote, confirm);
	return confirm ? cli_try(cli, confirm) : cli_apply(cli);
}

static int run_confirm(const struct cli *cli, const struct strings *arguments)
{
	CLEANUP(remote_clear) struct remote remote = { 0 };
	int status = remote_open(cli, REMOTE_WRITE, &remote);

	(void)arguments;
	if (status != DONE)
		return status;
	return remote.client ? remote_confirm(&remote) : cli_confirm(cli);
}

static int run_status(const struct cli *cli, const struct strings *arguments)
{
	CLEANUP(remote_clear) struct remote remote = { 0 };
	int status = remote_open(cli, REMOTE_MUST, &remote);

	(void)arguments;
	return status == DONE ? remote_status(cli, &remote) : status;
}

static int run_reload(const struct cli *cli, const struct strings *arguments)
{
	CLEANUP(remote_clear) struct remote remote = { 0 };
	int status = remote_open(cli, REMOTE_MUST, &remote);

	(void)arguments;
	return status == DONE ? remote_reload(&remote) : status;
}

static int run_watch(const struct cli *cli, const struct strings *arguments)
{
	CLEANUP(remote_clear) struct remote remote = { 0 };
	int status = remote_open(cli, REMOTE_MUST, &remote);

	(void)arguments;
	return status == DONE ? remote_watch(cli, &remote) : status;
}

static int run_check(const struct cli *cli, const struct strings *files)
{
	(void)cli;
	return cli_check(files);
}

static int run_capture(const struct cli *cli, const struct strings *directory)
{
	CLEANUP(session_clear) struct session session = { 0 };
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r, status = session_open_host(cli, HOST_READ_ONLY, &session);

	if (status != DONE)
		return status;
	r = capture(session.host, directory->items[0], &notes);
	log_notes(&notes);
	if (r == 0)
		return DONE;
	cli_say("cannot save to %s: %s", directory->items[0], strerror(-r));
	return FAILED;
}

static int run_fmc(const struct cli *cli, const struct strings *arguments)
{
	(void)arguments;
	return cli_fmc(cli);
}

static int run_help(const struct cli *cli, const struct strings *command);

static int run_version(const struct cli *cli, const struct strings *arguments)
{
	(void)cli;
	(void)arguments;
	return puts("steerctl " STEER_VERSION) < 0 ? FAILED : DONE;
}

static const struct command commands[] = {
	{ "show", run_show, "[IFACE...]", "what is, and what is wrong with it (the default)", 0, ANY_NUMBER,
	  OPTION_POLICY | OPTION_ROOT | OPTION_JSON | OPTION_EXIT_CODE },
	{ "plan", run_plan, "[IFACE...]", "what would change, and why; changes nothing", 0, ANY_NUMBER,
	  OPTION_POLICY | OPTION_ROOT | OPTION_JSON | OPTION_EXIT_CODE },
	{ "apply", run_apply, "", "make the machine match the policy, once", 0, 0,
	  OPTION_POLICY | OPTION_ROOT | OPTION_JSON | OPTION_DRY_RUN | OPTION_RUN_DIR | OPTION_CONFIRM },
	{ "confirm", run_confirm, "", "keep what was applied with --confirm", 0, 0, OPTION_RUN_DIR },
	{ "check", run_check, "FILE...", "validate policies", 1, ANY_NUMBER, 0 },
	{ "explain", run_explain, "IFACE", "which section matched, what each key became, and why", 1, 1,
	  OPTION_POLICY | OPTION_ROOT },
	{ "revert", run_revert, "[IFACE...]", "put back the values found before steerd", 0, ANY_NUMBER,
	  OPTION_ROOT | OPTION_JSON | OPTION_RUN_DIR },
	{ "status", run_status, "", "how the running steerd stands", 0, 0, OPTION_JSON | OPTION_RUN_DIR },
	{ "reload", run_reload, "", "have the running steerd load its policy anew", 0, 0, OPTION_RUN_DIR },
	{ "watch", run_watch, "", "print what the running steerd hears and does", 0, 0, OPTION_JSON | OPTION_RUN_DIR },
	{ "fmc", run_fmc, "", "the rules that [fmc] makes for NXP's Frame Manager", 0, 0,
	  OPTION_POLICY | OPTION_ROOT | OPTION_APPLY | OPTION_CLEAN },
	{ "capture", run_capture, "DIR", "save this machine for replay with --root", 1, 1, OPTION_ROOT },
	{ "help", run_help, "[COMMAND]", "print this help, or that of a command", 0, 1, 0 },
	{ "version", run_version, "", "print the version", 0, 0, 0 },
};

static const struct command *find_command(const char *name)
{
	static const char *const later[] = { "top", "sweep" };
	const char *names[COUNT_OF(commands)];
	CLEANUP(free_string) char *hint = NULL;

	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
		names[i] = commands[i].name;
	}
	for (size_t i = 0; i < COUNT_OF(later); i++) {
		if (strcmp(later[i], name) == 0) {
			cli_say("'%s' is not available in this version", name);
			return NULL;
		}
	}
	hint = cli_hint(name, names, COUNT_OF(names));
	cli_say("unknown command '%s'%s", name, *hint ? hint : "; see --help");
	return NULL;
}

static unsigned all_options(void)
{
	unsigned options = EVERYWHERE;

	for (size_t i = 0; i < COUNT_OF(commands); i++)
		options |= commands[i].options;
	return options;
}

static int help_on(const struct command *command)
{
	printf("usage: steerctl %s %s%s[OPTION...]\n\n%s\n\noptions:\n", command->name, command->arguments,
	       *command->arguments ? " " : "", command->help);
	cli_print_options(stdout, command->options | EVERYWHERE);
	return DONE;
}

static int run_help(const struct cli *cli, const struct strings *words)
{
	const struct command *command = words->n ? find_command(words->items[0]) : NULL;

	(void)cli;
	if (words->n)
		return command ? help_on(command) : USAGE;
	puts("usage: steerctl [COMMAND] [ARGUMENT...] [OPTION...]\n"
	     "\n"
	     "commands:");
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		CLEANUP(free_string) char *form = text_format("%s %s", commands[i].name, commands[i].arguments);

		printf("  %-20s  %s\n", form, commands[i].help);
	}
	puts("\noptions, where a command takes them (steerctl help COMMAND):");
	cli_print_options(stdout, all_options());
	return DONE;
}

static int run(const struct cli *cli)
{
	const struct command *command = cli->words.n ? find_command(cli->words.items[0]) : &commands[0];
	struct strings arguments =
		cli->words.n ? (struct strings){ cli->words.items + 1, cli->words.n - 1 } : cli->words;

	if (!command)
		return USAGE;
	if (cli->given & OPTION_VERSION)
		return run_version(cli, &arguments);
	if (cli->given & OPTION_HELP)
		return cli->words.n ? help_on(command) : run_help(cli, &arguments);
	if (cli_allow(cli, command->options | EVERYWHERE, command->name) != DONE)
		return USAGE;
	if (arguments.n < command->least || arguments.n > command->most) {
		cli_say("usage: steerctl %s %s", command->name, command->arguments);
		return USAGE;
	}
	return command->run(cli, &arguments);
}

int main(int argc, char **argv)
{
	CLEANUP(cli_clear) struct cli cli = { 0 };
	int status;

	setlocale(LC_CTYPE, "");
	log_set_level(LOG_LEVEL_WARNING);
	status = cli_parse(argc, argv, all_options(), &cli);
	return cli_finish(status == DONE ? run(&cli) : status);
}
