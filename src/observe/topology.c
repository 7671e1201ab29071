/* Reads the topology: which CPUs are online, how they lie to each other, which are set aside, and in which order they
 * are counted. Decides:
 *
 * 1. Online CPUs are those of /sys/devices/system/cpu/online: CPU 0 often has no file of its own.
 * 2. The node of a CPU is what /sys/devices/system/node says, never its package.
 * 3. Threads of a core are what the kernel lists as siblings; equal core numbers alone say nothing.
 * 4. The order is node by node, LLC by LLC, core by core: all first threads, then all second threads, ...
 *
 * It never fails: what is not known is flat, and a note says so. */
#include "private.h"

#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#define CPUS "sys/devices/system/cpu"
#define NODES "sys/devices/system/node"

/* ---- sets ------------------------------------------------------------------------------------------------------ */

/* Without the list (captures of old kernels): each cpuN that is not marked offline. */
static cpuset *online_by_directories(struct host *host)
{
	CLEANUP(strings_clear) struct strings names = { 0 };
	cpuset *online = cpuset_new();

	host_list(host, CPUS, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *directory = text_format(CPUS "/%s", names.items[i]), *state = NULL;
		uint32_t cpu;

		if (text_suffix_u32(names.items[i], "cpu", &cpu) < 0 || cpu >= CPUSET_MAX)
			continue;
		state = read_text(host, directory, "online");
		if (!state || !text_equal(state, "0"))
			cpuset_add(online, cpu);
	}
	return online;
}

static void read_sets(struct host *host, struct topology *topology)
{
	topology->online = read_cpus(host, CPUS, "online");
	if (cpuset_empty(topology->online)) {
		cpuset_free(topology->online);
		topology->online = online_by_directories(host);
	}
	if (cpuset_empty(topology->online))
		cpuset_add(topology->online, 0);
	topology->possible = read_cpus(host, CPUS, "possible");
	if (!topology->possible)
		topology->possible = cpuset_new();
	cpuset_add_all(topology->possible, topology->online);
	topology->nr_cpu_ids = (unsigned)cpuset_last(topology->possible) + 1;
}

static void read_isolation(struct host *host, struct topology *topology)
{
	CLEANUP(cpuset_freep) cpuset *isolcpus = read_cpus(host, CPUS, "isolated");
	CLEANUP(cpuset_freep) cpuset *nohz_full = read_cpus(host, CPUS, "nohz_full"); /* may be "(null)" */
	CLEANUP(cpuset_freep) cpuset *partitions = read_isolated_partitions(host);

	topology->rps_excluded = cpuset_new();
	cpuset_add_all(topology->rps_excluded, isolcpus);
	cpuset_add_all(topology->rps_excluded, nohz_full);
	topology->isolated = cpuset_dup(topology->rps_excluded);
	cpuset_add_all(topology->isolated, partitions);
}

/* A CPU that several nodes claim belongs to the first of them. */
static void read_nodes(struct host *host, struct topology *topology)
{
	CLEANUP(cpuset_freep) cpuset *free_cpus = cpuset_dup(topology->online);
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(host, NODES, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *directory = text_format(NODES "/%s", names.items[i]);
		CLEANUP(cpuset_freep) cpuset *cpus = NULL;
		uint32_t id;

		if (text_suffix_u32(names.items[i], "node", &id) < 0)
			continue;
		cpus = read_cpus(host, directory, "cpulist");
		if (!cpus)
			cpus = read_mask(host, directory, "cpumap");
		if (!cpus)
			cpus = cpuset_new();
		cpuset_keep(cpus, free_cpus);
		cpuset_drop_all(free_cpus, cpus);
		topology->nodes = alloc_more(topology->nodes, topology->nnodes, sizeof *topology->nodes);
		topology->nodes[topology->nnodes++] = (struct node){ .id = (int)id, .cpus = TAKE(cpus) };
	}
}

/* ---- places ---------------------------------------------------------------------------------------------------- */

static struct place *layout_flat(const cpuset *online)
{
	struct place *places = alloc_zero(cpuset_count(online), sizeof *places);
	size_t n = 0;

	for (int cpu = cpuset_first(online); cpu >= 0; cpu = cpuset_next(online, cpu))
		places[n++] = (struct place){ (unsigned)cpu, NOWHERE, NOWHERE, NOWHERE };
	return places;
}

/* What is not known: the machine is one package, a package one LLC, and a CPU a core of its own. */
static void complete(const cpuset *online, struct place *places)
{
	for (size_t i = 0; i < cpuset_count(online); i++) {
		struct place *place = &places[i];

		if (place->package == NOWHERE)
			place->package = (unsigned)cpuset_first(online);
		if (place->llc == NOWHERE)
			place->llc = place->package;
		if (place->core == NOWHERE)
			place->core = place->cpu;
	}
}

static struct place *read_layout(struct host *host, struct topology *topology, struct notes *notes)
{
	struct place *places = layout_by_hwloc(host, topology->online);

	if (!places)
		places = layout_by_lists(host, topology->online);
	topology->flat = !places;
	if (places) {
		place_packages(host, topology->online, places);
	} else {
		places = layout_flat(topology->online);
		notes_add(notes, NOTE_WARNING, NULL,
			  "the kernel does not say which CPUs share a core or a cache: each CPU counts as a core of "
			  "its own");
	}
	complete(topology->online, places);
	return places;
}

static int node_of(const struct topology *topology, unsigned cpu)
{
	for (size_t i = 0; i < topology->nnodes; i++)
		if (cpuset_has(topology->nodes[i].cpus, cpu))
			return topology->nodes[i].id;
	return -1;
}

static int compare(unsigned a, unsigned b)
{
	return a < b ? -1 : a > b;
}

/* Rule 4. CPUs of no node come last. Until they are numbered, package, llc and core are named by their lowest CPU. */
static int by_order(const void *left, const void *right)
{
	const struct cpu *a = left, *b = right;
	int order = compare(a->rank, b->rank);

	if (!order)
		order = compare((unsigned)a->node, (unsigned)b->node);
	if (!order)
		order = compare(a->llc, b->llc);
	if (!order)
		order = compare(a->core, b->core);
	return order ? order : compare(a->id, b->id);
}

/* Gives the parts of one kind, which are named by their lowest CPU, numbers in the order of the array. */
static void number_parts(struct topology *topology, size_t offset)
{
	unsigned *numbers = alloc_zero(topology->nr_cpu_ids, sizeof *numbers), next = 0;

	for (size_t i = 0; i < topology->ncpus; i++) {
		unsigned *part = (unsigned *)((char *)&topology->cpus[i] + offset);

		if (!numbers[*part])
			numbers[*part] = ++next;
		*part = numbers[*part] - 1;
	}
	free(numbers);
}

static void order_cpus(struct topology *topology, const struct place *places)
{
	unsigned *threads = alloc_zero(topology->nr_cpu_ids, sizeof *threads);

	topology->ncpus = cpuset_count(topology->online);
	topology->cpus = alloc_zero(topology->ncpus, sizeof *topology->cpus);
	for (size_t i = 0; i < topology->ncpus; i++) {
		const struct place *place = &places[i];

		topology->cpus[i] = (struct cpu){
			.id = place->cpu,
			.node = node_of(topology, place->cpu),
			.package = place->package,
			.llc = place->llc,
			.core = place->core,
			.rank = threads[place->core]++,
		};
	}
	free(threads);
	qsort(topology->cpus, topology->ncpus, sizeof *topology->cpus, by_order);
	number_parts(topology, offsetof(struct cpu, package));
	number_parts(topology, offsetof(struct cpu, llc));
	number_parts(topology, offsetof(struct cpu, core));
}

/* ---- oddities -------------------------------------------------------------------------------------------------- */

static cpuset *package_cpus(const struct topology *topology, unsigned package)
{
	cpuset *cpus = cpuset_new();

	for (size_t i = 0; i < topology->ncpus; i++)
		if (topology->cpus[i].package == package)
			cpuset_add(cpus, topology->cpus[i].id);
	return cpus;
}

/* A package may hold nodes and a node may hold packages; anything else is a virtual machine that was given one by one.
 * Nodes count. Told once. */
static void note_contradiction(const struct topology *topology, struct notes *notes)
{
	unsigned packages = 0;

	for (size_t i = 0; i < topology->ncpus; i++)
		packages = topology->cpus[i].package >= packages ? topology->cpus[i].package + 1 : packages;
	for (unsigned package = 0; package < packages; package++) {
		CLEANUP(cpuset_freep) cpuset *cpus = package_cpus(topology, package);

		for (size_t i = 0; i < topology->nnodes; i++) {
			const struct node *node = &topology->nodes[i];
			CLEANUP(free_string) char *of_package = NULL, *of_node = NULL;

			if (!cpuset_overlap(cpus, node->cpus) || cpuset_within(cpus, node->cpus) ||
			    cpuset_within(node->cpus, cpus))
				continue;
			of_package = cpuset_list(cpus);
			of_node = cpuset_list(node->cpus);
			notes_add(notes, NOTE_WARNING, NULL,
				  "packages and NUMA nodes contradict each other: package %u has CPUs %s, node %d has "
				  "%s; what is near a NIC is taken from the nodes",
				  package, of_package, node->id, of_node);
			return;
		}
	}
}

void observe_topology(struct host *host, struct topology *ret, struct notes *notes)
{
	struct place *places;

	*ret = (struct topology){ 0 };
	read_sets(host, ret);
	read_isolation(host, ret);
	read_nodes(host, ret);
	places = read_layout(host, ret, notes);
	order_cpus(ret, places);
	free(places);
	note_contradiction(ret, notes);
}
