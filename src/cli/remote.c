/* Finds the daemon that runs, decides whether it is to be asked, and says what it refuses. Knows no command. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <steer/cleanup.h>
#include <steer/log.h>

#include "remote.h"

enum { /* ms that a daemon may take to say how it goes: while it makes a pass it hears nobody */
       READ_MOST = 10 * 1000,
       WRITE_MOST = 120 * 1000,
};

void remote_clear(struct remote *remote)
{
	client_close(remote->client);
	json_decref(remote->status);
	*remote = (struct remote){ 0 };
}

/* ---- whether it is the one -------------------------------------------------------------------------------------- */

/* Its devices are ours only in one network namespace. */
static bool is_here(json_t *status)
{
	const char *theirs = json_string_value(json_object_get(status, "network"));
	char ours[64];
	ssize_t length = readlink("/proc/self/ns/net", ours, sizeof ours - 1);

	if (length < 0 || !theirs)
		return true;
	ours[length] = '\0';
	return strcmp(ours, theirs) == 0;
}

static bool is_its_policy(const struct cli *cli, json_t *status)
{
	CLEANUP(free_string) char *meant = cli->policy ? realpath(cli->policy, NULL) : NULL;

	return !cli->policy || text_equal(meant, json_string_value(json_object_get(status, "policy_file")));
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static int ask_status(struct client *client, enum remote_need need, json_t **ret)
{
	CLEANUP(reply_clear) struct reply reply = { 0 };
	int r = client_call(client, "io.steerd.Status", NULL, false);

	if (r == 0)
		r = client_reply(client, need == REMOTE_READ ? READ_MOST : WRITE_MOST, &reply);
	if (r == 0 && reply.error)
		r = -EPROTO;
	if (r == 0)
		*ret = json_incref(reply.parameters);
	return r;
}

static int no_daemon(const char *path, enum remote_need need, int error)
{
	bool absent = error == -ENOENT || error == -ECONNREFUSED;

	if (need == REMOTE_READ || (need == REMOTE_WRITE && absent)) {
		if (!absent && error != -EACCES)
			log_warning("steerd does not answer (%s): looking without it", strerror(-error));
		return DONE;
	}
	if (absent)
		cli_say("steerd does not run (nobody listens on %s)", path);
	else if (error == -EACCES)
		cli_say("%s: only root, and members of the group steerd to look, may ask steerd", path);
	else
		cli_say("steerd does not answer on %s: %s", path, strerror(-error));
	return FAILED;
}

static int other_policy(json_t *status)
{
	cli_say("steerd runs with policy %s, and it alone changes this machine: put yours there, or stop steerd "
		"(process "
		"%d)",
		json_string_value(json_object_get(status, "policy")),
		(int)json_integer_value(json_object_get(status, "process")));
	return FAILED;
}

int remote_open(const struct cli *cli, enum remote_need need, struct remote *ret)
{
	CLEANUP(free_string) char *path = text_format("%s/io.steerd", cli_run_directory(cli));
	CLEANUP(remote_clear) struct remote remote = { 0 };
	int r;

	if (cli->given & OPTION_ROOT)
		return DONE;
	r = client_open(path, &remote.client);
	if (r == 0)
		r = ask_status(remote.client, need, &remote.status);
	if (r < 0)
		return no_daemon(path, need, r);
	if (need != REMOTE_MUST && !is_here(remote.status))
		return DONE;
	if (need != REMOTE_MUST && !is_its_policy(cli, remote.status))
		return need == REMOTE_READ ? DONE : other_policy(remote.status);
	*ret = remote;
	remote = (struct remote){ 0 };
	return DONE;
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

void log_json_note(json_t *json)
{
	const char *level = json_string_value(json_object_get(json, "level"));
	struct note note = {
		.level = text_equal(level, "error")     ? NOTE_ERROR
			 : text_equal(level, "warning") ? NOTE_WARNING
							: NOTE_INFO,
		.subject = (char *)json_string_value(json_object_get(json, "subject")),
		.text = (char *)json_string_value(json_object_get(json, "text")),
		.hint = (char *)json_string_value(json_object_get(json, "hint")),
		.file = (char *)json_string_value(json_object_get(json, "file")),
		.line = (unsigned)json_integer_value(json_object_get(json, "line")),
		.column = (unsigned)json_integer_value(json_object_get(json, "column")),
	};

	if (note.text)
		log_note(&note);
}

static int say_policy_refused(json_t *parameters)
{
	json_t *problem;
	size_t i;

	json_array_foreach(json_object_get(parameters, "problems"), i, problem)
	{
		log_json_note(problem);
	}
	cli_say("nothing was changed: policy %s stays in force",
		json_string_value(json_object_get(parameters, "policy")));
	return USAGE;
}

static int say_refused(const struct reply *reply)
{
	const char *device, *hint, *text;

	if (strcmp(reply->error, "io.steerd.PolicyRefused") == 0)
		return say_policy_refused(reply->parameters);
	if (strcmp(reply->error, "io.steerd.NoDevice") == 0 &&
	    json_unpack(reply->parameters, "{s:s, s:s}", "device", &device, "hint", &hint) == 0)
		cli_say("no device '%s'%s", device, hint);
	else if (strcmp(reply->error, "io.steerd.Failed") == 0 &&
		 json_unpack(reply->parameters, "{s:s}", "text", &text) == 0)
		cli_say("%s", text);
	else if (strcmp(reply->error, "io.steerd.OnTrial") == 0)
		cli_say("what was applied last waits for `steerctl confirm`, or goes back in %d seconds",
			(int)(json_integer_value(json_object_get(reply->parameters, "left")) / 1000));
	else if (strcmp(reply->error, "io.steerd.NoTrial") == 0)
		cli_say("nothing waits to be confirmed");
	else if (strcmp(reply->error, "org.varlink.service.PermissionDenied") == 0)
		cli_say("changing a machine needs root");
	else
		cli_say("steerd refuses: %s", reply->error);
	return FAILED;
}

int remote_reply(struct remote *remote, struct reply *ret)
{
	int r = client_reply(remote->client, -1, ret);

	if (r < 0) {
		cli_say("steerd is gone: %s", strerror(-r));
		return FAILED;
	}
	return ret->error ? say_refused(ret) : DONE;
}

int remote_call(struct remote *remote, const char *method, json_t *parameters, bool more, struct reply *ret)
{
	int r = client_call(remote->client, method, parameters, more);

	if (r < 0) {
		cli_say("steerd is gone: %s", strerror(-r));
		return FAILED;
	}
	return remote_reply(remote, ret);
}
