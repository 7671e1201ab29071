/* The table of keys from the inside: looking a key up, and reading, printing and freeing its value. */
#pragma once

#include <steer/policy.h>

#include "problem.h"

struct word {
	const char *word; /* NULL ends a list of words */
	int value;
};

struct key_type {
	/* Reads a value into the field. 0, or -EINVAL with the problem set and the field as it was. */
	int (*read)(const struct key *key, const char *value, struct origin at, void *field, struct problem *problem);
	bool (*present)(const void *field);
	char *(*text)(const struct key *key, const void *field); /* canonical, of a field that is present */
	void (*clear)(void *field);
};

extern const struct key_type word_type, count_type, cpus_type;                             /* values.c */
extern const struct key_type patterns_type, names_type, kinds_type, nodes_type, macs_type, /* values_match.c */
	pci_ids_type, ports_type, number_match_type;
extern const struct key_type path_type, program_type;                    /* values_path.c */
extern const struct key_type seconds_type;                               /* values_time.c */
extern const struct key_type description_type, cmdline_type, unmet_type; /* values_host.c */

/* Adds a line of [sysctl], whose names are the user's own. 0, or -EINVAL with the problem set. */
int sysctl_add(struct policy *policy, const char *name, const char *value, struct origin at, struct problem *problem);

/* NULL: no such key. The key "net.*" of [sysctl] stands for every name. */
const struct key *key_find(const char *section, const char *name);

/* Says what is wrong with a name that key_find() does not know: a key of a later version, of another section, or a
 * slip. */
void key_explain(const char *section, const char *name, struct problem *problem);

/* The same for the kind of a section. */
bool section_known(const char *kind);
void section_explain(const char *kind, struct problem *problem);

/* A value that is none of the key's words and no number: what it takes, and the nearest of its words. */
int value_refused(const struct key *key, const char *value, struct problem *problem);
const struct word *word_find(const struct word *words, const char *word); /* words NULL: none */
const char *word_of(const struct word *words, int value);
