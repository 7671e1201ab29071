/* `steerctl plan --json` and `apply --json`: changes, what is unmet and what is left alone, as one document. */
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/json.h>

static json_t *origin_json(const struct origin *origin)
{
	return origin->file ? json_taken(text_format("%s:%u", origin->file, origin->line)) : json_null();
}

static json_t *change_json(const struct change *change)
{
	json_t *object = json_or_end(json_object());

	json_member(object, "device", json_text(change->device));
	json_member(object, "setting", json_text(setting_name(change->setting)));
	json_member(object, "queue", json_taken(change_queue(change)));
	json_member(object, "irq", json_u32(change->irq));
	json_member(object, "from", json_text(change->from));
	json_member(object, "to", json_text(change->to));
	json_member(object, "target", json_text(change->target));
	json_member(object, "why", json_text(change->why));
	json_member(object, "policy", origin_json(&change->origin));
	json_member(object, "stage", json_integer(change->stage));
	json_member(object, "resets_link", json_boolean(change->cost & COST_LINK_RESET));
	return object;
}

static json_t *skipped_json(const struct change *change)
{
	json_t *object = json_or_end(json_object());

	json_member(object, "device", json_text(change->device));
	json_member(object, "setting", json_text(setting_name(change->setting)));
	json_member(object, "queue", json_taken(change_queue(change)));
	json_member(object, "irq", json_u32(change->irq));
	json_member(object, "from", json_text(change->from));
	json_member(object, "to", json_text(change->to));
	json_member(object, "target", json_text(change->target));
	json_member(object, "why", json_text(change->skipped));
	json_member(object, "policy", origin_json(&change->origin));
	return object;
}

static json_t *unmet_json(const struct strings *unmet)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; i < unmet->n; i++) {
		json_t *object = json_or_end(json_object());

		json_member(object, "text", json_text(unmet->items[i]));
		json_element(array, object);
	}
	return array;
}

static json_t *skipped_list_json(const struct plan *plan)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; i < plan->nchanges; i++) {
		enum change_state state = plan->changes[i].state;

		if (state == CHANGE_SKIPPED || state == CHANGE_DEFERRED)
			json_element(array, skipped_json(&plan->changes[i]));
	}
	return array;
}

static void add_rest(json_t *document, const struct plan *plan)
{
	json_member(document, "unmet", unmet_json(&plan->unmet));
	json_member(document, "skipped", skipped_list_json(plan));
	json_member(document, "refused", json_boolean(plan->refused));
}

json_t *json_of_plan(const struct plan *plan)
{
	json_t *document = json_or_end(json_object());
	json_t *changes = json_or_end(json_array());

	for (size_t i = 0; i < plan->nchanges; i++)
		if (plan->changes[i].state == CHANGE_TODO)
			json_element(changes, change_json(&plan->changes[i]));
	json_member(document, "policy", json_text(plan->policy));
	json_member(document, "changes", changes);
	add_rest(document, plan);
	return document;
}

void json_plan(FILE *out, const struct plan *plan)
{
	json_print(out, json_of_plan(plan));
}

static json_t *outcome_json(const struct change *change)
{
	json_t *object = change_json(change);

	json_member(object, "state", json_text(change_state_name(change->state)));
	json_member(object, "said", json_text(change->skipped));
	json_member(object, "error", change->error ? json_integer(-change->error) : json_null());
	return object;
}

json_t *json_of_report(const struct report *report)
{
	json_t *document = json_or_end(json_object());
	json_t *changes = json_or_end(json_array());

	for (size_t i = 0; i < report->plan.nchanges; i++) {
		enum change_state state = report->plan.changes[i].state;

		if (state != CHANGE_SAME && state != CHANGE_SKIPPED)
			json_element(changes, outcome_json(&report->plan.changes[i]));
	}
	json_member(document, "policy", json_text(report->plan.policy));
	json_member(document, "rounds", json_integer(report->rounds));
	json_member(document, "writes", json_integer(report->writes));
	json_member(document, "failed", json_boolean(report_failed(report)));
	json_member(document, "changes", changes);
	add_rest(document, &report->plan);
	json_member(document, "notes", json_notes(&report->notes));
	return document;
}

void json_report(FILE *out, const struct report *report)
{
	json_print(out, json_of_report(report));
}
