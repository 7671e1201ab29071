/* Puts prose on a stream: colour, width, lists of items, wrapped sentences. Decides nothing about what is said. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "pen.h"

enum { LABEL = 12, GAP = 3 }; /* columns of an item line's label, indent included, and between items */

const char *ink_sequence(enum ink ink)
{
	switch (ink) {
	case INK_PLAIN: return NULL;
	case INK_STRONG: return "1";
	case INK_QUIET: return "2";
	case INK_GOOD: return "32";
	case INK_WARNING: return "33";
	case INK_ERROR: return "31";
	}
	return NULL;
}

char *text_printable(const char *text)
{
	char *copy = alloc_string(text);

	for (char *at = copy; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
	return copy;
}

unsigned text_columns(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80; /* not a continuation byte */
	return n;
}

char *text_break(const char *text, unsigned columns)
{
	char *copy = alloc_string(text);
	char *blank = NULL; /* the last place to break at */
	unsigned used = 0;

	for (char *at = copy; *at; at++) {
		used += ((unsigned char)*at & 0xc0) != 0x80;
		if (*at == ' ')
			blank = at;
		if (used > columns && blank) {
			*blank = '\n';
			used = (unsigned)(at - blank);
			blank = NULL;
		}
	}
	return copy;
}

void pen_put(const struct pen *pen, enum ink ink, const char *text)
{
	CLEANUP(free_string) char *printable = text_printable(text);
	const char *sequence = pen->colour ? ink_sequence(ink) : NULL;

	if (sequence)
		fprintf(pen->out, "\033[%sm%s\033[0m", sequence, printable);
	else
		fputs(printable, pen->out);
}

void pen_cell(const struct pen *pen, enum ink ink, const char *text, unsigned columns)
{
	unsigned used = text_columns(text);

	pen_put(pen, ink, text);
	if (used < columns)
		fprintf(pen->out, "%*s", (int)(columns - used), "");
}

void items_take(struct items *items, enum ink ink, char *text)
{
	if (!text)
		return;
	items->items = alloc_more(items->items, items->n, sizeof *items->items);
	items->items[items->n++] = (struct item){ .text = text, .ink = ink };
}

void items_clear(struct items *items)
{
	for (size_t i = 0; i < items->n; i++)
		free(items->items[i].text);
	free(items->items);
	*items = (struct items){ 0 };
}

void pen_items(const struct pen *pen, const char *label, const struct items *items)
{
	unsigned indent = label ? LABEL : 0, used = indent;

	if (items->n == 0)
		return;
	if (label)
		fprintf(pen->out, "  %-*s", LABEL - 2, label);
	for (size_t i = 0; i < items->n; i++) {
		unsigned columns = text_columns(items->items[i].text);

		if (i && pen->width && used + GAP + columns > pen->width) {
			fprintf(pen->out, "\n%*s", (int)indent, "");
			used = indent;
		} else if (i) {
			fprintf(pen->out, "%*s", GAP, "");
			used += GAP;
		}
		pen_put(pen, items->items[i].ink, items->items[i].text);
		used += columns;
	}
	fputc('\n', pen->out);
}

void pen_wrap(const struct pen *pen, enum ink ink, const char *text, unsigned indent)
{
	CLEANUP(free_string) char *broken = alloc_string(text);
	CLEANUP(strings_clear) struct strings lines = { 0 };

	if (pen->width > indent) {
		free_string(&broken);
		broken = text_break(text, pen->width - indent);
	}
	strings_split(&lines, broken, "\n");
	for (size_t i = 0; i < lines.n; i++) {
		if (i)
			fprintf(pen->out, "\n%*s", (int)indent, "");
		pen_put(pen, ink, lines.items[i]);
	}
	fputc('\n', pen->out);
}
