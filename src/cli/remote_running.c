/* The commands that only a running daemon can answer: how it goes, what happens, and that it reload or keep a policy.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/log.h>

#include "remote.h"

int remote_confirm(struct remote *remote)
{
	CLEANUP(reply_clear) struct reply reply = { 0 };

	return remote_call(remote, "io.steerd.Confirm", NULL, false, &reply);
}

int remote_reload(struct remote *remote)
{
	CLEANUP(reply_clear) struct reply reply = { 0 };
	int status = remote_call(remote, "io.steerd.Reload", NULL, false, &reply);

	if (status == DONE)
		printf("policy %s is in force\n", json_string_value(json_object_get(reply.parameters, "policy")));
	return status;
}

/* ---- status ----------------------------------------------------------------------------------------------------- */

static json_int_t number(json_t *status, const char *key)
{
	return json_integer_value(json_object_get(status, key));
}

static bool flag(json_t *status, const char *key)
{
	return json_is_true(json_object_get(status, key));
}

/* "12 s", "3 min", "2 h 10 min", "5 days" */
static char *duration(json_int_t milliseconds)
{
	json_int_t seconds = milliseconds / 1000, minutes = seconds / 60, hours = minutes / 60;

	if (seconds < 120)
		return text_format("%d s", (int)seconds);
	if (minutes < 120)
		return text_format("%d min", (int)minutes);
	if (hours < 48)
		return text_format("%d h %d min", (int)hours, (int)(minutes % 60));
	return text_format("%d days", (int)(hours / 24));
}

/* What of the policy is so: the worst that is. */
static char *policy_state(json_t *status)
{
	json_t *confirm = json_object_get(status, "confirm");

	if (json_is_integer(confirm))
		return text_format("on trial: goes back in %d s unless `steerctl confirm` follows",
				   (int)(json_integer_value(confirm) / 1000));
	if (flag(status, "held"))
		return alloc_string("not in force: nothing is changed until `steerctl apply`");
	if (flag(status, "policy_refused"))
		return alloc_string("in force; not as its file is now");
	return alloc_string("in force");
}

static void print_status(json_t *status)
{
	CLEANUP(free_string) char *running = duration(number(status, "running"));
	CLEANUP(free_string) char *loaded = duration(number(status, "loaded"));
	CLEANUP(free_string) char *last = duration(number(status, "last_pass"));
	CLEANUP(free_string) char *state = policy_state(status);
	json_t *problem;
	size_t i;

	printf("steerd %s runs for %s, process %d\n", json_string_value(json_object_get(status, "version")), running,
	       (int)number(status, "process"));
	printf("policy    %s, loaded %s ago, %s\n", json_string_value(json_object_get(status, "policy")), loaded,
	       state);
	printf("settings  %" JSON_INTEGER_FORMAT " watched, %" JSON_INTEGER_FORMAT " fought over, %" JSON_INTEGER_FORMAT
	       " put right that somebody else had changed\n",
	       number(status, "settings"), number(status, "fights"), number(status, "drift"));
	printf("passes    %" JSON_INTEGER_FORMAT ", the last %s ago%s; %" JSON_INTEGER_FORMAT
	       " events, %" JSON_INTEGER_FORMAT " values written\n",
	       number(status, "passes"), last, flag(status, "pending") ? ", one is due" : "", number(status, "events"),
	       number(status, "writes"));
	fflush(stdout);
	json_array_foreach(json_object_get(status, "problems"), i, problem)
	{
		log_json_note(problem);
	}
}

int remote_status(const struct cli *cli, struct remote *remote)
{
	if (cli->given & OPTION_JSON)
		json_print(stdout, json_incref(remote->status));
	else
		print_status(remote->status);
	return DONE;
}

/* ---- watch ------------------------------------------------------------------------------------------------------ */

static const char *word(json_t *object, const char *key, const char *otherwise)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text && *text ? text : otherwise;
}

static void print_report(json_t *report)
{
	json_t *change;
	size_t i;

	json_array_foreach(json_object_get(report, "changes"), i, change)
	{
		const char *queue = word(change, "queue", NULL), *said = word(change, "said", NULL);

		printf("change   %s: %s%s%s: %s -> %s, %s%s%s\n", word(change, "device", "host"),
		       word(change, "setting", "?"), queue ? " " : "", queue ? queue : "", word(change, "from", "none"),
		       word(change, "to", "none"), word(change, "state", "?"), said ? ": " : "", said ? said : "");
	}
}

static void print_note(json_t *note)
{
	const char *subject = word(note, "subject", NULL), *hint = word(note, "hint", NULL);

	printf("%-7s  %s%s%s%s%s%s\n", word(note, "level", "note"), subject ? subject : "", subject ? ": " : "",
	       word(note, "text", ""), hint ? " (" : "", hint ? hint : "", hint ? ")" : "");
}

static void print_happening(json_t *happening)
{
	json_t *event = json_object_get(happening, "event"), *note = json_object_get(happening, "note");
	json_t *lost = json_object_get(happening, "lost");

	if (event)
		printf("event    %s%s%s\n", word(event, "device", ""), *word(event, "device", "") ? ": " : "",
		       word(event, "kind", "?"));
	if (note)
		print_note(note);
	print_report(json_object_get(happening, "report"));
	if (lost)
		printf("lost     %" JSON_INTEGER_FORMAT " messages that were not read in time\n",
		       json_integer_value(lost));
}

/* The first answer says no more than that it listens. */
static void print(const struct cli *cli, json_t *happening)
{
	if (json_object_size(happening) == 0)
		return;
	if (cli->given & OPTION_JSON) {
		json_dumpf(happening, stdout, JSON_COMPACT);
		putchar('\n');
	} else {
		print_happening(happening);
	}
}

int remote_watch(const struct cli *cli, struct remote *remote)
{
	struct reply reply = { 0 };
	int status = remote_call(remote, "io.steerd.Watch", NULL, true, &reply);

	while (status == DONE && fflush(stdout) == 0) {
		print(cli, reply.parameters);
		if (fflush(stdout) != 0)
			break;
		reply_clear(&reply);
		status = remote_reply(remote, &reply);
	}
	reply_clear(&reply);
	return status;
}
