/* Decides which CPUs each device works with. Never asks what a CPU costs: the order of the set says it all.
 *
 *  1. Without `cpus` a section works with the CPUs local to the device that are not isolated.
 *  2. share = overlap: every device has all of them. share = partition: devices of one section that have the same CPUs
 *     divide them, in natural order of names, into parts that follow each other and differ by one CPU at most. With
 *     more devices than CPUs they take turns. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "draft.h"

/* ---- CPUs of a device ------------------------------------------------------------------------------------------- */

static cpuset *near_cpus(const struct topology *topology, const struct nic *nic, char **ret_why)
{
	const struct node *node = topology_node(topology, nic->node);
	cpuset *set = topology->online ? cpuset_dup(topology->online) : cpuset_new();
	CLEANUP(cpuset_freep) cpuset *rest = NULL;

	if (cpuset_overlap(nic->local, set))
		cpuset_keep(set, nic->local);
	else if (node && cpuset_overlap(node->cpus, set))
		cpuset_keep(set, node->cpus);
	rest = cpuset_dup(set);
	cpuset_drop_all(rest, topology->isolated);
	if (!cpuset_empty(rest))
		cpuset_keep(set, rest);
	*ret_why = cpuset_equal(set, topology->online)
			   ? alloc_string("all online CPUs")
			   : text_format("CPUs local to %s that are not isolated", nic->bus ? nic->bus : nic->name);
	return set;
}

static void work_out(const struct draft *draft, struct job *job)
{
	const struct cpus_value *key = &job->section->cpus;

	if (key->mode == CPUS_EXPR) {
		cpuexpr_eval(key->expr, draft->machine, job->nic, &job->cpus, &job->cpus_why);
	} else if (key->mode == CPUS_OFF) {
		job->cpus = cpuset_new();
		job->cpus_why = alloc_string("cpus = none");
	} else {
		job->cpus = near_cpus(&draft->machine->topology, job->nic, &job->cpus_why);
	}
	job->ncpus = topology_order(&draft->machine->topology, job->cpus, &job->order);
}

static bool divides(const struct job *job)
{
	return job->section->share.at.line && job->section->share.value == SHARE_PARTITION;
}

static void take_part(struct job *job, size_t turn, size_t devices)
{
	size_t each = job->ncpus / devices, over = job->ncpus % devices;
	size_t start = turn * each + (turn < over ? turn : over), end = start + each + (turn < over);
	CLEANUP(free_string) char *whole = TAKE(job->cpus_why);

	if (job->ncpus < devices) {
		start = turn % job->ncpus;
		end = start + 1;
	}
	cpuset_freep(&job->cpus);
	job->cpus = cpuset_new();
	for (size_t i = start; i < end; i++)
		cpuset_add(job->cpus, job->order[i]);
	for (size_t i = start; i < end; i++)
		job->order[i - start] = job->order[i];
	job->cpus_why = text_format("part %zu of %zu of %zu CPUs, %s", turn + 1, devices, job->ncpus, whole);
	job->ncpus = end - start;
}

/* The CPUs of all devices are known whole before the first of them is cut. */
static void divide(struct draft *draft)
{
	size_t *turn = alloc_zero(draft->njobs, sizeof *turn), *devices = alloc_zero(draft->njobs, sizeof *devices);

	for (size_t i = 0; i < draft->njobs; i++) {
		const struct job *job = &draft->jobs[i];

		for (size_t j = 0; j < draft->njobs && divides(job); j++) {
			if (draft->jobs[j].section != job->section || !cpuset_equal(draft->jobs[j].cpus, job->cpus))
				continue;
			turn[i] += j < i;
			devices[i]++;
		}
	}
	for (size_t i = 0; i < draft->njobs; i++)
		if (devices[i] > 1 && draft->jobs[i].ncpus)
			take_part(&draft->jobs[i], turn[i], devices[i]);
	free(turn);
	free(devices);
}

void place_cpus(struct draft *draft)
{
	for (size_t i = 0; i < draft->njobs; i++)
		work_out(draft, &draft->jobs[i]);
	divide(draft);
}
