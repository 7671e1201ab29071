/* The topology as it is read: siblings, order, nodes, what is set aside, and what the kernel gets wrong. */
#include "tree.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_make, tree_unmake)

static struct topology *read_it(struct tree *tree)
{
	tree_open(tree);
	observe_topology(tree->host, &tree->machine.topology, &tree->notes);
	return &tree->machine.topology;
}

static void assert_order(const struct topology *topology, const char *expected)
{
	CLEANUP(strings_clear) struct strings ids = { 0 };
	CLEANUP(free_string) char *text = NULL;

	for (size_t i = 0; i < topology->ncpus; i++)
		strings_take(&ids, text_format("%u", topology->cpus[i].id));
	text = strings_join(&ids, " ");
	assert_string_equal(text, expected);
}

static void cache(struct tree *tree, unsigned cpu, const char *index, const char *level, const char *mask)
{
	CLEANUP(free_string) char *directory = text_format("sys/devices/system/cpu/cpu%u/cache/%s", cpu, index);
	CLEANUP(free_string) char *level_file = text_format("%s/level", directory);
	CLEANUP(free_string) char *type_file = text_format("%s/type", directory);
	CLEANUP(free_string) char *size_file = text_format("%s/size", directory);
	CLEANUP(free_string) char *map_file = text_format("%s/shared_cpu_map", directory);

	put(tree, level_file, level);
	put(tree, type_file, "Unified");
	put(tree, size_file, "1024K");
	put(tree, map_file, mask);
}

/* ---- cores ---------------------------------------------------------------------------------------------------------
 */

/* Two packages of two cores with two threads: first threads, node by node, then second threads. */
static void first_threads_come_first(void **state)
{
	struct topology *topology;

	put_cpus(*state, "0-7");
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		CLEANUP(free_string) char *siblings = text_format("%u,%u", cpu % 4, cpu % 4 + 4);

		put_cpu(*state, cpu, cpu % 2 ? "1" : "0", cpu % 4 < 2 ? "0" : "1", siblings);
	}
	put(*state, "sys/devices/system/node/node0/cpulist", "0,2,4,6");
	put(*state, "sys/devices/system/node/node1/cpulist", "1,3,5,7");
	topology = read_it(*state);
	assert_order(topology, "0 2 1 3 4 6 5 7");
	assert_false(topology->flat);
	assert_int_equal(topology_cpu(topology, 6)->rank, 1);
	assert_int_equal(topology_cpu(topology, 6)->core, topology_cpu(topology, 2)->core);
	assert_int_equal(topology_cpu(topology, 3)->package, 1);
	assert_int_equal(topology->nr_cpu_ids, 8);
}

/* Core numbers repeat in each package: CPU 0 and CPU 4 are no siblings. */
static void equal_core_numbers_are_no_siblings(void **state)
{
	struct topology *topology;

	put_cpus(*state, "0-7");
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		CLEANUP(free_string) char *core = text_format("%u", cpu % 4), *siblings = text_format("%u", cpu);

		put_cpu(*state, cpu, cpu < 4 ? "0" : "1", core, siblings);
	}
	topology = read_it(*state);
	assert_int_not_equal(topology_cpu(topology, 0)->core, topology_cpu(topology, 4)->core);
	assert_int_equal(topology_cpu(topology, 4)->rank, 0);
	assert_int_equal(topology_cpu(topology, 4)->package, 1);
}

/* With its first thread offline, a core's second one is its first. */
static void an_offline_sibling_leaves_its_rank(void **state)
{
	struct topology *topology;

	put(*state, "sys/devices/system/cpu/online", "0,2-3");
	put(*state, "sys/devices/system/cpu/possible", "0-3");
	put_cpu(*state, 0, "0", "0", "0,2");
	put_cpu(*state, 2, "0", "0", "0,2");
	put_cpu(*state, 3, "0", "1", "3");
	topology = read_it(*state);
	assert_order(topology, "0 3 2");
	assert_int_equal(topology_cpu(topology, 3)->rank, 0);
	assert_null(topology_cpu(topology, 1));
	assert_int_equal(topology->nr_cpu_ids, 4);
}

static void last_level_caches(void **state)
{
	struct topology *topology;

	put_cpus(*state, "0-3");
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		CLEANUP(free_string) char *id = text_format("%u", cpu), *own = text_format("%x", 1U << cpu);

		put_cpu(*state, cpu, "0", id, id);
		cache(*state, cpu, "index2", "2", own);
		cache(*state, cpu, "index3", "3", cpu % 2 ? "a" : "5");
	}
	topology = read_it(*state);
	assert_order(topology, "0 2 1 3"); /* LLC by LLC */
	assert_int_equal(topology_cpu(topology, 2)->llc, 0);
	assert_int_equal(topology_cpu(topology, 3)->llc, 1);
}

/* Captures made by hand may have the lists alone. */
static void lists_without_masks(void **state)
{
	struct topology *topology;

	put_cpus(*state, "0-3");
	put(*state, "sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0,2");
	put(*state, "sys/devices/system/cpu/cpu2/topology/core_cpus_list", "0,2");
	put(*state, "sys/devices/system/cpu/cpu1/topology/core_cpus_list", "1,3");
	put(*state, "sys/devices/system/cpu/cpu3/topology/core_cpus_list", "1,3");
	topology = read_it(*state);
	assert_false(topology->flat);
	assert_order(topology, "0 1 2 3");
	assert_int_equal(topology_cpu(topology, 3)->rank, 1);
}

/* Kernels without core_cpus and thread_siblings: each CPU a core of its own, and one note. */
static void flat_without_siblings(void **state)
{
	struct tree *tree = *state;
	struct topology *topology;

	put_cpus(tree, "0-3");
	put(tree, "sys/devices/system/cpu/cpu0/topology/core_id", "0");
	topology = read_it(tree);
	assert_true(topology->flat);
	assert_order(topology, "0 1 2 3");
	assert_int_equal(topology_cpu(topology, 3)->core, 3);
	assert_int_equal(topology_cpu(topology, 3)->package, 0);
	assert_int_equal(tree->notes.n, 1);
	assert_int_equal(tree->notes.items[0].level, NOTE_WARNING);
}

static void nothing_readable_is_one_cpu(void **state)
{
	struct topology *topology = read_it(*state);

	assert_order(topology, "0");
	assert_true(topology->flat);
	assert_set(topology->online, "0");
	assert_int_equal(topology->nr_cpu_ids, 1);
	assert_int_equal(topology->cpus[0].node, -1);
	assert_int_equal(topology->nnodes, 0);
}

/* ---- which CPUs
 * ------------------------------------------------------------------------------------------------------ */

/* CPU 0 has no file `online`; where the list is missing, only those that say 0 are offline. */
static void online_without_a_list(void **state)
{
	struct topology *topology;

	put_cpu(*state, 0, "0", "0", "0");
	put_cpu(*state, 1, "0", "1", "1");
	put(*state, "sys/devices/system/cpu/cpu1/online", "0");
	put_cpu(*state, 2, "0", "2", "2");
	put(*state, "sys/devices/system/cpu/cpu2/online", "1");
	topology = read_it(*state);
	assert_set(topology->online, "0,2");
}

static void more_than_a_thousand(void **state)
{
	struct topology *topology;

	put(*state, "sys/devices/system/cpu/online", "0-1279");
	put(*state, "sys/devices/system/cpu/possible", "0-1535");
	topology = read_it(*state);
	assert_int_equal(topology->ncpus, 1280);
	assert_int_equal(topology->nr_cpu_ids, 1536);
	assert_int_equal(topology->cpus[1279].id, 1279);
}

static void isolation(void **state)
{
	struct topology *topology;

	put_cpus(*state, "0-7");
	put(*state, "sys/devices/system/cpu/isolated", "2-3");
	put(*state, "sys/devices/system/cpu/nohz_full", "3-4");
	put(*state, "sys/fs/cgroup/cpuset.cpus.isolated", "6");
	topology = read_it(*state);
	assert_set(topology->isolated, "2-4,6");
	assert_set(topology->rps_excluded, "2-4"); /* partitions are not in the kernel's mask for RPS */
}

static void isolation_that_is_null(void **state)
{
	struct topology *topology;

	put_cpus(*state, "0-1");
	put(*state, "sys/devices/system/cpu/isolated", "");
	put(*state, "sys/devices/system/cpu/nohz_full", "  (null)");
	topology = read_it(*state);
	assert_set(topology->isolated, "");
}

/* Before 6.8: partitions are found below partitions alone. */
static void partitions_by_walking(void **state)
{
	struct topology *topology;

	put_cpus(*state, "0-7");
	put(*state, "sys/fs/cgroup/cgroup.subtree_control", "cpuset cpu");
	put(*state, "sys/fs/cgroup/a.slice/cpuset.cpus.partition", "isolated");
	put(*state, "sys/fs/cgroup/a.slice/cpuset.cpus.effective", "1");
	put(*state, "sys/fs/cgroup/b.slice/cpuset.cpus.partition", "root");
	put(*state, "sys/fs/cgroup/b.slice/cgroup.subtree_control", "cpuset");
	put(*state, "sys/fs/cgroup/b.slice/c.scope/cpuset.cpus.partition", "isolated");
	put(*state, "sys/fs/cgroup/b.slice/c.scope/cpuset.cpus.effective", "3");
	put(*state, "sys/fs/cgroup/d.slice/cpuset.cpus.partition",
	    "isolated invalid (Cpu list in cpuset.cpus not exclusive)");
	put(*state, "sys/fs/cgroup/d.slice/cpuset.cpus.effective", "0-7");
	put(*state, "sys/fs/cgroup/e.slice/cpuset.cpus.partition", "member");
	put(*state, "sys/fs/cgroup/e.slice/f.scope/cpuset.cpus.partition", "isolated");
	put(*state, "sys/fs/cgroup/e.slice/f.scope/cpuset.cpus.effective", "5");
	topology = read_it(*state);
	assert_set(topology->isolated, "1,3");
}

/* ---- nodes
 * ------------------------------------------------------------------------------------------------------------ */

/* A package of two nodes, as on EPYC: what counts is the node. */
static void nodes_are_not_packages(void **state)
{
	struct tree *tree = *state;
	struct topology *topology;

	put_cpus(tree, "0-3");
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		CLEANUP(free_string) char *id = text_format("%u", cpu);

		put_cpu(tree, cpu, "0", id, id);
	}
	put(tree, "sys/devices/system/node/node0/cpulist", "0,2");
	put(tree, "sys/devices/system/node/node1/cpulist", "1,3");
	topology = read_it(tree);
	assert_order(topology, "0 2 1 3");
	assert_int_equal(topology_cpu(topology, 1)->node, 1);
	assert_int_equal(topology_cpu(topology, 1)->package, 0);
	assert_int_equal(tree->notes.n, 0);
}

/* Sparse ids, a node of memory alone, offline CPUs in a list, a node that has the mask only. */
static void sparse_nodes(void **state)
{
	struct topology *topology;

	put(*state, "sys/devices/system/cpu/online", "0-2");
	put(*state, "sys/devices/system/cpu/possible", "0-7");
	put(*state, "sys/devices/system/node/node0/cpulist", "0-1,4-7");
	put(*state, "sys/devices/system/node/node8/cpumap", "04");
	put(*state, "sys/devices/system/node/node250/cpulist", "");
	put(*state, "sys/devices/system/node/has_cpu", "0,8");
	topology = read_it(*state);
	assert_int_equal(topology->nnodes, 3);
	assert_set(topology->nodes[0].cpus, "0-1");
	assert_int_equal(topology->nodes[1].id, 8);
	assert_set(topology->nodes[1].cpus, "2");
	assert_set(topology->nodes[2].cpus, "");
	assert_int_equal(topology_cpu(topology, 2)->node, 8);
}

/* A guest whose nodes cut through its packages: survived, told once. */
static void contradictory_nodes(void **state)
{
	struct tree *tree = *state;
	struct topology *topology;

	put_cpus(tree, "0-7");
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		CLEANUP(free_string) char *core = text_format("%u", cpu / 2);
		CLEANUP(free_string) char *siblings = text_format("%u-%u", cpu / 2 * 2, cpu / 2 * 2 + 1);

		put_cpu(tree, cpu, cpu < 4 ? "0" : "1", core, siblings);
	}
	put(tree, "sys/devices/system/node/node0/cpulist", "0-1,4-5");
	put(tree, "sys/devices/system/node/node0/cpumap", "33");
	put(tree, "sys/devices/system/node/node1/cpulist", "2-3,6-7");
	put(tree, "sys/devices/system/node/node1/cpumap", "cc");
	topology = read_it(tree);
	assert_int_equal(topology->ncpus, 8);
	assert_int_equal(topology_cpu(topology, 4)->node, 0);
	assert_int_equal(tree->notes.n, 1);
	assert_non_null(strstr(tree->notes.items[0].text, "contradict"));
}

/* Every node claims every CPU: the first one has them. */
static void nodes_that_all_claim(void **state)
{
	struct topology *topology;

	put_cpus(*state, "0-3");
	put(*state, "sys/devices/system/node/node0/cpulist", "0-3");
	put(*state, "sys/devices/system/node/node1/cpulist", "0-3");
	topology = read_it(*state);
	assert_set(topology->nodes[0].cpus, "0-3");
	assert_set(topology->nodes[1].cpus, "");
}

/* hwloc is told by the environment, which stays the caller's. */
static void the_environment_stays(void **state)
{
	setenv("HWLOC_COMPONENTS", "x86", 1);
	unsetenv("HWLOC_FSROOT");
	put_cpus(*state, "0-1");
	assert_int_equal(read_it(*state)->ncpus, 2);
	assert_string_equal(getenv("HWLOC_COMPONENTS"), "x86");
	assert_null(getenv("HWLOC_FSROOT"));
	unsetenv("HWLOC_COMPONENTS");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(first_threads_come_first),
		TEST(equal_core_numbers_are_no_siblings),
		TEST(an_offline_sibling_leaves_its_rank),
		TEST(last_level_caches),
		TEST(lists_without_masks),
		TEST(flat_without_siblings),
		TEST(nothing_readable_is_one_cpu),
		TEST(online_without_a_list),
		TEST(more_than_a_thousand),
		TEST(isolation),
		TEST(isolation_that_is_null),
		TEST(partitions_by_walking),
		TEST(nodes_are_not_packages),
		TEST(sparse_nodes),
		TEST(contradictory_nodes),
		TEST(nodes_that_all_claim),
		TEST(the_environment_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
