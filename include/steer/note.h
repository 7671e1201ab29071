/* What library code has to say: it returns notes, and the mains log or print them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum note_level { NOTE_INFO, NOTE_WARNING, NOTE_ERROR };

struct note {
	enum note_level level;
	char *subject;   /* what it is about: a device, a key; NULL: the host */
	char *text;      /* one sentence, no full stop at the end */
	char *hint;      /* what to do about it; NULL: nothing known */
	char *file;      /* policy file, NULL when not from a file */
	unsigned line;   /* 1.., 0: the file as a whole */
	unsigned column; /* 1.., 0: unknown */
};

struct notes {
	struct note *items;
	size_t n;
};

/* Adds a note and returns it, so that file, line, column and hint can be set on it. The text is formatted and owned by
 * the note. */
struct note *notes_add(struct notes *notes, enum note_level level, const char *subject, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void notes_move(struct notes *into, struct notes *from); /* appends all and empties `from` */
bool notes_have(const struct notes *notes, enum note_level level);
void notes_clear(struct notes *notes);

const char *note_level_name(enum note_level level); /* "info", "warning", "error" */

/* One note as text: "c240.ini:12:8: error: unknown key 'chanels' (did you mean 'channels'?)". The hint follows in
 * brackets. Caller frees. */
char *note_text(const struct note *note);
