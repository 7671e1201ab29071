/* Where the CPUs lie, from the list files of /sys/devices/system/cpu: for captures that have those alone, which hwloc
 * does not read. Says nothing when the siblings of no CPU are known. */
#include "private.h"

#include <stdlib.h>

#include <steer/cleanup.h>

#define CPUS "sys/devices/system/cpu"

/* The lowest online CPU of a list that holds the CPU itself; -1: there is no such list. */
static int first_of(struct host *host, const char *directory, const char *name, const cpuset *online, unsigned cpu)
{
	CLEANUP(cpuset_freep) cpuset *set = read_cpus(host, directory, name);

	if (!cpuset_has(set, cpu))
		return -1;
	cpuset_keep(set, online);
	return cpuset_first(set);
}

static int first_of_either(struct host *host, const char *directory, const char *name, const char *old_name,
			   const cpuset *online, unsigned cpu)
{
	int first = first_of(host, directory, name, online, cpu);

	return first >= 0 ? first : first_of(host, directory, old_name, online, cpu);
}

/* The lowest CPU that shares the cache of the highest level. */
static int first_of_cache(struct host *host, unsigned cpu, const cpuset *online)
{
	CLEANUP(free_string) char *caches = text_format(CPUS "/cpu%u/cache", cpu);
	CLEANUP(strings_clear) struct strings names = { 0 };
	uint32_t highest = 0;
	int found = -1;

	host_list(host, caches, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *cache = text_format("%s/%s", caches, names.items[i]);
		struct opt_u32 level = read_u32(host, cache, "level");

		if (!level.set || level.value <= highest)
			continue;
		found = first_of(host, cache, "shared_cpu_list", online, cpu);
		highest = level.value;
	}
	return found;
}

/* Without a list of the package's CPUs: the lowest CPU with the same package number. */
void place_packages(struct host *host, const cpuset *online, struct place *places)
{
	size_t n = cpuset_count(online);
	struct opt_u32 *numbers = alloc_zero(n, sizeof *numbers);

	for (size_t i = 0; i < n; i++) {
		CLEANUP(free_string) char *topology = text_format(CPUS "/cpu%u/topology", places[i].cpu);
		int first;

		if (places[i].package != NOWHERE)
			continue;
		first = first_of_either(host, topology, "package_cpus_list", "core_siblings_list", online,
					places[i].cpu);
		if (first >= 0) {
			places[i].package = (unsigned)first;
			continue;
		}
		numbers[i] = read_u32(host, topology, "physical_package_id");
		for (size_t j = 0; j <= i && places[i].package == NOWHERE; j++)
			if (numbers[j].set && numbers[i].set && numbers[j].value == numbers[i].value)
				places[i].package = places[j].cpu;
	}
	free(numbers);
}

struct place *layout_by_lists(struct host *host, const cpuset *online)
{
	struct place *places = alloc_zero(cpuset_count(online), sizeof *places);
	bool known = false;
	size_t n = 0;

	for (int cpu = cpuset_first(online); cpu >= 0; cpu = cpuset_next(online, cpu)) {
		CLEANUP(free_string) char *topology = text_format(CPUS "/cpu%d/topology", cpu);
		int core = first_of_either(host, topology, "core_cpus_list", "thread_siblings_list", online,
					   (unsigned)cpu);
		int llc = first_of_cache(host, (unsigned)cpu, online);

		known |= core >= 0;
		places[n++] = (struct place){ .cpu = (unsigned)cpu,
					      .package = NOWHERE,
					      .llc = llc < 0 ? NOWHERE : (unsigned)llc,
					      .core = core < 0 ? NOWHERE : (unsigned)core };
	}
	if (!known)
		free(TAKE(places));
	return known ? places : NULL;
}
