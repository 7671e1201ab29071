/* Finds the CPUs of isolated cpuset partitions (Documentation/admin-guide/cgroup-v2.rst, cpuset). Reads only. */
#include "private.h"

#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#define CGROUPS "sys/fs/cgroup"

enum { DEPTH_MAX = 16 };

static void add_partition(struct host *host, const char *cgroup, cpuset *isolated, unsigned depth);

/* Only below a partition can there be another one, so the walk ends at once on most machines. */
static void add_children(struct host *host, const char *cgroup, cpuset *isolated, unsigned depth)
{
	CLEANUP(free_string) char *controllers = read_text(host, cgroup, "cgroup.subtree_control");
	CLEANUP(strings_clear) struct strings names = { 0 };

	if (!controllers || !strstr(controllers, "cpuset") || depth >= DEPTH_MAX)
		return;
	host_list(host, cgroup, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *child = text_format("%s/%s", cgroup, names.items[i]);

		/* files of a cgroup are called CONTROLLER.NAME, and so are slices and scopes: only a directory has the
		 * file that is read */
		add_partition(host, child, isolated, depth + 1);
	}
}

static void add_partition(struct host *host, const char *cgroup, cpuset *isolated, unsigned depth)
{
	CLEANUP(free_string) char *kind = read_text(host, cgroup, "cpuset.cpus.partition");

	if (text_equal(kind, "isolated")) {
		CLEANUP(cpuset_freep) cpuset *cpus = read_cpus(host, cgroup, "cpuset.cpus.effective");

		cpuset_add_all(isolated, cpus);
	}
	if (text_equal(kind, "isolated") || text_equal(kind, "root"))
		add_children(host, cgroup, isolated, depth);
}

/* Kernels from 6.8 say it in one file; before, each partition is to be found. */
cpuset *read_isolated_partitions(struct host *host)
{
	cpuset *isolated = read_cpus(host, CGROUPS, "cpuset.cpus.isolated");

	if (isolated)
		return isolated;
	isolated = cpuset_new();
	add_children(host, CGROUPS, isolated, 0);
	return isolated;
}
