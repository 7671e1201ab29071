/* From the command line to host, policy, machine and plan. Only reads; says what is wrong and answers by exit
 * statuses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/log.h>
#include <steer/observe.h>

#include "cli.h"

void session_clear(struct session *session)
{
	findings_clear(&session->findings);
	plan_clear(&session->plan);
	machine_clear(&session->machine);
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

static int load(const char *path, bool must_be, struct session *ret)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r = policy_load(path, &ret->policy, &notes);

	if (r == -ENOENT && !must_be)
		return -ENOENT;
	log_notes(&notes);
	if (r < 0 && !notes_have(&notes, NOTE_ERROR))
		cli_say("cannot read the policy %s: %s", path, strerror(-r));
	ret->policy_path = alloc_string(path);
	return r < 0 ? USAGE : DONE;
}

static int load_policy(const struct cli *cli, struct session *ret)
{
	CLEANUP(free_string) char *standard = NULL;
	int r;

	if (cli->policy)
		return load(cli->policy, true, ret);
	standard = text_format("%s/etc/steerd/steerd.ini", cli->root ? cli->root : "");
	r = load(standard, false, ret);
	if (r != -ENOENT)
		return r;
	if (policy_builtin(&ret->policy) < 0) {
		cli_say("the built-in policy is not valid");
		return FAILED;
	}
	return DONE;
}

int session_open(const struct cli *cli, enum host_mode mode, struct session *ret)
{
	int status = session_open_host(cli, mode, ret);

	return status == DONE ? load_policy(cli, ret) : status;
}

/* Interfaces named on the command line must be there. */
static int check_devices(const struct machine *machine, const struct strings *devices)
{
	const char **names = alloc_zero(machine->nnics, sizeof *names);
	int status = DONE;

	for (size_t i = 0; i < machine->nnics; i++)
		names[i] = machine->nics[i].name;
	for (size_t i = 0; devices && i < devices->n; i++) {
		if (!machine_nic(machine, devices->items[i])) {
			CLEANUP(free_string) char *hint = cli_hint(devices->items[i], names, machine->nnics);

			cli_say("no device '%s'%s", devices->items[i], hint);
			status = FAILED;
		}
	}
	free(names);
	return status;
}

int session_look(struct session *session, enum look look, const struct strings *devices)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(strings_clear) struct strings sysctls = { 0 };
	struct observe_scope scope = { .sysctls = &sysctls };
	int r;

	if (look == LOOK_POLICY) {
		scope.details = policy_details;
		scope.context = session->policy;
	} else {
		strings_add(&sysctls, "net.ipv4.ip_forward"); /* for the finding lro-forwarding */
	}
	for (size_t i = 0; i < session->policy->nsysctls; i++)
		strings_add(&sysctls, session->policy->sysctls[i].name);
	r = observe(session->host, &scope, &session->machine, &notes);
	log_notes(&notes);
	if (r < 0) {
		cli_say("cannot read %s: %s", host_root(session->host),
			r == -ENOENT ? "there is no /sys and no /proc in it" : strerror(-r));
		return FAILED;
	}
	if (check_devices(&session->machine, devices) != DONE)
		return FAILED;
	plan_make(&session->machine, session->policy, NULL, &session->plan);
	findings_make(&session->machine, session->policy, &session->plan, &session->findings);
	return DONE;
}

/* Columns of the terminal that standard output is; 0 when it is none. */
static unsigned terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static bool wants_colour(void)
{
	const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0;
}

struct view session_view(const struct session *session, const struct strings *devices)
{
	return (struct view){ .machine = &session->machine,
			      .policy = session->policy,
			      .plan = &session->plan,
			      .findings = &session->findings,
			      .devices = devices,
			      .colour = wants_colour(),
			      .width = terminal_width() };
}
