/* Values that are a time: reading them strictly, printing them back in seconds. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "keys.h"

static const struct {
	const char *name;
	uint32_t seconds;
} units[] = { { "h", 3600 }, { "min", 60 }, { "s", 1 }, { "", 1 } };

/* In seconds; 0 for what is no time. */
static uint64_t parse_time(const char *value)
{
	size_t digits = strspn(value, "0123456789");
	CLEANUP(free_string) char *number = text_format("%.*s", (int)digits, value);
	uint32_t count;

	for (size_t i = 0; i < COUNT_OF(units); i++)
		if (strcmp(value + digits, units[i].name) == 0 && text_u32(number, &count) == 0)
			return (uint64_t)count * units[i].seconds;
	return 0;
}

static int read_seconds(const struct key *key, const char *value, struct origin at, void *field,
			struct problem *problem)
{
	uint64_t seconds = 0;

	if (!word_find(key->words, value)) {
		seconds = parse_time(value);
		if (seconds == 0)
			return value_refused(key, value, problem);
		if (seconds < key->least || seconds > key->most)
			return problem_set(problem, 1, "%s is not between %u and %u seconds", value, key->least,
					   key->most);
	}
	*(struct count_value *)field =
		(struct count_value){ .mode = COUNT_NUMBER, .number = (uint32_t)seconds, .at = at };
	return 0;
}

static bool seconds_present(const void *field)
{
	return ((const struct count_value *)field)->mode != COUNT_ABSENT;
}

static char *seconds_text(const struct key *key, const void *field)
{
	uint32_t seconds = ((const struct count_value *)field)->number;

	if (seconds == 0)
		return alloc_string(word_of(key->words, 0));
	return text_format("%us", seconds);
}

static void clear_nothing(void *field)
{
	(void)field;
}

const struct key_type seconds_type = { read_seconds, seconds_present, seconds_text, clear_nothing };
