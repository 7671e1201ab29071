/* Values that are paths of files. Looks at no file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "keys.h"

static int keep(const char *value, struct origin at, struct text_value *ret)
{
	free(ret->text);
	*ret = (struct text_value){ .text = alloc_string(value), .at = at };
	return 0;
}

static int read_path(const struct key *key, const char *value, struct origin at, void *field, struct problem *problem)
{
	(void)key;
	if (*value != '/')
		return problem_set(problem, 1, "'%s' does not begin with '/'", value);
	return keep(value, at, field);
}

/* A path, or a name to look for where programs are. */
static int read_program(const struct key *key, const char *value, struct origin at, void *field,
			struct problem *problem)
{
	if (*value == '/')
		return read_path(key, value, at, field, problem);
	if (strpbrk(value, "/ \t"))
		return problem_set(problem, 1, "'%s' is neither a name nor a path that begins with '/'", value);
	return keep(value, at, field);
}

static bool text_present(const void *field)
{
	return ((const struct text_value *)field)->text != NULL;
}

static char *text_text(const struct key *key, const void *field)
{
	(void)key;
	return alloc_string(((const struct text_value *)field)->text);
}

static void clear_text(void *field)
{
	free_string(&((struct text_value *)field)->text);
}

const struct key_type path_type = { read_path, text_present, text_text, clear_text };
const struct key_type program_type = { read_program, text_present, text_text, clear_text };
