/* Where the CPUs lie, as hwloc's Linux backend reads it from /sys and /proc below the root. The only file here that
 * knows hwloc; it asks for cores, caches and packages and for nothing that would make hwloc read more. */
#include "private.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

/* ---- the environment, which is how hwloc is told ----------------------------------------------------------------- */

struct setting {
	const char *name;
	const char *value; /* while loading; NULL: unset */
	char *before;
};

static void exchange(struct setting *settings, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		settings[i].before = alloc_string(getenv(settings[i].name));
		if (settings[i].value)
			setenv(settings[i].name, settings[i].value, 1);
		else
			unsetenv(settings[i].name);
	}
}

static void restore(struct setting *settings, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (settings[i].before)
			setenv(settings[i].name, settings[i].before, 1);
		else
			unsetenv(settings[i].name);
		free_string(&settings[i].before);
	}
}

/* Contradictory firmware tables make hwloc print to standard error unless it is told not to; topology.c has its own
 * word on them. A captured machine is not this system, whatever the user's environment says. */
static int load(struct host *host, hwloc_topology_t topology)
{
	struct setting settings[] = {
		{ .name = "HWLOC_FSROOT", .value = host_is_live(host) ? NULL : host_root(host) },
		{ .name = "HWLOC_COMPONENTS", .value = "linux,stop" },
		{ .name = "HWLOC_HIDE_ERRORS", .value = "2" },
		{ .name = "HWLOC_THISSYSTEM" },
		{ .name = "HWLOC_XMLFILE" },
		{ .name = "HWLOC_SYNTHETIC" },
		{ .name = "HWLOC_CPUID_PATH" },
		{ .name = "HWLOC_KEEP_NVIDIA_GPU_NUMA_NODES" },
	};
	int r;

	exchange(settings, COUNT_OF(settings));
	r = hwloc_topology_load(topology);
	restore(settings, COUNT_OF(settings));
	return r;
}

/* hwloc ends the process (an assertion in list_sysfsnode) where /sys/devices/system/node is there but names no node,
 * and fills memory with a set that holds one of a huge number: captures with files missing or spoilt. */
static bool nodes_can_be_counted(struct host *host)
{
	CLEANUP(strings_clear) struct strings entries = { 0 };
	CLEANUP(free_string) char *online = NULL;
	CLEANUP(cpuset_freep) cpuset *nodes = NULL;
	bool some = false;

	if (host_is_live(host))
		return true;
	if (host_list(host, "sys/devices/system/node", &entries) < 0)
		return true;
	for (size_t i = 0; i < entries.n; i++) {
		uint32_t id;
		int r = text_suffix_u32(entries.items[i], "node", &id);

		if (r == -ERANGE || (r == 0 && id >= CPUSET_MAX))
			return false;
		some |= r == 0;
	}
	if (host_read(host, "sys/devices/system/node/online", &online) == 0)
		return cpuset_parse_list(online, &nodes) == 0;
	return some;
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static const hwloc_obj_type_t kept[] = { HWLOC_OBJ_PACKAGE, HWLOC_OBJ_CORE,    HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
					 HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE };

#if HWLOC_API_VERSION < 0x00020800 /* older ones do not know how to leave these out */
#define HWLOC_TOPOLOGY_FLAG_NO_DISTANCES 0
#define HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS 0
#define HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS 0
#endif

/* Disallowed CPUs are kept: a daemon that runs in a cpuset still places interrupts on the whole machine. */
static int configure(hwloc_topology_t topology)
{
	const unsigned long flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
				    HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS;

	if (hwloc_topology_set_flags(topology, flags) < 0)
		return -1;
	hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
	for (size_t i = 0; i < COUNT_OF(kept); i++)
		if (hwloc_topology_set_type_filter(topology, kept[i], HWLOC_TYPE_FILTER_KEEP_ALL) < 0)
			return -1;
	return 0;
}

/* The lowest online CPU of an object. */
static unsigned name_of(hwloc_obj_t object, const cpuset *online)
{
	int cpu = object ? hwloc_bitmap_first(object->cpuset) : -1;

	while (cpu >= 0 && !cpuset_has(online, (unsigned)cpu))
		cpu = hwloc_bitmap_next(object->cpuset, cpu);
	return cpu < 0 ? NOWHERE : (unsigned)cpu;
}

static hwloc_obj_t last_cache(hwloc_obj_t object)
{
	hwloc_obj_t cache = NULL;

	for (; object; object = object->parent)
		if (hwloc_obj_type_is_dcache(object->type))
			cache = object;
	return cache;
}

static struct place place_of(hwloc_topology_t topology, unsigned cpu, const cpuset *online)
{
	hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, cpu);
	hwloc_obj_t core = pu ? hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu) : NULL;
	hwloc_obj_t package = pu ? hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, pu) : NULL;

	return (struct place){ .cpu = cpu,
			       .package = name_of(package, online),
			       .llc = name_of(last_cache(pu), online),
			       .core = name_of(core, online) };
}

struct place *layout_by_hwloc(struct host *host, const cpuset *online)
{
	struct place *places = NULL;
	hwloc_topology_t topology;
	bool known = false;
	size_t n = 0;

	if (!nodes_can_be_counted(host) || hwloc_topology_init(&topology) < 0)
		return NULL;
	if (configure(topology) == 0 && load(host, topology) == 0) {
		places = alloc_zero(cpuset_count(online), sizeof *places);
		for (int cpu = cpuset_first(online); cpu >= 0; cpu = cpuset_next(online, cpu)) {
			places[n] = place_of(topology, (unsigned)cpu, online);
			known |= places[n++].core != NOWHERE;
		}
	}
	hwloc_topology_destroy(topology);
	if (!known)
		free(TAKE(places));
	return known ? places : NULL;
}
