/* Notes: what library code has to say to whoever called it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/note.h>
#include <steer/text.h>

struct note *notes_add(struct notes *notes, enum note_level level, const char *subject, const char *format, ...)
{
	struct note *note;
	va_list arguments;

	notes->items = alloc_more(notes->items, notes->n, sizeof *notes->items);
	note = &notes->items[notes->n++];
	note->level = level;
	note->subject = alloc_string(subject);
	va_start(arguments, format);
	if (vasprintf(&note->text, format, arguments) < 0)
		abort();
	va_end(arguments);
	return note;
}

void notes_move(struct notes *into, struct notes *from)
{
	for (size_t i = 0; i < from->n; i++) {
		into->items = alloc_more(into->items, into->n, sizeof *into->items);
		into->items[into->n++] = from->items[i];
	}
	free(from->items);
	*from = (struct notes){ 0 };
}

bool notes_have(const struct notes *notes, enum note_level level)
{
	for (size_t i = 0; i < notes->n; i++)
		if (notes->items[i].level == level)
			return true;
	return false;
}

void notes_clear(struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++) {
		free(notes->items[i].subject);
		free(notes->items[i].text);
		free(notes->items[i].hint);
		free(notes->items[i].file);
	}
	free(notes->items);
	*notes = (struct notes){ 0 };
}

const char *note_level_name(enum note_level level)
{
	switch (level) {
	case NOTE_INFO: return "info";
	case NOTE_WARNING: return "warning";
	case NOTE_ERROR: return "error";
	}
	return "?";
}

char *note_text(const struct note *note)
{
	CLEANUP(free_string) char *place = alloc_string("");

	if (note->file && note->line && note->column) {
		free_string(&place);
		place = text_format("%s:%u:%u: ", note->file, note->line, note->column);
	} else if (note->file && note->line) {
		free_string(&place);
		place = text_format("%s:%u: ", note->file, note->line);
	} else if (note->file) {
		free_string(&place);
		place = text_format("%s: ", note->file);
	}
	return text_format("%s%s: %s%s%s%s%s%s", place, note_level_name(note->level),
			   note->subject ? note->subject : "", note->subject ? ": " : "", note->text,
			   note->hint ? " (" : "", note->hint ? note->hint : "", note->hint ? ")" : "");
}
