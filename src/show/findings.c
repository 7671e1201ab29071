/* Prints what is wrong with a machine, in the order of the list: the worst last, where the eye is. */
#include <string.h>

#include <steer/cleanup.h>

#include "views.h"

static enum ink level_ink(enum note_level level)
{
	switch (level) {
	case NOTE_INFO: return INK_QUIET;
	case NOTE_WARNING: return INK_WARNING;
	case NOTE_ERROR: return INK_ERROR;
	}
	return INK_PLAIN;
}

void show_findings(const struct view *view, const struct pen *pen)
{
	unsigned codes = 0, indent;
	bool first = true;

	for (size_t i = 0; view->findings && i < view->findings->n; i++)
		if (text_columns(view->findings->items[i].code) > codes)
			codes = text_columns(view->findings->items[i].code);
	indent = 7 + 2 + codes + 2;
	for (size_t i = 0; view->findings && i < view->findings->n; i++) {
		const struct finding *finding = &view->findings->items[i];
		CLEANUP(free_string)
		char *text = text_format("%s%s%s", finding->device ? finding->device : "", finding->device ? ": " : "",
					 finding->text);

		if (finding->device && !view_has(view, finding->device))
			continue;
		if (first)
			fputc('\n', pen->out);
		first = false;
		pen_cell(pen, level_ink(finding->level), note_level_name(finding->level), 7 + 2);
		pen_cell(pen, INK_PLAIN, finding->code, codes + 2);
		pen_wrap(pen, INK_PLAIN, text, indent);
		if (finding->hint) {
			fprintf(pen->out, "%*s", (int)indent, "");
			pen_wrap(pen, INK_QUIET, finding->hint, indent);
		}
	}
}
