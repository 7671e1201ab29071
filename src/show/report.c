/* What applying or reverting did: a line a device and setting, then what failed and why. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "table.h"
#include "views.h"

static bool alike(const struct change *a, const struct change *b)
{
	return a->setting == b->setting && a->state == b->state && a->setting != SETTING_SYSCTL &&
	       text_equal(a->device, b->device) && text_equal(a->skipped, b->skipped);
}

/* "40 -> 20", of one queue "rx 2: CPU 2 -> CPU 3"; of several queues how many, and where to when all go to one place.
 */
static char *values_text(const struct change *changes, size_t n)
{
	CLEANUP(free_string) char *to = value_text(changes->setting, changes->to);
	CLEANUP(free_string) char *values = change_text(changes);
	bool same = changes->to;

	if (n == 1 && changes->queue != QUEUE_NONE)
		return text_format("%s %u%s%s", queue_type_name(changes->queue), changes->index, values ? ": " : "",
				   values ? values : "");
	if (n == 1)
		return TAKE(values);
	for (size_t i = 1; i < n; i++)
		same = same && text_equal(changes[i].to, changes->to);
	return same ? text_format("%zu queues -> %s", n, to) : text_format("%zu queues", n);
}

static enum ink state_ink(enum change_state state)
{
	switch (state) {
	case CHANGE_SAME:
	case CHANGE_GONE: return INK_QUIET;
	case CHANGE_DONE: return INK_PLAIN;
	case CHANGE_SKIPPED:
	case CHANGE_DEFERRED: return INK_WARNING;
	case CHANGE_TODO:
	case CHANGE_FAILED: return INK_ERROR;
	}
	return INK_PLAIN;
}

static void show_changes(const struct plan *plan, const struct pen *pen)
{
	static const struct column columns[] = { { "device", COLUMN_LEFT },
						 { "setting", COLUMN_LEFT },
						 { "change", COLUMN_LEFT },
						 { "result", COLUMN_LEFT },
						 { "why", COLUMN_WRAP } };
	CLEANUP(table_freep) struct table *table = table_new(pen, columns, COUNT_OF(columns));

	for (size_t i = 0; i < plan->nchanges;) {
		const struct change *change = &plan->changes[i];
		size_t n = 1;

		while (i + n < plan->nchanges && alike(change, &plan->changes[i + n]))
			n++;
		if (change->state != CHANGE_SAME) {
			CLEANUP(free_string) char *values = values_text(change, n);
			const char *cells[] = { change->device ? change->device : "host", change_subject(change),
						values,
						change->state == CHANGE_TODO ? "not done"
									     : change_state_name(change->state),
						change->skipped };

			table_row(table, state_ink(change->state), cells);
		}
		i += n;
	}
	table_print(table);
}

static size_t count_state(const struct plan *plan, enum change_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->nchanges; i++)
		n += plan->changes[i].state == state;
	return n;
}

void show_report(FILE *out, const struct report *report, bool colour)
{
	struct pen pen = { .out = out, .colour = colour };
	size_t done = count_state(&report->plan, CHANGE_DONE);
	size_t failed = count_state(&report->plan, CHANGE_FAILED) + count_state(&report->plan, CHANGE_TODO);

	show_changes(&report->plan, &pen);
	for (size_t i = 0; i < report->notes.n; i++) {
		CLEANUP(free_string) char *text = note_text(&report->notes.items[i]);

		pen_put(&pen, report->notes.items[i].level == NOTE_ERROR ? INK_ERROR : INK_WARNING, text);
		fputc('\n', out);
	}
	for (size_t i = 0; i < report->plan.unmet.n; i++)
		fprintf(out, "unmet  %s\n", report->plan.unmet.items[i]);
	if (done == 0 && failed == 0)
		fputs("nothing to do\n", out);
	else
		fprintf(out, "%zu done, %zu failed, %u written, in %u round%s\n", done, failed, report->writes,
			report->rounds, report->rounds == 1 ? "" : "s");
}
