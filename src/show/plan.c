/* `steerctl plan`: a table of changes for each device, each with its reason; what is a forecast says so; then what is
 * left alone and why. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "fold.h"
#include "table.h"
#include "views.h"

static bool in_plan(const struct view *view, const struct change *change, const char *device, unsigned stage)
{
	return change->state == CHANGE_TODO && change->stage == stage && text_equal(change->device, device) &&
	       (!change->device || view_has(view, change->device));
}

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* Neighbours that say the same of several queues are one line. */
static bool alike(const struct change *a, const struct change *b)
{
	return a->setting == b->setting && a->stage == b->stage && a->state == b->state && a->queue == b->queue &&
	       a->queue != QUEUE_NONE && text_equal(a->from, b->from) && text_equal(a->to, b->to) &&
	       text_equal(a->why, b->why) && text_equal(a->device, b->device);
}

/* "rx 0-3" of neighbours of one type. */
static char *queues_text(const struct change *changes, size_t n)
{
	CLEANUP(cpuset_freep) cpuset *indexes = cpuset_new();
	CLEANUP(free_string) char *list = NULL;

	if (changes->queue == QUEUE_NONE)
		return NULL;
	for (size_t i = 0; i < n; i++)
		cpuset_add(indexes, changes[i].index);
	list = cpuset_list(indexes);
	return text_format("%s %s", queue_type_name(changes->queue), list);
}

static void add_changes(struct table *table, const struct change *changes, size_t n)
{
	CLEANUP(free_string) char *queue = queues_text(changes, n);
	CLEANUP(free_string) char *irq = n == 1 && changes->irq.set ? text_format("%u", changes->irq.value) : NULL;
	CLEANUP(free_string) char *values = change_text(changes);
	CLEANUP(free_string)
	char *origin = changes->origin.file
			       ? text_format("%s:%u", base_name(changes->origin.file), changes->origin.line)
			       : NULL;
	const char *cells[] = { change_subject(changes), queue, irq, values, origin, changes->why };

	table_row(table, INK_PLAIN, cells);
}

static void show_table(const struct view *view, const struct pen *pen, const char *device, unsigned stage)
{
	static const struct column columns[] = { { "setting", COLUMN_LEFT }, { "queue", COLUMN_LEFT },
						 { "irq", COLUMN_RIGHT },    { "change", COLUMN_LEFT },
						 { "policy", COLUMN_LEFT },  { "why", COLUMN_WRAP } };
	CLEANUP(table_freep) struct table *table = table_new(pen, columns, COUNT_OF(columns));
	const struct plan *plan = view->plan;

	for (size_t i = 0; i < plan->nchanges;) {
		size_t n = 1;

		if (in_plan(view, &plan->changes[i], device, stage)) {
			while (i + n < plan->nchanges && alike(&plan->changes[i], &plan->changes[i + n]))
				n++;
			add_changes(table, &plan->changes[i], n);
		}
		i += n;
	}
	table_print(table);
}

static unsigned last_stage(const struct plan *plan)
{
	unsigned last = 0;

	for (size_t i = 0; i < plan->nchanges; i++)
		if (plan->changes[i].state == CHANGE_TODO && plan->changes[i].stage > last)
			last = plan->changes[i].stage;
	return last;
}

static size_t count_in_plan(const struct view *view, const char *device, unsigned stage)
{
	size_t n = 0;

	for (size_t i = 0; i < view->plan->nchanges; i++)
		n += in_plan(view, &view->plan->changes[i], device, stage);
	return n;
}

static bool resets_link(const struct plan *plan, const char *device)
{
	for (size_t i = 0; i < plan->nchanges; i++)
		if (plan->changes[i].state == CHANGE_TODO && (plan->changes[i].cost & COST_LINK_RESET) &&
		    text_equal(plan->changes[i].device, device))
			return true;
	return false;
}

static void show_device(const struct view *view, const struct pen *pen, const char *device)
{
	size_t todo = todo_of(view->plan, device);
	CLEANUP(free_string)
	char *heading = text_format("%zu change%s%s", todo, todo == 1 ? "" : "s",
				    resets_link(view->plan, device) ? ", the link goes down for a moment" : "");

	fputc('\n', pen->out);
	pen_put(pen, INK_STRONG, device ? device : "host");
	fprintf(pen->out, ": %s\n", heading);
	for (unsigned stage = 0; stage <= last_stage(view->plan); stage++) {
		if (count_in_plan(view, device, stage) == 0)
			continue;
		if (stage > 1) {
			fputs("\n  ", pen->out);
			pen_wrap(pen, INK_QUIET,
				 "then, a forecast: queues and interrupts are made anew, and this is planned again for "
				 "them",
				 2);
		}
		show_table(view, pen, device, stage);
	}
}

/* ---- what is left alone ----------------------------------------------------------------------------------------- */

static bool left_alone(const struct view *view, const struct change *change)
{
	return (change->state == CHANGE_SKIPPED || change->state == CHANGE_DEFERRED) &&
	       (!change->device || view_has(view, change->device));
}

/* Whether two changes are left alone for one reason. Queues may lie between them: rx and tx take turns in a plan. */
static bool skipped_alike(const struct change *a, const struct change *b)
{
	return a->setting == b->setting && a->state == b->state && a->setting != SETTING_SYSCTL &&
	       text_equal(a->skipped, b->skipped) && text_equal(a->device, b->device);
}

/* The queues of all that are skipped alike, "rx 0-3, tx 0-3"; *ret_n is how many changes that are. */
static char *skipped_queues(const struct plan *plan, const struct change *first, size_t *ret_n)
{
	static const enum queue_type types[] = { QUEUE_COMBINED, QUEUE_RX, QUEUE_TX };
	CLEANUP(strings_clear) struct strings texts = { 0 };

	*ret_n = 0;
	for (size_t i = 0; i < plan->nchanges; i++)
		*ret_n += skipped_alike(first, &plan->changes[i]);
	for (size_t t = 0; t < COUNT_OF(types); t++) {
		CLEANUP(cpuset_freep) cpuset *indexes = cpuset_new();
		CLEANUP(free_string) char *list = NULL;

		for (size_t i = 0; i < plan->nchanges; i++)
			if (plan->changes[i].queue == types[t] && skipped_alike(first, &plan->changes[i]))
				cpuset_add(indexes, plan->changes[i].index);
		list = cpuset_list(indexes);
		if (!cpuset_empty(indexes))
			strings_take(&texts, text_format("%s %s", queue_type_name(types[t]), list));
	}
	return texts.n ? strings_join(&texts, ", ") : NULL;
}

static bool told_already(const struct plan *plan, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (skipped_alike(&plan->changes[i], &plan->changes[at]))
			return true;
	return false;
}

static void show_skipped(const struct view *view, const struct pen *pen)
{
	static const struct column columns[] = { { "left alone", COLUMN_LEFT },
						 { "setting", COLUMN_LEFT },
						 { "queue", COLUMN_LEFT },
						 { "wanted", COLUMN_LEFT },
						 { "why not", COLUMN_WRAP } };
	CLEANUP(table_freep) struct table *table = table_new(pen, columns, COUNT_OF(columns));
	const struct plan *plan = view->plan;
	bool some = false;

	for (size_t i = 0; i < plan->nchanges; i++) {
		const struct change *change = &plan->changes[i];
		CLEANUP(free_string) char *queues = NULL, *values = NULL;
		size_t n;

		if (!left_alone(view, change) || told_already(plan, i))
			continue;
		queues = skipped_queues(plan, change, &n);
		values = n == 1 ? change_text(change) : NULL;
		table_row(table, INK_PLAIN,
			  (const char *[]){ change->device ? change->device : "host", change_subject(change), queues,
					    values, change->skipped });
		some = true;
	}
	if (some)
		fputc('\n', pen->out);
	table_print(table);
}

static void show_unmet(const struct plan *plan, const struct pen *pen)
{
	for (size_t i = 0; i < plan->unmet.n; i++) {
		if (i == 0)
			fputc('\n', pen->out);
		pen_cell(pen, plan->refused ? INK_ERROR : INK_WARNING, "unmet", 7);
		pen_wrap(pen, INK_PLAIN, plan->unmet.items[i], 7);
	}
	if (plan->refused) {
		pen_put(pen, INK_ERROR,
			"The policy refuses to be applied to a machine that does not meet its requirements.");
		fputc('\n', pen->out);
	}
}

/* The devices with something to do, in the order of the plan; NULL is the host. */
static size_t devices_of(const struct view *view, const char ***ret)
{
	const char **devices = NULL;
	size_t n = 0;

	for (size_t i = 0; i < view->plan->nchanges; i++) {
		const struct change *change = &view->plan->changes[i];
		bool known = !in_plan(view, change, change->device, change->stage);

		for (size_t k = 0; k < n && !known; k++)
			known = text_equal(devices[k], change->device);
		if (known)
			continue;
		devices = alloc_more(devices, n, sizeof *devices);
		devices[n++] = change->device;
	}
	*ret = devices;
	return n;
}

void show_plan(FILE *out, const struct view *view)
{
	struct pen pen = view_pen(out, view);
	const char **devices;
	size_t n = devices_of(view, &devices), todo = 0;
	CLEANUP(free_string) char *text = NULL;

	for (size_t i = 0; i < n; i++)
		todo += todo_of(view->plan, devices[i]);
	if (todo)
		text = text_format("policy %s: %zu change%s", view->plan->policy, todo, todo == 1 ? "" : "s");
	else
		text = text_format("policy %s: nothing to do", view->plan->policy);
	pen_put(&pen, INK_PLAIN, text);
	fputc('\n', out);
	for (size_t i = 0; i < n; i++)
		show_device(view, &pen, devices[i]);
	show_skipped(view, &pen);
	show_unmet(view->plan, &pen);
	free(devices);
}
