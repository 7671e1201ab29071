/* The CPUs of a machine: which are online, how they lie to each other, which are set aside. A plain value.
 *
 * A node of -1 means that the kernel did not say; it never means node 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <steer/cpuset.h>

struct cpu {
	unsigned id;      /* the kernel's number */
	int node;         /* NUMA node, -1 unknown */
	unsigned package; /* 0.., in topology order, as llc and core; one value a package of the whole machine */
	unsigned llc;     /* last-level cache */
	unsigned core;
	unsigned rank; /* 0: first online thread of its core, 1: its sibling, ... */
};

struct node {
	int id;
	cpuset *cpus; /* online ones; empty for a memory-only node */
};

struct topology {
	struct cpu *cpus; /* the online CPUs in topology order: all first threads (node by node, LLC by LLC, core by
			     core), then all second threads in the same order, ... */
	size_t ncpus;
	struct node *nodes; /* ascending ids; none when the kernel has no NUMA */
	size_t nnodes;
	cpuset *online;
	cpuset *possible;
	cpuset *isolated;     /* isolcpus=, nohz_full= and isolated cpuset partitions */
	cpuset *rps_excluded; /* the part of it that RPS masks lose in silence: isolcpus=, nohz_full= */
	unsigned nr_cpu_ids;  /* last possible id + 1: the width of masks */
	bool flat;            /* the core and cache layout is not known: each CPU counts as a core of its own */
};

const struct cpu *topology_cpu(const struct topology *topology, unsigned id); /* NULL: not online */
const struct node *topology_node(const struct topology *topology, int id);    /* NULL: no such node */

/* The CPUs of a set in topology order. Returns how many; *ret is an array of ids, the caller frees it. */
size_t topology_order(const struct topology *topology, const cpuset *set, unsigned **ret);

void topology_clear(struct topology *topology); /* for CLEANUP; leaves {0} */
void topology_copy(struct topology *to, const struct topology *from);
