/* The table of options and the reader of command lines. Knows no command. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/log.h>

#include "cli.h"

static const struct option {
	const char *name;
	unsigned bit;
	const char *argument; /* NULL: takes none */
	const char *help;
} options[] = {
	{ "--policy", OPTION_POLICY, "FILE|DIR", "the policy; default /etc/steerd/steerd.ini, else the built-in one" },
	{ "--root", OPTION_ROOT, "DIR", "read a captured machine instead of this one" },
	{ "--json", OPTION_JSON, NULL, "one JSON document instead of text" },
	{ "--exit-code", OPTION_EXIT_CODE, NULL, "exit 3 when something is not as it should be" },
	{ "--confirm", OPTION_CONFIRM, "SECONDS", "go back after so long unless `steerctl confirm` follows" },
	{ "--apply", OPTION_APPLY, NULL, "have fmc load them, once per boot" },
	{ "--clean", OPTION_CLEAN, NULL, "have fmc take out what it has loaded" },
	{ "--once", OPTION_ONCE, NULL, "make the machine match the policy once, then exit" },
	{ "--dry-run", OPTION_DRY_RUN, NULL, "print what would change, change nothing" },
	{ "--check", OPTION_CHECK, NULL, "validate the policy, change nothing" },
	{ "--foreground", OPTION_FOREGROUND, NULL, "stay in the foreground (always so)" },
	{ "--log-level", OPTION_LOG_LEVEL, "LEVEL", "error, warning, info or debug; default info" },
	{ "--run-dir", OPTION_RUN_DIR, "DIR", "where original values and the lock are; default /run/steerd" },
	{ "--revert-on-exit", OPTION_REVERT, NULL, "put the original values back when told to stop" },
	{ "--version", OPTION_VERSION, NULL, "print the version" },
	{ "--help", OPTION_HELP, NULL, "print this help" },
};

void cli_clear(struct cli *cli)
{
	strings_clear(&cli->words);
}

void cli_say(const char *format, ...)
{
	CLEANUP(free_string) char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		abort();
	va_end(arguments);
	log_error("%s: %s", program_invocation_short_name, text);
}

char *cli_hint(const char *word, const char *const *candidates, size_t n)
{
	const char *nearest = text_nearest(word, candidates, n);

	return nearest ? text_format(" (did you mean '%s'?)", nearest) : alloc_string("");
}

static char *option_hint(const char *word, unsigned among)
{
	const char *names[COUNT_OF(options)];
	size_t n = 0;

	for (size_t i = 0; i < COUNT_OF(options); i++)
		if (options[i].bit & among)
			names[n++] = options[i].name;
	return cli_hint(word, names, n);
}

static void keep(struct cli *cli, const struct option *option, const char *value)
{
	cli->given |= option->bit;
	if (option->bit == OPTION_POLICY)
		cli->policy = value;
	else if (option->bit == OPTION_ROOT)
		cli->root = value;
	else if (option->bit == OPTION_RUN_DIR)
		cli->run_directory = value;
	else if (option->bit == OPTION_LOG_LEVEL)
		cli->log_level = value;
	else if (option->bit == OPTION_CONFIRM)
		cli->confirm = value;
}

static const struct option *find(const char *name, unsigned known)
{
	for (size_t i = 0; i < COUNT_OF(options); i++)
		if ((options[i].bit & known) && strcmp(options[i].name, name) == 0)
			return &options[i];
	return NULL;
}

/* One option. *at is moved over the value when that is the next argument. */
static int take_option(char *const *argv, int argc, int *at, unsigned known, struct cli *cli)
{
	const char *equals = strchr(argv[*at], '=');
	CLEANUP(free_string)
	char *name = text_format("%.*s", (int)(equals ? equals - argv[*at] : (long)strlen(argv[*at])), argv[*at]);
	const struct option *option = find(name, known);
	const char *value = equals ? equals + 1 : NULL;

	if (!option) {
		CLEANUP(free_string) char *hint = option_hint(name, known);

		cli_say("unknown option '%s'%s", name, *hint ? hint : "; see --help");
		return USAGE;
	}
	if (!option->argument && value) {
		cli_say("%s takes no value", name);
		return USAGE;
	}
	if (option->argument && !value && *at + 1 < argc)
		value = argv[++*at];
	if (option->argument && (!value || !*value)) {
		cli_say("%s needs a value: %s", name, option->argument);
		return USAGE;
	}
	keep(cli, option, value);
	return DONE;
}

int cli_parse(int argc, char *const *argv, unsigned known, struct cli *ret)
{
	CLEANUP(cli_clear) struct cli cli = { 0 };
	bool options_end = false;

	for (int i = 1; i < argc; i++) {
		if (!options_end && strcmp(argv[i], "--") == 0)
			options_end = true;
		else if (options_end || argv[i][0] != '-')
			strings_add(&cli.words, argv[i]);
		else if (take_option(argv, argc, &i, known, &cli) != DONE)
			return USAGE;
	}
	*ret = cli;
	cli = (struct cli){ 0 };
	return DONE;
}

int cli_allow(const struct cli *cli, unsigned allowed, const char *command)
{
	for (size_t i = 0; i < COUNT_OF(options); i++) {
		if (cli->given & options[i].bit & ~allowed) {
			CLEANUP(free_string) char *hint = option_hint(options[i].name, allowed);

			cli_say("'%s' does not take %s%s; see --help", command, options[i].name, hint);
			return USAGE;
		}
	}
	return DONE;
}

void cli_print_options(FILE *out, unsigned mask)
{
	for (size_t i = 0; i < COUNT_OF(options); i++) {
		CLEANUP(free_string) char *form = NULL;

		if (!(options[i].bit & mask))
			continue;
		form = text_format("%s%s%s", options[i].name, options[i].argument ? " " : "",
				   options[i].argument ? options[i].argument : "");
		fprintf(out, "  %-20s  %s\n", form, options[i].help);
	}
}

int cli_finish(int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno != EPIPE)
		cli_say("cannot write the output: %s", strerror(errno ? errno : EIO));
	return status ? status : FAILED;
}
