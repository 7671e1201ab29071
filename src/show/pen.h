/* A pen: where text goes, in what colour and how wide; and the prose layouts that the views share. Knows nothing of
 * machines. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <steer/text.h>

enum ink { INK_PLAIN, INK_STRONG, INK_QUIET, INK_GOOD, INK_WARNING, INK_ERROR };

struct pen {
	FILE *out;
	bool colour;
	unsigned width; /* columns; 0: unlimited */
};

/* The escape sequence parameter of an ink ("1", "31"), NULL for plain. */
const char *ink_sequence(enum ink ink);

/* A copy of a text without control characters: device names may hold any. Caller frees. */
char *text_printable(const char *text);

unsigned text_columns(const char *text); /* how wide a UTF-8 text is */

/* A copy with line breaks instead of blanks, so that no line is wider than `columns` unless a word is. Caller frees. */
char *text_break(const char *text, unsigned columns);

/* Writes a text; control characters become "?". */
void pen_put(const struct pen *pen, enum ink ink, const char *text);

/* The same, filled up with blanks to a number of columns. */
void pen_cell(const struct pen *pen, enum ink ink, const char *text, unsigned columns);

struct items { /* short statements that stand side by side */
	struct item {
		char *text;
		enum ink ink;
	} * items;
	size_t n;
};

void items_take(struct items *items, enum ink ink, char *text); /* takes over the text; NULL adds nothing */
void items_clear(struct items *items);                          /* for CLEANUP */

/* "  LABEL      item   item   item": as many items a line as fit, the rest below the first. Nothing for no items.
 * label NULL: from the first column on. */
void pen_items(const struct pen *pen, const char *label, const struct items *items);

/* A text that starts at column `indent`, broken between words at the width, and the end of the line. */
void pen_wrap(const struct pen *pen, enum ink ink, const char *text, unsigned indent);
