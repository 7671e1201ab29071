/* Show, Plan and Explain: look at the machine anew and tell. Change nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "methods.h"

/* ---- what only the daemon knows --------------------------------------------------------------------------------- */

/* Findings are sorted, the worst last. Takes the texts over. */
static void insert(struct findings *findings, struct finding finding)
{
	size_t at = findings->n;

	findings->items = alloc_more(findings->items, findings->n, sizeof *findings->items);
	for (; at > 0 && findings->items[at - 1].level > finding.level; at--)
		findings->items[at] = findings->items[at - 1];
	findings->items[at] = finding;
	findings->n++;
}

static void find_state(struct daemon *daemon, struct findings *findings)
{
	CLEANUP(notes_clear) struct notes problems = { 0 };
	struct daemon_status status;

	daemon_status(daemon, &status);
	daemon_policy_problems(daemon, &problems);
	if (status.on_trial)
		insert(findings, (struct finding){ .level = NOTE_WARNING,
						   .code = "on-trial",
						   .text = text_format("the policy goes back in %u seconds",
								       (unsigned)(status.trial_left / 1000)),
						   .hint = alloc_string("run `steerctl confirm` to keep it") });
	if (status.held)
		insert(findings,
		       (struct finding){ .level = NOTE_WARNING,
					 .code = "held",
					 .text = alloc_string("steerd changes nothing since values were put back"),
					 .hint = alloc_string("run `steerctl apply` to put the policy in force") });
	for (size_t i = 0; i < problems.n; i++) {
		const struct note *note = &problems.items[i];

		insert(findings, (struct finding){ .level = note->level,
						   .code = "old-policy",
						   .text = note->file ? text_format("%s:%u: %s", note->file, note->line,
										    note->text)
								      : alloc_string(note->text),
						   .hint = alloc_string(note->hint) });
	}
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

static bool have_devices(const struct request *request, const struct look *look, const struct strings *devices)
{
	for (size_t i = 0; i < devices->n; i++) {
		if (!machine_nic(&look->machine, devices->items[i])) {
			answer_error(request, "io.steerd.NoDevice",
				     json_pack("{s:s, s:o}", "device", devices->items[i], "hint",
					       json_taken(look_hint(look, devices->items[i]))));
			return false;
		}
	}
	return true;
}

/* Answers and gives false when there is nothing to tell. */
static bool look(const struct request *request, const struct policy *policy, enum look_depth depth,
		 const struct strings *devices, struct look *ret)
{
	struct daemon *daemon = request->control->setup.daemon;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r = look_at(daemon_host(daemon), policy, daemon_spared(daemon), depth, ret, &notes);

	if (r < 0) {
		answer_failed(request, "cannot read the machine: %s", strerror(-r));
		return false;
	}
	return have_devices(request, ret, devices);
}

static struct view view_of(const struct look *look, const struct policy *policy, const struct parameters *parameters)
{
	return (struct view){ .machine = &look->machine,
			      .policy = policy,
			      .plan = &look->plan,
			      .findings = &look->findings,
			      .devices = &parameters->devices,
			      .colour = parameters->colour,
			      .width = parameters->width };
}

static json_t *text_of(void (*show)(FILE *out, const struct view *view), const struct view *view)
{
	struct rendering rendering;

	rendering_begin(&rendering);
	show(rendering.out, view);
	return rendering_end(&rendering);
}

/* ---- methods ---------------------------------------------------------------------------------------------------- */

void method_show(const struct request *request)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	CLEANUP(look_clear) struct look seen = { 0 };
	struct daemon *daemon = request->control->setup.daemon;
	const struct policy *policy = daemon_policy(daemon);
	struct view view;
	json_t *document;

	if (!parameters_read(request, TAKES_DEVICES | TAKES_RENDER, &parameters) ||
	    !look(request, policy, LOOK_EVERYTHING, &parameters.devices, &seen))
		return;
	daemon_findings(daemon, &seen.findings);
	find_state(daemon, &seen.findings);
	view = view_of(&seen, policy, &parameters);
	document =
		parameters.rendered ? json_pack("{s:o}", "text", text_of(show_machine, &view)) : json_of_machine(&view);
	json_member(document, "drift", json_boolean(look_is_wrong(&seen, &parameters.devices)));
	answer(request, document);
}

/* The policy as its file is now; NULL and an answer when it has an error. */
static struct policy *newest_policy(const struct request *request)
{
	const struct daemon *daemon = request->control->setup.daemon;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	struct policy *policy = NULL;

	if (daemon_read_policy(daemon, &policy, &notes) < 0)
		answer_policy_refused(request, &notes);
	return policy;
}

void method_plan(const struct request *request)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(look_clear) struct look seen = { 0 };
	struct view view;
	json_t *document;

	if (!parameters_read(request, TAKES_DEVICES | TAKES_RENDER, &parameters) ||
	    !(policy = newest_policy(request)) || !look(request, policy, LOOK_POLICY, &parameters.devices, &seen))
		return;
	plan_only(&seen.plan, &parameters.devices);
	view = view_of(&seen, policy, &parameters);
	document =
		parameters.rendered ? json_pack("{s:o}", "text", text_of(show_plan, &view)) : json_of_plan(&seen.plan);
	json_member(document, "drift", json_boolean(plan_todo(&seen.plan, 0) || seen.plan.refused));
	answer(request, document);
}

void method_explain(const struct request *request)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(look_clear) struct look seen = { 0 };
	struct view view;

	if (!parameters_read(request, TAKES_DEVICE | TAKES_RENDER, &parameters))
		return;
	strings_add(&parameters.devices, parameters.device);
	if (!(policy = newest_policy(request)) || !look(request, policy, LOOK_POLICY, &parameters.devices, &seen))
		return;
	view = view_of(&seen, policy, &parameters);
	answer(request, json_pack("{s:o}", "text", text_of(show_explain, &view)));
}
