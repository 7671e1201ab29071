/* The kinds of values that keys of a policy have, each with the place where it was written. Plain values. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <steer/text.h>

struct cpuexpr; /* a CPU expression, parsed */

struct origin {           /* where a value was written */
	const char *file; /* owned by the policy; NULL: not set */
	unsigned line;
};

/* Patterns of a match key: any of the plain ones must match, none of those with a leading "!". */
struct patterns {
	struct strings globs;
	struct origin at; /* at.line 0: the key is absent */
};

enum count_mode { COUNT_ABSENT, COUNT_PER_CPU, COUNT_MAX, COUNT_NUMBER };

struct count_value { /* channels, ring.* , rps.flows */
	enum count_mode mode;
	uint32_t number; /* COUNT_NUMBER */
	struct origin at;
};

enum cpus_mode {
	CPUS_ABSENT,
	CPUS_OFF,        /* "off", "none": the empty set */
	CPUS_SPREAD,     /* irq: queue i on the i-th CPU of the section */
	CPUS_ALL,        /* irq: each queue on all CPUs of the section */
	CPUS_FOLLOW_IRQ, /* xps: the CPU of the queue's own interrupt */
	CPUS_RXQS,       /* xps: by receive queue, xps_rxqs */
	CPUS_EXPR,
};

struct cpus_value { /* cpus, irq, irq.control, rps, xps */
	enum cpus_mode mode;
	struct cpuexpr *expr; /* CPUS_EXPR */
	struct origin at;
};

struct word_value { /* a key with a few words: one of the enums above, or a bool */
	int value;
	struct origin at; /* at.line 0: absent */
};

struct number_match { /* match.cpus = >=4 */
	enum { CMP_EQ, CMP_LT, CMP_LE, CMP_GT, CMP_GE } compare;
	uint32_t number;
	struct origin at;
};

struct text_value { /* a path */
	char *text; /* NULL: absent */
	struct origin at;
};
