/* Strict reading of numbers, lists of strings, and the nearest valid word for a misspelt one. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A list of strings that owns them. {0} is empty. */
struct strings {
	char **items;
	size_t n;
};

void strings_add(struct strings *list, const char *text); /* adds a copy */
void strings_take(struct strings *list, char *text);      /* adds text itself */
bool strings_have(const struct strings *list, const char *text);
void strings_sort(struct strings *list); /* natural order: rx-2 before rx-10 */
void strings_split(struct strings *list, const char *text, const char *separators); /* adds the words, no empty ones */
char *strings_join(const struct strings *list, const char *between);                /* caller frees */
void strings_clear(struct strings *list);                                           /* for CLEANUP too */

/* The whole text as a decimal number, nothing before or behind. -EINVAL, or -ERANGE beyond 32 bits. */
int text_u32(const char *text, uint32_t *ret);

/* The number a name ends in ("rx-12" with prefix "rx-" -> 12). -EINVAL when the form is another. */
int text_suffix_u32(const char *text, const char *prefix, uint32_t *ret);

char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2))); /* caller frees */
char *text_trim(char *text); /* cuts white space at both ends, in place; returns the start */
bool text_starts(const char *text, const char *prefix);
bool text_equal(const char *a, const char *b);      /* NULL equals only NULL */
int text_natural(const char *a, const char *b);     /* order in which numbers count as numbers: eth2 < eth10 */
bool text_glob(const char *glob, const char *text); /* shell glob, as fnmatch(3) without flags */

char *text_sha256(const char *text); /* hexadecimal; caller frees */

/* Of n candidates the nearest to a misspelt word by edit distance, or NULL when none is near enough to be meant. */
const char *text_nearest(const char *word, const char *const *candidates, size_t n);
