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
static unsigned package_by_number(struct host *host, const struct place *places, size_t n, struct opt_u32 *numbers,
				  unsigned cpu)
{
	CLEANUP(free_string) char *topology = text_format(CPUS "/cpu%u/topology", cpu);

	numbers[n] = read_u32(host, topology, "physical_package_id");
	for (size_t i = 0; i < n; i++)
		if (numbers[i].set == numbers[n].set && numbers[i].value == numbers[n].value)
			return places[i].package;
	return cpu;
}

struct place *layout_by_lists(struct host *host, const cpuset *online)
{
	struct place *places = alloc_zero(cpuset_count(online), sizeof *places);
	struct opt_u32 *numbers = alloc_zero(cpuset_count(online), sizeof *numbers);
	bool known = false;
	size_t n = 0;

	for (int at = cpuset_first(online); at >= 0; at = cpuset_next(online, at), n++) {
		unsigned cpu = (unsigned)at;
		CLEANUP(free_string) char *topology = text_format(CPUS "/cpu%u/topology", cpu);
		int core = first_of_either(host, topology, "core_cpus_list", "thread_siblings_list", online, cpu);
		int package = first_of_either(host, topology, "package_cpus_list", "core_siblings_list", online, cpu);
		int llc = first_of_cache(host, cpu, online);
		struct place *place = &places[n];

		known |= core >= 0;
		place->cpu = cpu;
		place->core = core < 0 ? cpu : (unsigned)core;
		place->package = package < 0 ? package_by_number(host, places, n, numbers, cpu) : (unsigned)package;
		place->llc = llc < 0 ? place->package : (unsigned)llc;
	}
	free(numbers);
	if (!known)
		free(TAKE(places));
	return known ? places : NULL;
}
