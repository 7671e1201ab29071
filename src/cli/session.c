/* From the command line to host, policy, machine and plan. Only reads; says what is wrong and answers by exit
 * statuses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/log.h>

#include "cli.h"

void session_clear(struct session *session)
{
	look_clear(&session->look);
	policy_free(session->policy);
	free(session->policy_path);
	host_close(session->host);
	*session = (struct session){ 0 };
}

int session_open_host(const struct cli *cli, enum host_mode mode, struct session *ret)
{
	const char *root = cli->root ? cli->root : "/";
	CLEANUP(free_string) char *problem = NULL;
	int r = host_open(root, mode, &ret->host, &problem);

	if (r < 0) {
		cli_say("cannot read %s: %s", root, problem ? problem : strerror(-r));
		return FAILED;
	}
	return DONE;
}

/* ---- the policy ------------------------------------------------------------------------------------------------- */

/* The policy that the command line means, and its path; NULL: the built-in one. */
static int find_policy(const struct cli *cli, struct policy **ret, char **ret_path, struct notes *notes)
{
	CLEANUP(free_string) char *standard = NULL;
	CLEANUP(notes_clear) struct notes own = { 0 };
	const char *path = cli->policy;
	int r;

	if (!path)
		path = standard = text_format("%s/etc/steerd/steerd.ini", cli->root ? cli->root : "");
	r = policy_load(path, ret, &own);
	if (r == -ENOENT && !cli->policy)
		return policy_builtin(ret);
	if (r < 0 && !notes_have(&own, NOTE_ERROR))
		notes_add(&own, NOTE_ERROR, path, "cannot be read: %s", strerror(-r));
	notes_move(notes, &own);
	*ret_path = alloc_string(path);
	return r;
}

/* A policy that others may write decides nothing on a machine that root steers. */
static int check_trust(const struct host *host, const char *path, struct notes *notes)
{
	int r;

	if (!path || !host_is_live(host) || geteuid() != 0)
		return 0;
	r = policy_trusted(path, notes);
	if (r < 0 && !notes_have(notes, NOTE_ERROR))
		notes_add(notes, NOTE_ERROR, path, "cannot be looked at: %s", strerror(-r));
	return r;
}

int cli_load_policy(const struct cli *cli, const struct host *host, struct policy **ret, char **ret_path,
		    struct notes *notes)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(free_string) char *path = NULL;
	int r = find_policy(cli, &policy, &path, notes);

	if (r == 0)
		r = check_trust(host, path, notes);
	if (r < 0)
		return r;
	*ret = TAKE(policy);
	*ret_path = TAKE(path);
	return 0;
}

static int load_policy(const struct cli *cli, struct session *ret)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r = find_policy(cli, &ret->policy, &ret->policy_path, &notes);

	log_notes(&notes);
	return r < 0 ? USAGE : DONE;
}

int session_open(const struct cli *cli, struct session *ret)
{
	int status = session_open_host(cli, HOST_READ_ONLY, ret);

	return status == DONE ? load_policy(cli, ret) : status;
}

/* Interfaces named on the command line must be there. */
static int check_devices(const struct look *look, const struct strings *devices)
{
	int status = DONE;

	for (size_t i = 0; devices && i < devices->n; i++) {
		if (!machine_nic(&look->machine, devices->items[i])) {
			CLEANUP(free_string) char *hint = look_hint(look, devices->items[i]);

			cli_say("no device '%s'%s", devices->items[i], hint);
			status = FAILED;
		}
	}
	return status;
}

int session_look(const struct cli *cli, enum look_depth depth, const struct strings *devices, struct session *ret)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r, status = session_open(cli, ret);

	if (status != DONE)
		return status;
	r = look_at(ret->host, ret->policy, NULL, depth, &ret->look, &notes);
	log_notes(&notes);
	if (r < 0) {
		cli_say("cannot read %s: %s", host_root(ret->host),
			r == -ENOENT ? "there is no /sys and no /proc in it" : strerror(-r));
		return FAILED;
	}
	return check_devices(&ret->look, devices);
}

unsigned cli_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool cli_colour(void)
{
	const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0;
}

struct view session_view(const struct session *session, const struct strings *devices)
{
	return (struct view){ .machine = &session->look.machine,
			      .policy = session->policy,
			      .plan = &session->look.plan,
			      .findings = &session->look.findings,
			      .devices = devices,
			      .colour = cli_colour(),
			      .width = cli_width() };
}
