/* What the files of this folder share: each reads one part of the machine from a host. */
#pragma once

#include <steer/host.h>
#include <steer/machine.h>
#include <steer/note.h>
#include <steer/observe.h>

/* ---- reading (read.c) ------------------------------------------------------------------------------------------ */

/* The file NAME in DIRECTORY; NULL: it cannot be read, or is none of that form. The caller frees. */
char *read_text(struct host *host, const char *directory, const char *name);
cpuset *read_cpus(struct host *host, const char *directory, const char *name); /* a CPU list */
cpuset *read_mask(struct host *host, const char *directory, const char *name);
struct opt_u32 read_u32(struct host *host, const char *directory, const char *name);

/* The last component of a symbolic link's target; NULL: no such link. The caller frees. */
char *read_link_name(struct host *host, const char *directory, const char *name);

/* "VALUE" of the line "KEY=VALUE" of a uevent file; NULL: no such line. The caller frees. */
char *uevent_value(const char *uevent, const char *key);

/* ---- topology (topology.c, topology_*.c) ----------------------------------------------------------------------- */

enum { NOWHERE = CPUSET_MAX };

struct place { /* of an online CPU, each part named by the lowest CPU of it; NOWHERE: not known */
	unsigned cpu;
	unsigned package, llc, core;
};

/* Where the CPUs lie: an array in the order of their ids, one entry for each of `online`; the caller frees. NULL: it
 * is not known which CPUs share a core. */
struct place *layout_by_hwloc(struct host *host, const cpuset *online);
struct place *layout_by_lists(struct host *host, const cpuset *online);

/* Packages that are NOWHERE, by the kernel's lists and numbers. */
void place_packages(struct host *host, const cpuset *online, struct place *places);

/* CPUs of isolated cpuset partitions (cgroup v2), NULL: none. The caller frees. */
cpuset *read_isolated_partitions(struct host *host);

/* Whether flows are offloaded. (flow.c) */
void read_flows(struct host *host, struct machine *machine, struct notes *notes);
enum flow_offload firewall_offload(const char *text); /* what an /etc/config/firewall says */

/* NXP's Frame Manager, where there is one, and the files that a policy names of fmc; paths may be NULL. (fman.c) */
void read_fman(struct host *host, const struct fmc_paths *paths, struct machine *machine);

/* ---- NICs ------------------------------------------------------------------------------------------------------ */

/* What a NIC is: everything of struct nic that is there without a detail. nic->name is set. (nic.c) */
void read_nic(struct host *host, const struct topology *topology, struct nic *nic, struct notes *notes);

/* Of a NIC whose name and ifindex are known: whether it is still there, and how its link is now. (nic.c) */
bool is_nic(struct host *host, const struct nic *nic);
void read_link(struct host *host, struct nic *nic);

/* Node and CPUs near a device, which is a directory below the root. (locality.c) */
void read_locality(struct host *host, const struct topology *topology, const char *device, struct nic *nic,
		   struct notes *notes);

/* The queues that exist, and what these details ask of each. (queues.c) */
void read_queues(struct host *host, struct nic *nic, unsigned details);

/* The interrupts of every NIC of the machine that has DETAIL_IRQS and none yet. (irq.c) */
void read_irqs(struct host *host, struct machine *machine);

/* The directory of the device behind a NIC ("sys/devices/pci0000:00/0000:00:03.0"); NULL: virtual. The caller frees. */
char *nic_device(const struct nic *nic);

/* ---- the host (facts.c) ---------------------------------------------------------------------------------------- */

void read_facts(struct host *host, struct machine *machine);
void read_sysctls(struct host *host, const struct strings *names, struct machine *machine);
