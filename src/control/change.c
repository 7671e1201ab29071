/* Apply, Confirm, Revert and Reload: have the daemon do it, and tell what came of it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/log.h>

#include "methods.h"

static void log_request(const struct request *request)
{
	const struct peer *peer = &request->connection->peer;

	log_info("%s, asked for by user %u, process %d", request->call->method, (unsigned)peer->user,
		 (int)peer->process);
}

/* While something waits to be confirmed nothing else is changed: it would not be clear what goes back. */
static bool is_free(const struct request *request)
{
	struct daemon_status status;

	daemon_status(request->control->setup.daemon, &status);
	if (status.on_trial)
		answer_error(request, "io.steerd.OnTrial", json_pack("{s:I}", "left", (json_int_t)status.trial_left));
	else
		log_request(request);
	return !status.on_trial;
}

static void answer_old_policy(const struct request *request)
{
	CLEANUP(notes_clear) struct notes problems = { 0 };

	daemon_policy_problems(request->control->setup.daemon, &problems);
	answer_policy_refused(request, &problems);
}

static json_t *text_of(const struct report *report, bool colour)
{
	struct rendering rendering;

	rendering_begin(&rendering);
	show_report(rendering.out, report, colour);
	return rendering_end(&rendering);
}

static void answer_report(const struct request *request, const struct parameters *parameters, int r,
			  const struct report *report)
{
	json_t *document;

	if (r < 0) {
		answer_failed(request, "nothing could be done: %s", strerror(-r));
		return;
	}
	document = parameters->rendered ? json_pack("{s:o, s:b, s:b}", "text", text_of(report, parameters->colour),
						    "failed", report_failed(report), "refused", report->plan.refused)
					: json_of_report(report);
	answer(request, json_pack("{s:o}", "report", document));
}

/* ---- methods ---------------------------------------------------------------------------------------------------- */

static int apply(struct daemon *daemon, const struct parameters *parameters, struct report *ret, bool *ret_refused)
{
	int r;

	if (parameters->confirm.set) {
		r = daemon_try(daemon, parameters->confirm.value, ret);
		*ret_refused = r == -EINVAL;
		return r;
	}
	*ret_refused = daemon_reload(daemon) < 0;
	return *ret_refused ? -EINVAL : daemon_apply(daemon, ret);
}

void method_apply(const struct request *request)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	CLEANUP(report_clear) struct report report = { 0 };
	bool refused;
	int r;

	if (!parameters_read(request, TAKES_CONFIRM | TAKES_RENDER, &parameters) || !is_free(request))
		return;
	r = apply(request->control->setup.daemon, &parameters, &report, &refused);
	if (refused)
		answer_old_policy(request);
	else
		answer_report(request, &parameters, r, &report);
}

void method_confirm(const struct request *request)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	int r;

	if (!parameters_read(request, 0, &parameters))
		return;
	log_request(request);
	r = daemon_confirm(request->control->setup.daemon);
	if (r == -ENOENT)
		answer_error(request, "io.steerd.NoTrial", NULL);
	else if (r < 0)
		answer_failed(request, "the trial could not be ended: %s", strerror(-r));
	else
		answer(request, NULL);
}

void method_revert(const struct request *request)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	CLEANUP(report_clear) struct report report = { 0 };
	int r;

	if (!parameters_read(request, TAKES_DEVICES | TAKES_RENDER, &parameters) || !is_free(request))
		return;
	r = daemon_revert(request->control->setup.daemon, &parameters.devices, &report);
	answer_report(request, &parameters, r, &report);
}

void method_reload(const struct request *request)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	struct daemon *daemon = request->control->setup.daemon;

	if (!parameters_read(request, 0, &parameters) || !is_free(request))
		return;
	if (daemon_reload(daemon) < 0)
		answer_old_policy(request);
	else
		answer(request, json_pack("{s:s}", "policy", daemon_policy(daemon)->name));
}
