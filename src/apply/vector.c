/* Where an interrupt can go when the CPU it was meant for has no free vector. Pure. */
#include "run.h"

int vector_next(const struct topology *topology, const cpuset *allowed, unsigned wanted, const cpuset *tried)
{
	const struct cpu *home = topology_cpu(topology, wanted);
	size_t start = home ? (size_t)(home - topology->cpus) : 0;

	for (size_t i = 1; home && i < topology->ncpus; i++) {
		const struct cpu *cpu = &topology->cpus[(start + i) % topology->ncpus];

		if (cpu->llc == home->llc && cpuset_has(allowed, cpu->id) && !cpuset_has(tried, cpu->id))
			return (int)cpu->id;
	}
	return -1;
}
