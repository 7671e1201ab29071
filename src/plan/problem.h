/* What is wrong with a value, before it is known in which file and line the value stands. */
#pragma once

#include <steer/text.h>

struct problem {
	char *text;
	char *hint;      /* NULL: none */
	unsigned column; /* within the value, 1..; 0: the value as a whole */
};

void problem_clear(struct problem *problem); /* for CLEANUP */

/* Sets it and returns -EINVAL. */
int problem_set(struct problem *problem, unsigned column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds "did you mean '...'?" when one of the n words is near. Returns -EINVAL. */
int problem_near(struct problem *problem, const char *word, const char *const *words, size_t n);
