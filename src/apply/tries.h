/* What was tried in one run, so that nothing is tried for ever. */
#pragma once

#include <steer/plan.h>

enum { TRIES_MOST = 3 }; /* how often one value is written in a run: once, and twice again when it was undone */

struct tried {
	struct change change; /* with what became of it */
	unsigned times;
	bool kept;  /* it read back as written, at once */
	bool final; /* not to be tried again in this run */
};

struct tries {
	struct tried *items;
	size_t n;
};

void tries_clear(struct tries *tries); /* for CLEANUP */

/* Notes one more try of a change. The result is valid until the next call; its state is the caller's to set. */
struct tried *tries_add(struct tries *tries, const struct change *change);

/* Whether this change was tried and read back as written. */
bool tries_kept(const struct tries *tries, const struct change *change);

/* Holds a new plan against what was tried. What was refused for good stays as it was; what was done and yet is to do
 * again failed if the device never took it, or undid it too often. True: something was given up just now, so the plan
 * must be made again. */
bool tries_judge(struct tries *tries, struct plan *plan);

/* What plan_make is to know. Borrowed from tries; only ret->items is freed. */
void tries_attempts(const struct tries *tries, struct attempts *ret);

/* Makes the last plan the report: each setting once, with its last state. */
void tries_merge(const struct tries *tries, struct plan *plan);
