/* Choosing CPUs by the topology: one a core, with their siblings, a part of the order, spread far apart. Pure. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "cpuexpr.h"

cpuset *cores_of(const struct topology *topology, const cpuset *set, size_t n)
{
	CLEANUP(cpuset_freep) cpuset *result = cpuset_new(), *seen = cpuset_new();

	(void)n;
	for (size_t i = 0; i < topology->ncpus; i++) { /* first threads come first */
		const struct cpu *cpu = &topology->cpus[i];

		if (!cpuset_has(set, cpu->id) || cpuset_has(seen, cpu->core))
			continue;
		cpuset_add(seen, cpu->core);
		cpuset_add(result, cpu->id);
	}
	return TAKE(result);
}

cpuset *threads_of(const struct topology *topology, const cpuset *set, size_t n)
{
	CLEANUP(cpuset_freep) cpuset *result = cpuset_new(), *cores = cpuset_new();

	(void)n;
	for (size_t i = 0; i < topology->ncpus; i++)
		if (cpuset_has(set, topology->cpus[i].id))
			cpuset_add(cores, topology->cpus[i].core);
	for (size_t i = 0; i < topology->ncpus; i++)
		if (cpuset_has(cores, topology->cpus[i].core))
			cpuset_add(result, topology->cpus[i].id);
	return TAKE(result);
}

/* n CPUs of the set from its start-th on, in topology order. */
static cpuset *slice_of(const struct topology *topology, const cpuset *set, size_t start, size_t n)
{
	CLEANUP(cpuset_freep) cpuset *result = cpuset_new();
	unsigned *ids = NULL;
	size_t count = topology_order(topology, set, &ids);

	for (size_t i = start; i < count && i - start < n; i++)
		cpuset_add(result, ids[i]);
	free(ids);
	return TAKE(result);
}

cpuset *first_of(const struct topology *topology, const cpuset *set, size_t n)
{
	return slice_of(topology, set, 0, n);
}

cpuset *last_of(const struct topology *topology, const cpuset *set, size_t n)
{
	size_t count = cpuset_count(set);

	return slice_of(topology, set, n < count ? count - n : 0, n);
}

cpuset *rest_of(const struct topology *topology, const cpuset *set, size_t n)
{
	return slice_of(topology, set, n, cpuset_count(set));
}

/* How often something that a CPU shares was taken; looked up by its number. */
struct tally {
	unsigned *taken;
	size_t n;
};

static unsigned *tally_of(struct tally *tally, unsigned number)
{
	while (tally->n <= number) {
		tally->taken = alloc_more(tally->taken, tally->n, sizeof *tally->taken);
		tally->n++;
	}
	return &tally->taken[number];
}

enum { SHARED = 4 }; /* core, package, node, cache */

static void shared_of(const struct cpu *cpu, unsigned ret[SHARED])
{
	ret[0] = cpu->core;
	ret[1] = cpu->package;
	ret[2] = (unsigned)(cpu->node + 1);
	ret[3] = cpu->llc;
}

/* Whether a was taken less than b; in doubt not. */
static bool less_taken(struct tally tallies[SHARED], const struct cpu *a, const struct cpu *b)
{
	unsigned of_a[SHARED], of_b[SHARED];

	shared_of(a, of_a);
	shared_of(b, of_b);
	for (size_t i = 0; i < SHARED; i++) {
		unsigned taken_a = *tally_of(&tallies[i], of_a[i]), taken_b = *tally_of(&tallies[i], of_b[i]);

		if (taken_a != taken_b)
			return taken_a < taken_b;
	}
	return false;
}

cpuset *spread_over(const struct topology *topology, const cpuset *set, size_t n)
{
	CLEANUP(cpuset_freep) cpuset *result = cpuset_new(), *left = cpuset_dup(set);
	struct tally tallies[SHARED] = { 0 };

	while (n-- > 0 && !cpuset_empty(left)) {
		const struct cpu *best = NULL;
		unsigned shared[SHARED];

		for (size_t i = 0; i < topology->ncpus; i++)
			if (cpuset_has(left, topology->cpus[i].id) &&
			    (!best || less_taken(tallies, &topology->cpus[i], best)))
				best = &topology->cpus[i];
		if (!best)
			break;
		shared_of(best, shared);
		for (size_t i = 0; i < SHARED; i++)
			++*tally_of(&tallies[i], shared[i]);
		cpuset_drop(left, best->id);
		cpuset_add(result, best->id);
	}
	for (size_t i = 0; i < SHARED; i++)
		free(tallies[i].taken);
	return TAKE(result);
}
