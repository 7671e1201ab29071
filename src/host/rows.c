/* Takes the text of /proc/interrupts apart and puts it together again, every other byte unchanged. It does not know
 * which device a row belongs to. */
#include "rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

/* ---- actions --------------------------------------------------------------------------------------------------- */

/* Where the number of an action is: at the end of what stands before "@". Length 0: there is none. */
static size_t find_number(const char *action, size_t *ret_start)
{
	size_t end = strcspn(action, "@"), start = end;

	while (start && isdigit((unsigned char)action[start - 1]))
		start--;
	*ret_start = start;
	return end - start;
}

char *action_renumbered(const char *action, int further)
{
	size_t start, length = find_number(action, &start);

	if (!length || length > 9)
		return NULL;
	return text_format("%.*s%ld%s", (int)start, action, atol(action + start) + further, action + start + length);
}

static const char *last_word(const char *text)
{
	size_t start = strlen(text);

	while (start && text[start - 1] != ' ')
		start--;
	return text + start;
}

const char *row_action(const struct row *row)
{
	return last_word(row->text);
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

static struct opt_u32 row_irq(const char *text)
{
	char *end;
	unsigned long irq;

	text += strspn(text, " ");
	if (!isdigit((unsigned char)*text))
		return (struct opt_u32){ 0 };
	irq = strtoul(text, &end, 10);
	return *end == ':' && irq <= UINT32_MAX ? SOME_U32((uint32_t)irq) : (struct opt_u32){ 0 };
}

void rows_parse(struct rows *rows, const char *text)
{
	CLEANUP(strings_clear) struct strings lines = { 0 };
	size_t length = strlen(text);

	*rows = (struct rows){ .newline = length && text[length - 1] == '\n' };
	strings_split(&lines, text, "\n");
	for (size_t i = 0; i < lines.n; i++) {
		rows->items = alloc_more(rows->items, rows->n, sizeof *rows->items);
		rows->items[rows->n].irq = row_irq(lines.items[i]);
		rows->items[rows->n++].text = TAKE(lines.items[i]);
	}
}

char *rows_text(const struct rows *rows)
{
	struct strings lines = { 0 };
	char *text;

	for (size_t i = 0; i < rows->n; i++)
		strings_add(&lines, rows->items[i].text);
	if (rows->newline)
		strings_add(&lines, "");
	text = strings_join(&lines, "\n");
	strings_clear(&lines);
	return text;
}

void rows_clear(struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->items[i].text);
	free(rows->items);
	*rows = (struct rows){ 0 };
}

struct row *rows_find(struct rows *rows, uint32_t irq)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->items[i].irq.set && rows->items[i].irq.value == irq)
			return &rows->items[i];
	return NULL;
}

void rows_remove(struct rows *rows, uint32_t irq)
{
	struct row *row = rows_find(rows, irq);
	size_t behind;

	if (!row)
		return;
	behind = rows->n - (size_t)(row - rows->items) - 1;
	free(row->text);
	memmove(row, row + 1, behind * sizeof *row);
	rows->n--;
}

/* ---- a new row ------------------------------------------------------------------------------------------------- */

struct word {
	const char *start;
	size_t spaces, length; /* spaces before it */
};

static bool next_word(const char **at, struct word *ret)
{
	ret->spaces = strspn(*at, " ");
	ret->start = *at + ret->spaces;
	ret->length = strcspn(ret->start, " ");
	*at = ret->start + ret->length;
	return ret->length;
}

/* A word that is a number, alone or before "-edge": a count, or behind the chip's name, the hardware's number. */
static bool is_number(const struct word *word)
{
	size_t digits = strspn(word->start, "0123456789");

	return digits && digits < 18 && (digits >= word->length || word->start[digits] == '-');
}

/* Copies the numbers that come next, as 0 or increased; the column's width stays. */
static void copy_numbers(FILE *out, const char **at, bool zero, int further)
{
	const char *before = *at;
	struct word word;

	while (next_word(at, &word) && is_number(&word)) {
		long long value = zero ? 0 : atoll(word.start) + further;
		size_t digits = strspn(word.start, "0123456789");
		CLEANUP(free_string)
		char *text = text_format("%lld%.*s", value, (int)(word.length - digits), word.start + digits);

		fprintf(out, "%*s", (int)(word.spaces + word.length), text);
		before = *at;
	}
	*at = before;
}

/* Copies the words that come next and are no numbers, as they are. */
static void copy_words(FILE *out, const char **at, const char *end)
{
	const char *before = *at;
	struct word word;

	while (next_word(at, &word) && !is_number(&word) && word.start < end) {
		fprintf(out, "%.*s", (int)(*at - before), before);
		before = *at;
	}
	*at = before;
}

/* A row is "IRQ: counts chip hardware-number kind action". */
static char *make_text(const struct row *pattern, uint32_t irq, int further)
{
	const char *action = row_action(pattern), *at = pattern->text;
	CLEANUP(free_string) char *number = text_format("%u:", irq), *renamed = action_renumbered(action, further);
	struct word label;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort(); /* no memory, see steer/cleanup.h */
	next_word(&at, &label);
	fprintf(out, "%*s", (int)(label.spaces + label.length), number);
	copy_numbers(out, &at, true, 0);
	copy_words(out, &at, action);
	copy_numbers(out, &at, false, further);
	fprintf(out, "%.*s%s", (int)(action - at), at, renamed ? renamed : action);
	fclose(out);
	return text;
}

void rows_add(struct rows *rows, const struct row *pattern, uint32_t irq, int further, const char *once)
{
	char *text = make_text(pattern, irq, further);
	size_t at = rows->n;

	for (size_t i = 0; i < rows->n; i++) {
		if (!rows->items[i].irq.set)
			continue;
		at = rows->items[i].irq.value > irq ? i : i + 1;
		if (at == i)
			break;
	}
	if (once && text_equal(last_word(once), last_word(text))) {
		free(text);
		text = alloc_string(once);
	}
	rows->items = alloc_more(rows->items, rows->n, sizeof *rows->items);
	memmove(&rows->items[at + 1], &rows->items[at], (rows->n - at) * sizeof *rows->items);
	rows->n++;
	rows->items[at] = (struct row){ .text = text, .irq = SOME_U32(irq) };
}
