/* What is wrong with a value: its text, its hint, its place in the value. Decides nothing. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "problem.h"

void problem_clear(struct problem *problem)
{
	free(problem->text);
	free(problem->hint);
	*problem = (struct problem){ 0 };
}

int problem_set(struct problem *problem, unsigned column, const char *format, ...)
{
	va_list arguments;

	problem_clear(problem);
	va_start(arguments, format);
	if (vasprintf(&problem->text, format, arguments) < 0)
		abort();
	va_end(arguments);
	problem->column = column;
	return -EINVAL;
}

int problem_near(struct problem *problem, const char *word, const char *const *words, size_t n)
{
	const char *near = text_nearest(word, words, n);

	if (near) {
		free(problem->hint);
		problem->hint = text_format("did you mean '%s'?", near);
	}
	return -EINVAL;
}
