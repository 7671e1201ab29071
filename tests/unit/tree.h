/* A captured machine that a test writes file by file and then observes. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scratch.h"
#include <steer/cpuset.h>
#include <steer/host.h>
#include <steer/machine.h>
#include <steer/note.h>
#include <steer/observe.h>

struct tree {
	struct scratch scratch;
	struct host *host;
	struct machine machine;
	struct notes notes;
};

static inline int tree_make(void **state)
{
	struct tree *tree = alloc_zero(1, sizeof *tree);

	scratch_make(&tree->scratch);
	*state = tree;
	return 0;
}

static inline int tree_unmake(void **state)
{
	struct tree *tree = *state;

	machine_clear(&tree->machine);
	notes_clear(&tree->notes);
	host_close(tree->host);
	scratch_remove(&tree->scratch);
	free(tree);
	return 0;
}

static inline void tree_open(struct tree *tree)
{
	char *problem = NULL;

	assert_int_equal(host_open(tree->scratch.path, HOST_READ_ONLY, &tree->host, &problem), 0);
}

static inline void tree_observe(struct tree *tree, const struct observe_scope *scope)
{
	tree_open(tree);
	assert_int_equal(observe(tree->host, scope, &tree->machine, &tree->notes), 0);
}

static inline void put(struct tree *tree, const char *path, const char *text)
{
	CLEANUP(free_string) char *line = text_format("%s\n", text);

	scratch_file(&tree->scratch, path, line);
}

static inline void put_cpu(struct tree *tree, unsigned cpu, const char *package, const char *core, const char *siblings)
{
	CLEANUP(free_string) char *directory = text_format("sys/devices/system/cpu/cpu%u/topology", cpu);
	CLEANUP(free_string) char *package_file = text_format("%s/physical_package_id", directory);
	CLEANUP(free_string) char *core_file = text_format("%s/core_id", directory);
	CLEANUP(free_string) char *list_file = text_format("%s/thread_siblings_list", directory);
	CLEANUP(free_string) char *mask_file = text_format("%s/thread_siblings", directory);
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	CLEANUP(free_string) char *mask = NULL;

	assert_int_equal(cpuset_parse_list(siblings, &set), 0);
	mask = cpuset_mask(set, 64);
	put(tree, package_file, package);
	put(tree, core_file, core);
	put(tree, list_file, siblings);
	put(tree, mask_file, mask);
}

/* CPUs that are each a core of one package. */
static inline void put_cpus(struct tree *tree, const char *online)
{
	put(tree, "sys/devices/system/cpu/online", online);
	put(tree, "sys/devices/system/cpu/possible", online);
}

/* A device directory below sys/devices with its links; driver NULL: none. */
static inline void put_device(struct tree *tree, const char *path, const char *bus, const char *driver)
{
	CLEANUP(free_string) char *subsystem = text_format("sys/devices/%s/subsystem", path);
	CLEANUP(free_string) char *link = text_format("sys/devices/%s/driver", path);
	CLEANUP(free_string) char *to_bus = text_format("/sys/bus/%s", bus);
	CLEANUP(free_string) char *to_driver = text_format("/sys/bus/%s/drivers/%s", bus, driver ? driver : "");

	scratch_link(&tree->scratch, subsystem, to_bus);
	if (driver)
		scratch_link(&tree->scratch, link, to_driver);
}

/* A network device on a device, or for NULL a virtual one; ifindex from its place in the test. */
static inline void put_nic(struct tree *tree, const char *name, const char *device, unsigned ifindex)
{
	CLEANUP(free_string) char *link = text_format("sys/class/net/%s", name);
	CLEANUP(free_string) char *path = text_format("%s/net/%s", device ? device : "virtual", name);
	CLEANUP(free_string) char *target = text_format("../../devices/%s", path);
	CLEANUP(free_string) char *file = text_format("sys/devices/%s/ifindex", path);
	CLEANUP(free_string) char *number = text_format("%u", ifindex);

	put(tree, file, number);
	scratch_link(&tree->scratch, link, target);
}

static inline struct nic *nic_of(struct tree *tree, const char *name)
{
	struct nic *nic = machine_nic(&tree->machine, name);

	assert_non_null(nic);
	return nic;
}

/* The text of a set, "?" for one that is not known. */
static inline void assert_set(const cpuset *set, const char *expected)
{
	CLEANUP(free_string) char *list = set ? cpuset_list(set) : alloc_string("?");

	assert_string_equal(list, expected);
}
