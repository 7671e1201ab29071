/* Decides which CPUs each device works with. Never asks what a CPU costs: the order of the set says it all.
 *
 *  1. Without `cpus` a section works with the CPUs local to the device that are not isolated.
 *  2. share = overlap: every device has all of them. share = partition: devices of one section that have the same CPUs
 *     divide them, in natural order of names, into parts that follow each other.
 *  3. A part is as large as the others, unless the device can't use as much: then they have what it leaves (max-min
 *     fair). What nobody can use is divided alike too.
 *  4. Every device has one CPU at least. With more devices than CPUs they take turns. */
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

void place_parts(const uint32_t *demands, size_t devices, size_t cpus, size_t *ret)
{
	for (size_t i = 0; i < devices; i++)
		ret[i] = 0;
	for (size_t left = cpus; devices && left > 0; left--) {
		size_t next = 0;

		for (size_t i = 1; i < devices; i++) {
			bool wants = ret[i] < demands[i], other_wants = ret[next] < demands[next];

			if (wants == other_wants ? ret[i] < ret[next] : wants)
				next = i;
		}
		ret[next]++;
	}
}

static void take_part(struct job *job, size_t start, size_t n, size_t devices)
{
	CLEANUP(free_string) char *whole = TAKE(job->cpus_why);

	cpuset_freep(&job->cpus);
	job->cpus = cpuset_new();
	for (size_t i = 0; i < n; i++) {
		job->order[i] = job->order[start + i];
		cpuset_add(job->cpus, job->order[i]);
	}
	job->cpus_why = text_format("its share of %zu CPU%s among %zu devices, %s", job->ncpus,
				    job->ncpus == 1 ? "" : "s", devices, whole);
	job->ncpus = n;
}

/* Those that divide their CPUs with the first: of the ones that have all of theirs still. */
static size_t sharers(const struct draft *draft, size_t first, const bool *done, struct job **ret)
{
	const struct job *one = &draft->jobs[first];
	size_t n = 0;

	for (size_t i = first; i < draft->njobs; i++)
		if (!done[i] && draft->jobs[i].section == one->section && cpuset_equal(draft->jobs[i].cpus, one->cpus))
			ret[n++] = &draft->jobs[i];
	return n;
}

static void divide_among(struct job *const *jobs, size_t n)
{
	uint32_t *demands = alloc_zero(n, sizeof *demands);
	size_t *parts = alloc_zero(n, sizeof *parts), cpus = jobs[0]->ncpus, start = 0;

	for (size_t i = 0; i < n; i++)
		demands[i] = channels_demand(jobs[i]);
	place_parts(demands, n, cpus, parts);
	for (size_t i = 0; i < n; i++) {
		if (parts[i])
			take_part(jobs[i], start, parts[i], n);
		else
			take_part(jobs[i], i % cpus, 1, n);
		start += parts[i];
	}
	free(demands);
	free(parts);
}

static void divide(struct draft *draft)
{
	struct job **jobs = alloc_zero(draft->njobs, sizeof(struct job *));
	bool *done = alloc_zero(draft->njobs, sizeof *done);

	for (size_t i = 0; i < draft->njobs; i++) {
		size_t n;

		if (done[i] || !divides(&draft->jobs[i]) || draft->jobs[i].ncpus == 0)
			continue;
		n = sharers(draft, i, done, jobs);
		for (size_t j = 0; j < n; j++)
			done[jobs[j] - draft->jobs] = true;
		if (n > 1)
			divide_among(jobs, n);
	}
	free(done);
	free(jobs);
}

void place_cpus(struct draft *draft)
{
	for (size_t i = 0; i < draft->njobs; i++)
		work_out(draft, &draft->jobs[i]);
	divide(draft);
}
