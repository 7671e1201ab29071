/* Decides which CPUs are near a device, and on which node it is:
 *
 * 1. What the device itself does not say is asked of its parents, up to the root of its bus.
 * 2. A list of all online CPUs is what the kernel says when it does not know: then the node decides, and without a
 *    node nothing is known.
 * 3. A list of some CPUs wins over a node number that contradicts it, and a note tells.
 * 4. Offline CPUs are near nothing. */
#include "private.h"

#include <string.h>

#include <steer/cleanup.h>

static bool read_node(struct host *host, const char *device, int *ret)
{
	CLEANUP(free_string) char *path = text_format("%s/numa_node", device);

	return host_read_int(host, path, ret) == 0;
}

/* Rule 1. "sys/devices/pci0000:00" and what is above are no devices of a bus. Old kernels have the mask and no list,
 * but beside a node always one of the two; captures made by hand have anything. */
static void search(struct host *host, const char *device, cpuset **ret_local, int *ret_node)
{
	CLEANUP(free_string) char *directory = alloc_string(device);
	bool known = false;
	char *slash;

	while ((slash = strrchr(directory, '/')) && slash > directory + strlen("sys/devices")) {
		bool has_node;

		if (!*ret_local)
			*ret_local = read_cpus(host, directory, "local_cpulist");
		has_node = !known && read_node(host, directory, ret_node);
		known |= has_node;
		if (!*ret_local && (has_node || !host_is_live(host)))
			*ret_local = read_mask(host, directory, "local_cpus");
		if (*ret_local && known)
			break;
		*slash = 0;
	}
	if (*ret_node < 0)
		*ret_node = -1;
}

static int node_with(const struct topology *topology, const cpuset *cpus)
{
	for (size_t i = 0; i < topology->nnodes; i++)
		if (cpuset_within(cpus, topology->nodes[i].cpus))
			return topology->nodes[i].id;
	return -1;
}

/* Rule 3. */
static void settle(const struct topology *topology, struct nic *nic, struct notes *notes)
{
	const struct node *said = topology_node(topology, nic->node);
	int node = node_with(topology, nic->local);

	if (said && !cpuset_equal(said->cpus, nic->local) && node != nic->node) {
		CLEANUP(free_string) char *near = cpuset_list(nic->local);

		notes_add(notes, NOTE_WARNING, nic->name,
			  "the kernel says node %d, but CPUs %s, which are others; the CPUs count", nic->node, near);
	}
	if (node >= 0)
		nic->node = node;
}

void read_locality(struct host *host, const struct topology *topology, const char *device, struct nic *nic,
		   struct notes *notes)
{
	CLEANUP(cpuset_freep) cpuset *local = NULL;
	const struct node *node;

	search(host, device, &local, &nic->node);
	node = topology_node(topology, nic->node);
	if (local)
		cpuset_keep(local, topology->online);
	if (!cpuset_empty(local) && !cpuset_equal(local, topology->online)) {
		nic->local = TAKE(local);
		settle(topology, nic, notes);
	} else if (node && !cpuset_empty(node->cpus)) {
		nic->local = cpuset_dup(node->cpus);
	} else if (nic->node >= 0 && !cpuset_empty(local)) {
		nic->local = TAKE(local);
	}
}
