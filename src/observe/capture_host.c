/* Captures what is read of the host: CPUs and nodes (what hwloc needs among them), /proc, sysctls of the network. */
#include <string.h>

#include <steer/cleanup.h>

#include "capture_tree.h"
#include "private.h"

#define CPUS "sys/devices/system/cpu"
#define NODES "sys/devices/system/node"

/* ---- CPUs and nodes --------------------------------------------------------------------------------------------- */

static const char *const cpu_files[] = { "online",   "offline",   "possible",  "present",
					 "isolated", "nohz_full", "kernel_max" };
static const char *const topology_files[] = {
	"core_id",      "physical_package_id", "die_id",          "cluster_id",
	"core_cpus",    "core_cpus_list",      "thread_siblings", "thread_siblings_list",
	"package_cpus", "package_cpus_list",   "core_siblings",   "core_siblings_list",
	"die_cpus",     "die_cpus_list",       "cluster_cpus",    "cluster_cpus_list",
	"book_id",      "book_siblings",       "drawer_id",       "drawer_siblings"
};
static const char *const cache_files[] = { "level",
					   "type",
					   "size",
					   "id",
					   "shared_cpu_map",
					   "shared_cpu_list",
					   "coherency_line_size",
					   "number_of_sets",
					   "ways_of_associativity",
					   "physical_line_partition" };
static const char *const node_files[] = { "cpulist", "cpumap", "distance" };
static const char *const node_sets[] = { "online", "possible", "has_cpu", "has_memory", "has_normal_memory" };
static const char *const memory_keys[] = { "MemTotal", "Hugepagesize" };
static const char *const cpuinfo_keys[] = { "processor",   "vendor_id", "cpu family",      "model",
					    "model name",  "stepping",  "physical id",     "siblings",
					    "core id",     "cpu cores", "CPU implementer", "CPU architecture",
					    "CPU variant", "CPU part",  "CPU revision",    "cpu",
					    "machine",     "platform" };

static void capture_caches(struct capture *capture, const char *cpu)
{
	CLEANUP(free_string) char *caches = text_format("%s/cache", cpu);
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(capture->host, caches, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *cache = text_format("%s/%s", caches, names.items[i]);

		if (text_starts(names.items[i], "index"))
			copy_files(capture, cache, cache_files, COUNT_OF(cache_files));
	}
}

static void capture_nodes(struct capture *capture)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	if (host_list(capture->host, NODES, &names) < 0)
		return;
	copy_files(capture, NODES, node_sets, COUNT_OF(node_sets));
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *node = text_format(NODES "/%s", names.items[i]);
		uint32_t id;

		if (text_suffix_u32(names.items[i], "node", &id) < 0)
			continue;
		put_directory(capture, node);
		copy_files(capture, node, node_files, COUNT_OF(node_files));
	}
}

/* Isolated partitions are written as kernels from 6.8 show them, without the names of their cgroups. */
static void capture_partitions(struct capture *capture)
{
	CLEANUP(cpuset_freep) cpuset *partitions = read_isolated_partitions(capture->host);
	CLEANUP(free_string) char *list = cpuset_list(partitions);

	if (!cpuset_empty(partitions))
		put_text(capture, "sys/fs/cgroup/cpuset.cpus.isolated", list);
}

void capture_cpus(struct capture *capture)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	copy_files(capture, CPUS, cpu_files, COUNT_OF(cpu_files));
	host_list(capture->host, CPUS, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *cpu = text_format(CPUS "/%s", names.items[i]);
		CLEANUP(free_string) char *topology = text_format("%s/topology", cpu);
		uint32_t id;

		if (text_suffix_u32(names.items[i], "cpu", &id) < 0)
			continue;
		put_directory(capture, cpu);
		copy_file(capture, cpu, "online");
		copy_files(capture, topology, topology_files, COUNT_OF(topology_files));
		capture_caches(capture, cpu);
	}
	capture_nodes(capture);
	capture_partitions(capture);
}

/* ---- /proc ------------------------------------------------------------------------------------------------------ */

static void capture_lines(struct capture *capture, const char *name, const char *const *keys, size_t n)
{
	CLEANUP(free_string) char *text = read_text(capture->host, "proc", name);
	CLEANUP(free_string) char *kept = text ? keep_lines(text, keys, n) : NULL;
	CLEANUP(free_string) char *path = text_format("proc/%s", name);

	if (kept)
		put_text(capture, path, text_trim(kept));
}

static void capture_interrupts(struct capture *capture)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	copy_file(capture, "proc", "interrupts");
	host_list(capture->host, "proc/irq", &names);
	for (size_t i = 0; i < names.n; i++) {
		uint32_t irq;

		if (text_u32(names.items[i], &irq) == 0)
			copy_irq(capture, irq);
	}
}

/* Keys and the secret that IPv6 addresses are made of stay where they are; neighbour tables are of no use. */
static bool is_private(const char *name)
{
	return strstr(name, "key") || strstr(name, "secret") || strstr(name, "cookie") || text_equal(name, "neigh") ||
	       text_equal(name, "nf_log");
}

static void capture_sysctls(struct capture *capture, const char *directory)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	if (host_list(capture->host, directory, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *path = text_format("%s/%s", directory, names.items[i]);

		if (is_private(names.items[i]))
			continue;
		copy_file(capture, directory, names.items[i]);
		capture_sysctls(capture, path);
	}
}

/* The socket stands for the process; see facts.c. */
static void capture_irqbalance(struct capture *capture, const struct machine *machine)
{
	if (!machine->irqbalance)
		return;
	put_directory(capture, "run/irqbalance");
	if (text_equal(machine->irqbalance, "active"))
		put_text(capture, "run/irqbalance/irqbalance1.sock", "");
}

void capture_proc(struct capture *capture, const struct machine *machine)
{
	CLEANUP(free_string) char *cmdline = scrub_cmdline(&machine->cmdline);

	if (*cmdline)
		put_text(capture, "proc/cmdline", cmdline);
	if (machine->kernel)
		put_text(capture, "proc/sys/kernel/osrelease", machine->kernel);
	if (machine->arch)
		put_text(capture, "proc/sys/kernel/arch", machine->arch);
	capture_lines(capture, "cpuinfo", cpuinfo_keys, COUNT_OF(cpuinfo_keys));
	capture_lines(capture, "meminfo", memory_keys, COUNT_OF(memory_keys));
	capture_interrupts(capture);
	capture_sysctls(capture, "proc/sys/net");
	capture_irqbalance(capture, machine);
}
