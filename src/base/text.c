/* Strings: lists of them, strict numbers, natural order, and the nearest word. Pure. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/text.h>

void strings_add(struct strings *list, const char *text)
{
	strings_take(list, alloc_string(text));
}

void strings_take(struct strings *list, char *text)
{
	list->items = alloc_more(list->items, list->n, sizeof *list->items);
	list->items[list->n++] = text;
}

bool strings_have(const struct strings *list, const char *text)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i], text) == 0)
			return true;
	return false;
}

static int by_natural_order(const void *a, const void *b)
{
	return text_natural(*(char *const *)a, *(char *const *)b);
}

void strings_sort(struct strings *list)
{
	if (list->n > 1)
		qsort(list->items, list->n, sizeof *list->items, by_natural_order);
}

void strings_split(struct strings *list, const char *text, const char *separators)
{
	for (const char *at = text + strspn(text, separators); *at; at += strspn(at, separators)) {
		size_t length = strcspn(at, separators);

		strings_take(list, text_format("%.*s", (int)length, at));
		at += length;
	}
}

char *strings_join(const struct strings *list, const char *between)
{
	size_t size = 1;
	char *text, *end;

	for (size_t i = 0; i < list->n; i++)
		size += strlen(list->items[i]) + strlen(between);
	end = text = alloc_zero(size, 1);
	for (size_t i = 0; i < list->n; i++)
		end = stpcpy(stpcpy(end, i ? between : ""), list->items[i]);
	return text;
}

void strings_clear(struct strings *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct strings){ 0 };
}

int text_u32(const char *text, uint32_t *ret)
{
	uint64_t value = 0;

	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		if (!isdigit((unsigned char)*text))
			return -EINVAL;
		value = value * 10 + (uint64_t)(*text - '0');
		if (value > UINT32_MAX)
			return -ERANGE;
	}
	*ret = (uint32_t)value;
	return 0;
}

int text_suffix_u32(const char *text, const char *prefix, uint32_t *ret)
{
	return text_starts(text, prefix) ? text_u32(text + strlen(prefix), ret) : -EINVAL;
}

char *text_format(const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0) {
		fputs("steerd: out of memory\n", stderr);
		abort();
	}
	return text;
}

char *text_trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text;
}

bool text_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_equal(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Compares the digits at both places as a number of any length. */
static int compare_numbers(const char **a, const char **b)
{
	size_t na, nb;
	int order;

	*a += strspn(*a, "0");
	*b += strspn(*b, "0");
	na = strspn(*a, "0123456789");
	nb = strspn(*b, "0123456789");
	if (na != nb)
		return na < nb ? -1 : 1;
	order = memcmp(*a, *b, na);
	*a += na;
	*b += nb;
	return order;
}

int text_natural(const char *a, const char *b)
{
	const char *from_a = a, *from_b = b;

	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			int order = compare_numbers(&a, &b);

			if (order)
				return order;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	if (*a || *b)
		return *a ? 1 : -1;
	return strcmp(from_a, from_b); /* "eth01" and "eth1" still have one order */
}

bool text_glob(const char *glob, const char *text)
{
	return fnmatch(glob, text, 0) == 0;
}

static size_t least(size_t a, size_t b, size_t c)
{
	size_t smaller = a < b ? a : b;

	return smaller < c ? smaller : c;
}

/* Levenshtein's distance, row by row. */
static size_t distance(const char *a, const char *b)
{
	size_t width = strlen(b), above_left, result;
	size_t *row = alloc_zero(width + 1, sizeof *row);

	for (size_t j = 0; j <= width; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		above_left = row[0];
		row[0] = i;
		for (size_t j = 1; j <= width; j++) {
			size_t above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1,
				       above_left +
					       (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1])));
			above_left = above;
		}
	}
	result = row[width];
	free(row);
	return result;
}

const char *text_nearest(const char *word, const char *const *candidates, size_t n)
{
	size_t nearest = strlen(word) / 3 + 1; /* more wrong letters than that are another word */
	const char *found = NULL;

	if (strlen(word) > 64)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t away = distance(word, candidates[i]);

		if (away <= nearest && away < strlen(candidates[i])) {
			found = away < nearest || !found ? candidates[i] : found;
			nearest = away;
		}
	}
	return found;
}
