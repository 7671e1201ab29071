/* CPU expressions as a tree: what the parser makes, and what evaluation and printing walk. */
#pragma once

#include <steer/policy.h>

#include "problem.h"

enum cpuexpr_kind {
	/* words */
	CPUEXPR_NONE,
	CPUEXPR_ALL,
	CPUEXPR_ONLINE,
	CPUEXPR_LOCAL,
	CPUEXPR_REMOTE,
	CPUEXPR_ISOLATED,
	CPUEXPR_HOUSEKEEPING,
	CPUEXPR_IRQ_CPUS,
	CPUEXPR_CPUS,
	/* WORD:number */
	CPUEXPR_NODE,
	CPUEXPR_PACKAGE,
	CPUEXPR_LLC,
	/* written out */
	CPUEXPR_LIST,
	CPUEXPR_MASK,
	/* WORD(CPUs) */
	CPUEXPR_CORES,
	CPUEXPR_THREADS,
	CPUEXPR_LACKING,
	/* WORD(number, CPUs) */
	CPUEXPR_FIRST,
	CPUEXPR_LAST,
	CPUEXPR_SKIP,
	CPUEXPR_SPREAD,
	/* left OPERATOR right */
	CPUEXPR_ADD,
	CPUEXPR_KEEP,
	CPUEXPR_DROP,
	CPUEXPR_KINDS
};

enum form { FORM_WORD, FORM_NUMBERED, FORM_FUNCTION, FORM_COUNTING, FORM_OPERATOR, FORM_WRITTEN };

struct cpuexpr_form {
	const char *word; /* NULL: written out */
	enum form form;
	uint32_t least, most; /* of its number */
};

extern const struct cpuexpr_form cpuexpr_forms[CPUEXPR_KINDS];

struct cpurange { /* first-last:used/group; a single CPU has first == last */
	unsigned first, last;
	bool first_is_n, last_is_n; /* written as "N", the last CPU */
	unsigned used, group;       /* 1, 1: all of it */
};

struct cpuexpr {
	enum cpuexpr_kind kind;
	uint32_t number; /* of node, package, llc, first, last, skip, spread */
	struct cpurange *ranges;
	size_t nranges;
	char *mask_text; /* as written */
	cpuset *mask;
	struct cpuexpr *left, *right; /* a function has only left */
};

/* As cpuexpr_parse(), with the hint apart. -EINVAL, or 0. */
int cpuexpr_read(const char *text, struct cpuexpr **ret, struct problem *ret_problem);

bool cpuexpr_has(const struct cpuexpr *expr, enum cpuexpr_kind kind);
void cpuexpr_freep(struct cpuexpr **expr);

/* The functions, each with its number (cores_of and threads_of have none). The caller frees the set. */
typedef cpuset *pick(const struct topology *topology, const cpuset *set, size_t n);
pick cores_of, threads_of, first_of, last_of, rest_of, spread_over;
