/* Owners that let go by themselves at the end of their scope, and allocation that cannot fail.
 *
 * A function that owns something keeps it in a local marked CLEANUP(...) until it hands it over with TAKE().
 * Running out of memory ends the process: steerd keeps nothing in memory that the machine or its run directory
 * does not also hold, so starting again is the recovery. */
#pragma once

#include <stddef.h>

/* CLEANUP(f): when the variable leaves its scope, f(&variable) is called. */
#define CLEANUP(f) __attribute__((cleanup(f)))

/* TAKE(p): the value of the pointer p, which becomes NULL: ownership moves to whoever receives the value. */
#define TAKE(p)                                                                                                        \
	__extension__({                                                                                                \
		__typeof__(p) taken_ = (p);                                                                            \
		(p) = NULL;                                                                                            \
		taken_;                                                                                                \
	})

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Zeroed memory for n objects of a size. Never NULL; free with free(). */
void *alloc_zero(size_t n, size_t size);

/* Makes room for one more object behind the n that array holds, zeroes it, and returns the (moved) array.
 * Usage: v->items = alloc_more(v->items, v->n, sizeof *v->items); then fill v->items[v->n++]. */
void *alloc_more(void *array, size_t n, size_t size);

char *alloc_string(const char *text); /* a copy; NULL stays NULL */

/* For CLEANUP: */
void free_string(char **text);
void close_fd(int *fd); /* closes unless negative; errno survives */
