/* The plain value "topology": freeing, copying, and its order. Reads nothing. */
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/topology.h>

void topology_clear(struct topology *topology)
{
	for (size_t i = 0; i < topology->nnodes; i++)
		cpuset_free(topology->nodes[i].cpus);
	free(topology->nodes);
	free(topology->cpus);
	cpuset_free(topology->online);
	cpuset_free(topology->possible);
	cpuset_free(topology->isolated);
	cpuset_free(topology->rps_excluded);
	*topology = (struct topology){ 0 };
}

void topology_copy(struct topology *to, const struct topology *from)
{
	*to = *from;
	to->cpus = alloc_zero(from->ncpus, sizeof *to->cpus);
	for (size_t i = 0; i < from->ncpus; i++)
		to->cpus[i] = from->cpus[i];
	to->nodes = alloc_zero(from->nnodes, sizeof *to->nodes);
	for (size_t i = 0; i < from->nnodes; i++)
		to->nodes[i] = (struct node){ .id = from->nodes[i].id, .cpus = cpuset_dup(from->nodes[i].cpus) };
	to->online = cpuset_dup(from->online);
	to->possible = cpuset_dup(from->possible);
	to->isolated = cpuset_dup(from->isolated);
	to->rps_excluded = cpuset_dup(from->rps_excluded);
}

const struct cpu *topology_cpu(const struct topology *topology, unsigned id)
{
	for (size_t i = 0; i < topology->ncpus; i++)
		if (topology->cpus[i].id == id)
			return &topology->cpus[i];
	return NULL;
}

const struct node *topology_node(const struct topology *topology, int id)
{
	for (size_t i = 0; i < topology->nnodes; i++)
		if (topology->nodes[i].id == id)
			return &topology->nodes[i];
	return NULL;
}

size_t topology_order(const struct topology *topology, const cpuset *set, unsigned **ret)
{
	unsigned *ids = alloc_zero(topology->ncpus, sizeof *ids);
	size_t n = 0;

	for (size_t i = 0; i < topology->ncpus; i++)
		if (cpuset_has(set, topology->cpus[i].id))
			ids[n++] = topology->cpus[i].id;
	*ret = ids;
	return n;
}
