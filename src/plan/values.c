/* Values that are words, counts or CPUs: reading them strictly, printing them back, freeing them. Knows no machine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "cpuexpr.h"
#include "keys.h"

/* ---- words ------------------------------------------------------------------------------------------------------ */

const struct word *word_find(const struct word *words, const char *word)
{
	for (; words && words->word; words++)
		if (strcmp(words->word, word) == 0)
			return words;
	return NULL;
}

const char *word_of(const struct word *words, int value)
{
	for (; words && words->word; words++)
		if (words->value == value)
			return words->word;
	return "?";
}

/* Adds the nearest of the key's words as a hint. */
static int near_word(const struct key *key, const char *value, struct problem *problem)
{
	const char *candidates[16];
	size_t n = 0;

	for (const struct word *word = key->words; word && word->word && n < COUNT_OF(candidates); word++)
		candidates[n++] = word->word;
	return problem_near(problem, value, candidates, n);
}

int value_refused(const struct key *key, const char *value, struct problem *problem)
{
	problem_set(problem, 1, "takes %s, not '%s'", key->values, value);
	return near_word(key, value, problem);
}

static int read_word(const struct key *key, const char *value, struct origin at, void *field, struct problem *problem)
{
	const struct word *word = word_find(key->words, value);

	if (!word)
		return value_refused(key, value, problem);
	*(struct word_value *)field = (struct word_value){ .value = word->value, .at = at };
	return 0;
}

static bool word_present(const void *field)
{
	return ((const struct word_value *)field)->at.line > 0;
}

static char *word_text(const struct key *key, const void *field)
{
	return alloc_string(word_of(key->words, ((const struct word_value *)field)->value));
}

static void clear_nothing(void *field)
{
	(void)field;
}

const struct key_type word_type = { read_word, word_present, word_text, clear_nothing };

/* ---- counts ----------------------------------------------------------------------------------------------------- */

static int read_count(const struct key *key, const char *value, struct origin at, void *field, struct problem *problem)
{
	const struct word *word = word_find(key->words, value);
	struct count_value count = { .mode = COUNT_NUMBER, .at = at };
	int r;

	if (word) {
		count.mode = (enum count_mode)word->value;
	} else {
		r = text_u32(value, &count.number);
		if (r == -EINVAL)
			return value_refused(key, value, problem);
		if (r < 0 || count.number < key->least || count.number > key->most)
			return problem_set(problem, 1, "%s is not between %u and %u", value, key->least, key->most);
	}
	*(struct count_value *)field = count;
	return 0;
}

static bool count_present(const void *field)
{
	return ((const struct count_value *)field)->mode != COUNT_ABSENT;
}

static char *count_text(const struct key *key, const void *field)
{
	const struct count_value *count = field;

	if (count->mode == COUNT_NUMBER)
		return text_format("%u", count->number);
	return alloc_string(word_of(key->words, (int)count->mode));
}

const struct key_type count_type = { read_count, count_present, count_text, clear_nothing };

/* ---- CPUs ------------------------------------------------------------------------------------------------------- */

static bool is_word(const char *value)
{
	return !value[strspn(value, "abcdefghijklmnopqrstuvwxyz-_")];
}

static int read_cpus(const struct key *key, const char *value, struct origin at, void *field, struct problem *problem)
{
	const struct word *word = word_find(key->words, value);
	struct cpus_value cpus = { .mode = CPUS_EXPR, .at = at };

	if (word) {
		cpus.mode = (enum cpus_mode)word->value;
	} else if (cpuexpr_read(value, &cpus.expr, problem) < 0) {
		return is_word(value) ? near_word(key, value, problem) : -EINVAL;
	} else if (cpuexpr_has(cpus.expr, CPUEXPR_CPUS) && strcmp(key->name, "cpus") == 0) {
		cpuexpr_free(cpus.expr);
		return problem_set(problem, 1, "can't be made of itself");
	} else if (cpus.expr->kind == CPUEXPR_NONE) {
		cpuexpr_free(cpus.expr);
		if (!word_find(key->words, "off"))
			return problem_set(problem, 1, "needs at least one CPU");
		cpus = (struct cpus_value){ .mode = CPUS_OFF, .at = at };
	}
	*(struct cpus_value *)field = cpus;
	return 0;
}

static bool cpus_present(const void *field)
{
	return ((const struct cpus_value *)field)->mode != CPUS_ABSENT;
}

static char *cpus_text(const struct key *key, const void *field)
{
	const struct cpus_value *cpus = field;

	return cpus->mode == CPUS_EXPR ? cpuexpr_text(cpus->expr) : alloc_string(word_of(key->words, (int)cpus->mode));
}

static void clear_cpus(void *field)
{
	cpuexpr_freep(&((struct cpus_value *)field)->expr);
}

const struct key_type cpus_type = { read_cpus, cpus_present, cpus_text, clear_cpus };
