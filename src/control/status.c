/* Status: how the daemon stands, in numbers and notes. */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <steer/cleanup.h>

#include "methods.h"

/* The network namespace that the daemon is in, "net:[4026531840]": which devices it speaks of. */
static json_t *network(void)
{
	char name[64];
	ssize_t length = readlink("/proc/self/ns/net", name, sizeof name - 1);

	if (length < 0)
		return json_null();
	name[length] = '\0';
	return json_text(name);
}

static json_t *policy_file(const struct policy *policy)
{
	CLEANUP(free_string) char *path = realpath(policy->name, NULL);

	return json_text(path);
}

static size_t watchers(const struct control *control)
{
	size_t n = 0;

	for (size_t i = 0; i < control->n; i++)
		n += control->connections[i]->watches;
	return n;
}

static json_t *number(uint64_t value)
{
	return json_or_end(json_integer((json_int_t)value));
}

static void add_numbers(json_t *document, const struct daemon_status *status)
{
	json_member(document, "running", number(status->running));
	json_member(document, "loaded", number(status->loaded));
	json_member(document, "last_pass", number(status->last_pass));
	json_member(document, "passes", number(status->counts.passes));
	json_member(document, "events", number(status->counts.events));
	json_member(document, "drift", number(status->counts.drift));
	json_member(document, "fights", number(status->counts.fights));
	json_member(document, "settings", number(status->counts.remembered));
	json_member(document, "writes", number(status->writes));
}

void method_status(const struct request *request)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	CLEANUP(notes_clear) struct notes problems = { 0 };
	const struct daemon *daemon = request->control->setup.daemon;
	json_t *document = json_or_end(json_object());
	struct daemon_status status;

	if (!parameters_read(request, 0, &parameters)) {
		json_decref(document);
		return;
	}
	daemon_status(daemon, &status);
	daemon_problems(daemon, &problems);
	json_member(document, "version", json_text(STEER_VERSION));
	json_member(document, "process", json_integer(getpid()));
	json_member(document, "network", network());
	json_member(document, "policy", json_text(daemon_policy(daemon)->name));
	json_member(document, "policy_file", policy_file(daemon_policy(daemon)));
	json_member(document, "policy_refused", json_boolean(status.policy_refused));
	json_member(document, "held", json_boolean(status.held));
	json_member(document, "pending", json_boolean(status.pending));
	json_member(document, "confirm", status.on_trial ? number(status.trial_left) : json_null());
	json_member(document, "udev", json_boolean(status.udev));
	add_numbers(document, &status);
	json_member(document, "clients", number(request->control->n));
	json_member(document, "watchers", number(watchers(request->control)));
	json_member(document, "problems", json_notes(&problems));
	answer(request, document);
}
