/* CPU sets: hwloc bitmaps behind the few operations that steerd needs, and the two texts the kernel uses for them
 * (Documentation/core-api/printk-formats.rst, bitmap and its list form).
 *
 * A list is "0-3,8"; the empty set is "". A mask is hexadecimal in groups of 32 bits, "ff,00000000".
 * Sets are compared as sets, never as text: the kernel prints one set in many widths. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct hwloc_bitmap_s;
typedef struct hwloc_bitmap_s cpuset;

enum { CPUSET_MAX = 8192 }; /* ids 0..8191: the largest CONFIG_NR_CPUS of any architecture */

cpuset *cpuset_new(void);              /* empty; never NULL */
cpuset *cpuset_dup(const cpuset *set); /* NULL stays NULL */
cpuset *cpuset_one(unsigned cpu);      /* a set of one CPU */
void cpuset_free(cpuset *set);         /* NULL is fine */
void cpuset_freep(cpuset **set);       /* for CLEANUP */

void cpuset_add(cpuset *set, unsigned cpu);
void cpuset_drop(cpuset *set, unsigned cpu);
void cpuset_add_all(cpuset *set, const cpuset *other);  /* set |= other */
void cpuset_keep(cpuset *set, const cpuset *other);     /* set &= other */
void cpuset_drop_all(cpuset *set, const cpuset *other); /* set -= other */

bool cpuset_has(const cpuset *set, unsigned cpu);
bool cpuset_empty(const cpuset *set); /* NULL counts as empty, here and below */
bool cpuset_equal(const cpuset *a, const cpuset *b);
bool cpuset_within(const cpuset *part, const cpuset *whole);
bool cpuset_overlap(const cpuset *a, const cpuset *b);
unsigned cpuset_count(const cpuset *set);
int cpuset_first(const cpuset *set);            /* -1 when empty */
int cpuset_next(const cpuset *set, int before); /* the next after `before`, -1 at the end; start with -1 */
int cpuset_last(const cpuset *set);             /* -1 when empty */

/* Reads a kernel list, "0-3,8" or "0-7:2/4" (of each 4 CPUs the first 2). White space around it and trailing NULs are
 * ignored (some kernels end files so); "" is the empty set. -EINVAL: not a list; -ERANGE: an id >= CPUSET_MAX. */
int cpuset_parse_list(const char *text, cpuset **ret);

/* Reads a mask, any number of comma groups, with or without "0x" before the first. Errors as above. */
int cpuset_parse_mask(const char *text, cpuset **ret);

char *cpuset_list(const cpuset *set); /* "0-3,8"; caller frees */

/* The mask as wide as the kernel prints it for nr_cpu_ids ids: full groups, the first one shortened ("ff",
 * "00,00100000"). Ids >= nr_cpu_ids are not printed. Caller frees. */
char *cpuset_mask(const cpuset *set, unsigned nr_cpu_ids);
