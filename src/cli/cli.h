/* What the two programs share: the table of options, loading host and policy, applying, and the last words. Prints
 * errors on standard error and answers by exit statuses; decides nothing about the machine. */
#pragma once

#include <stdio.h>

#include <steer/show.h>

enum { /* exit statuses, steerctl(8) EXIT STATUS */
       DONE = 0,
       FAILED = 1,
       USAGE = 2,
       DRIFT = 3,
};

enum { /* options, bits */
       OPTION_POLICY = 1 << 0,
       OPTION_ROOT = 1 << 1,
       OPTION_JSON = 1 << 2,
       OPTION_EXIT_CODE = 1 << 3,
       OPTION_DRY_RUN = 1 << 4,
       OPTION_ONCE = 1 << 5,
       OPTION_CHECK = 1 << 6,
       OPTION_FOREGROUND = 1 << 7,
       OPTION_LOG_LEVEL = 1 << 8,
       OPTION_RUN_DIR = 1 << 9,
       OPTION_VERSION = 1 << 10,
       OPTION_HELP = 1 << 11,
       OPTION_REVERT = 1 << 12,
       OPTION_CONFIRM = 1 << 13,
       OPTION_APPLY = 1 << 14,
       OPTION_CLEAN = 1 << 15,
};

struct cli {
	unsigned given; /* bits of the options that were there */
	const char *policy, *root, *run_directory, *log_level, *confirm;
	struct strings words; /* everything that is no option */
};

void cli_clear(struct cli *cli); /* for CLEANUP */

/* Reads the command line; options may stand anywhere, "--" ends them. What is wrong is said. USAGE then, else DONE. */
int cli_parse(int argc, char *const *argv, unsigned known, struct cli *ret);

/* Refuses options that a command does not take. */
int cli_allow(const struct cli *cli, unsigned allowed, const char *command);

void cli_print_options(FILE *out, unsigned options); /* one line each, for --help */

/* "PROGRAM: text" as an error. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* " (did you mean 'word'?)" or "". Caller frees. */
char *cli_hint(const char *word, const char *const *candidates, size_t n);

/* Flushes standard output. A reader that went away is nobody to complain to; a full disk is a failure. */
int cli_finish(int status);

/* ---- the way from the command line to a plan -------------------------------------------------------------------- */

struct session {
	struct host *host;
	struct policy *policy;
	char *policy_path; /* NULL: the built-in one */
	struct look look;
};

void session_clear(struct session *session); /* for CLEANUP */

/* Opens the root and loads the policy: --policy, else /etc/steerd/steerd.ini below the root, else the built-in one. */
int session_open(const struct cli *cli, struct session *ret);
int session_open_host(const struct cli *cli, enum host_mode mode, struct session *ret); /* the first half of it */

/* Loads that policy alone, at any time; on the live machine it must be trustworthy. What is wrong is in notes, also
 * when nothing else is: -errno then. *ret_path: NULL for the built-in one; the caller frees it. */
int cli_load_policy(const struct cli *cli, const struct host *host, struct policy **ret, char **ret_path,
		    struct notes *notes);

const char *cli_run_directory(const struct cli *cli); /* --run-dir or the standard one, of this machine */

/* Takes the lock, waiting at most so long for another writer, and reads the original values; both or none. */
int cli_take_charge(const struct cli *cli, unsigned milliseconds, struct lock **ret_lock,
		    struct originals **ret_originals);

/* Opens it, observes, plans and finds. The devices (may be none) must exist. */
int session_look(const struct cli *cli, enum look_depth depth, const struct strings *devices, struct session *ret);

unsigned cli_width(void); /* columns of the terminal that standard output is; 0 when it is none */
bool cli_colour(void);    /* whether it is to be coloured */

/* A view of it for standard output. */
struct view session_view(const struct session *session, const struct strings *devices);

/* ---- what both programs do -------------------------------------------------------------------------------------- */

int cli_check(const struct strings *files);                         /* validates policies */
int cli_check_policy(const struct cli *cli);                        /* the one that would be used */
int cli_plan(const struct cli *cli, const struct strings *devices); /* prints what would change */
int cli_apply(const struct cli *cli);                               /* one reconciliation */
int cli_revert(const struct cli *cli, const struct strings *devices);

/* ---- what steerctl does alone ----------------------------------------------------------------------------------- */

int cli_show(const struct cli *cli, const struct strings *devices);
int cli_explain(const struct cli *cli, const struct strings *devices);
int cli_try(const struct cli *cli, unsigned seconds); /* cli_apply, which goes back unless it is confirmed */
int cli_confirm(const struct cli *cli);
int cli_fmc(const struct cli *cli); /* prints, loads or takes out the rules of [fmc] */

/* Of cli_apply and cli_try: host and policy, to write. Applying: prints what was done. */
int cli_open_trusted(const struct cli *cli, struct session *ret);
int cli_finish_report(const struct cli *cli, int r, const struct report *report);
int cli_wait_for_lock(const char *directory, unsigned milliseconds, struct lock **ret, int *ret_holder);
int cli_settle_trial(struct host *host, struct originals *originals); /* one that was cut off goes back */

/* ---- what steerctl asks the daemon ------------------------------------------------------------------------------ */

struct client;
struct json_t;

struct remote { /* a running daemon that means the machine and the policy that the command line means */
	struct client *client;
	struct json_t *status; /* its answer to Status */
};

enum remote_need {
	REMOTE_READ,  /* without a daemon, or one that does not answer, steerctl looks itself */
	REMOTE_WRITE, /* a daemon that runs must be the one that writes */
	REMOTE_MUST,  /* there has to be one */
};

void remote_clear(struct remote *remote); /* for CLEANUP */

/* DONE with remote->client NULL: no daemon is to be asked. FAILED, said. */
int remote_open(const struct cli *cli, enum remote_need need, struct remote *ret);

int remote_show(const struct cli *cli, struct remote *remote, const struct strings *devices);
int remote_plan(const struct cli *cli, struct remote *remote, const struct strings *devices);
int remote_explain(const struct cli *cli, struct remote *remote, const struct strings *devices);
int remote_apply(const struct cli *cli, struct remote *remote, unsigned confirm); /* 0: without */
int remote_revert(const struct cli *cli, struct remote *remote, const struct strings *devices);
int remote_confirm(struct remote *remote);
int remote_reload(struct remote *remote);
int remote_status(const struct cli *cli, struct remote *remote);
int remote_watch(const struct cli *cli, struct remote *remote);
