/* Folds placements into patterns. A run is a stretch of queues that lie on one and the same set of CPUs, or on one CPU
 * each in ascending order, and all near to the device or all far from it. Pure. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/text.h>

#include "fold.h"

enum { MOST_RUNS = 4, LONG_LIST = 32 };

enum reach { REACH_UNKNOWN, REACH_LOCAL, REACH_REMOTE };

struct run {
	size_t first, n; /* spots */
	bool each;       /* one CPU each, ascending; otherwise all on the same set */
	enum reach reach;
	cpuset *cpus; /* all of them together; NULL unknown */
};

struct runs {
	struct run *items;
	size_t n;
};

static void runs_clear(struct runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		cpuset_free(runs->items[i].cpus);
	free(runs->items);
}

static enum reach reach_of(const cpuset *local, const cpuset *cpus)
{
	if (!local || cpuset_empty(local) || !cpus || cpuset_empty(cpus))
		return REACH_UNKNOWN;
	if (cpuset_within(cpus, local))
		return REACH_LOCAL;
	return cpuset_overlap(cpus, local) ? REACH_UNKNOWN : REACH_REMOTE;
}

static bool follows(const struct spot *before, const struct spot *spot)
{
	return cpuset_count(before->cpus) == 1 && cpuset_count(spot->cpus) == 1 &&
	       cpuset_first(before->cpus) < cpuset_first(spot->cpus);
}

static bool same(const struct spot *a, const struct spot *b)
{
	return (!a->cpus || !b->cpus) ? a->cpus == b->cpus : cpuset_equal(a->cpus, b->cpus);
}

static bool run_takes(const struct run *run, const struct spot *spots, const struct spot *next, enum reach reach)
{
	const struct spot *last = &spots[run->first + run->n - 1];

	if (reach != run->reach || next->index != last->index + 1)
		return false;
	if (run->n == 1)
		return same(last, next) || follows(last, next);
	return run->each ? follows(last, next) : same(last, next);
}

static struct runs runs_make(const cpuset *local, const struct spot *spots, size_t n)
{
	struct runs runs = { 0 };

	for (size_t i = 0; i < n; i++) {
		enum reach reach = reach_of(local, spots[i].cpus);
		struct run *run = runs.n ? &runs.items[runs.n - 1] : NULL;

		if (run && run_takes(run, spots, &spots[i], reach)) {
			run->each = !same(&spots[i - 1], &spots[i]);
			if (run->cpus)
				cpuset_add_all(run->cpus, spots[i].cpus);
			run->n++;
			continue;
		}
		runs.items = alloc_more(runs.items, runs.n, sizeof *runs.items);
		runs.items[runs.n++] =
			(struct run){ .first = i, .n = 1, .reach = reach, .cpus = cpuset_dup(spots[i].cpus) };
	}
	return runs;
}

char *indexes_text(const struct spot *spots, size_t n)
{
	CLEANUP(cpuset_freep) cpuset *indexes = cpuset_new();

	for (size_t i = 0; i < n; i++)
		cpuset_add(indexes, spots[i].index);
	return cpuset_list(indexes);
}

/* Long lists with a regular step are cut short: "0,2,..,38". */
static char *short_list(const cpuset *cpus)
{
	CLEANUP(free_string) char *list = cpuset_list(cpus);
	int first = cpuset_first(cpus), second, before;

	if (strlen(list) <= LONG_LIST)
		return TAKE(list);
	second = before = cpuset_next(cpus, first);
	for (int cpu = cpuset_next(cpus, second); cpu >= 0; before = cpu, cpu = cpuset_next(cpus, cpu))
		if (cpu - before != second - first)
			return text_format("%d to %d, %u of them", first, cpuset_last(cpus), cpuset_count(cpus));
	return text_format("%d,%d,..,%d", first, second, cpuset_last(cpus));
}

char *cpus_text(const struct topology *topology, const cpuset *cpus)
{
	CLEANUP(free_string) char *list = NULL;

	if (!cpus)
		return alloc_string("?");
	if (cpuset_empty(cpus))
		return alloc_string("none");
	if (topology && cpuset_count(cpus) > 1 && cpuset_within(topology->online, cpus))
		return alloc_string("any CPU");
	list = short_list(cpus);
	return text_format("%s %s", cpuset_count(cpus) == 1 ? "CPU" : "CPUs", list);
}

static char *remote_text(const struct topology *topology, const cpuset *cpus)
{
	for (size_t i = 0; i < topology->nnodes; i++)
		if (cpuset_within(cpus, topology->nodes[i].cpus))
			return text_format(", on node %d", topology->nodes[i].id);
	return alloc_string(", remote");
}

static char *run_text(const struct topology *topology, const struct spot *spots, const struct run *run)
{
	CLEANUP(free_string) char *indexes = indexes_text(spots + run->first, run->n);
	CLEANUP(free_string) char *where = NULL;
	CLEANUP(free_string)
	char *far = run->reach == REACH_REMOTE ? remote_text(topology, run->cpus) : alloc_string("");

	if (run->each) {
		CLEANUP(free_string) char *list = short_list(run->cpus);

		where = text_format("CPU %s", list);
	} else {
		where = cpus_text(topology, run->cpus);
	}
	return text_format("%s -> %s%s", indexes, where, far);
}

/* The most queues that share one CPU with nothing else to run on; 0 when some may run on several. */
static unsigned most_on_one(const struct spot *spots, size_t n, cpuset *used)
{
	unsigned most = 1;

	for (size_t i = 0; i < n; i++) {
		unsigned here = 0;

		if (cpuset_count(spots[i].cpus) != 1)
			return 0;
		for (size_t k = 0; k < n; k++)
			here += same(&spots[i], &spots[k]);
		if (here > most)
			most = here;
		cpuset_add_all(used, spots[i].cpus);
	}
	return most;
}

static size_t count_reach(const struct runs *runs, enum reach reach)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++)
		if (runs->items[i].reach == reach)
			n += runs->items[i].n;
	return n;
}

static char *scattered_text(const struct spot *spots, size_t n, const struct runs *runs)
{
	CLEANUP(cpuset_freep) cpuset *used = cpuset_new();
	unsigned most = most_on_one(spots, n, used);
	size_t remote = count_reach(runs, REACH_REMOTE);
	CLEANUP(free_string) char *far = remote ? text_format(", %zu remote", remote) : alloc_string("");

	if (most == 0)
		return text_format("%zu queues, each placed otherwise%s", n, far);
	if (most == 1)
		return text_format("%zu queues on as many CPUs, in no order%s", n, far);
	return text_format("%zu queues on %u CPUs, up to %u on one%s", n, cpuset_count(used), most, far);
}

char *fold_spots(const struct topology *topology, const cpuset *local, const struct spot *spots, size_t n)
{
	const cpuset *near = local && !cpuset_within(topology->online, local) ? local : NULL;
	CLEANUP(runs_clear) struct runs runs = runs_make(near, spots, n);
	CLEANUP(cpuset_freep) cpuset *used = cpuset_new();
	CLEANUP(strings_clear) struct strings texts = { 0 };
	CLEANUP(free_string) char *joined = NULL;
	unsigned most;

	if (runs.n > MOST_RUNS)
		return scattered_text(spots, n, &runs);
	for (size_t i = 0; i < runs.n; i++)
		strings_take(&texts, run_text(topology, spots, &runs.items[i]));
	joined = strings_join(&texts, "; ");
	most = most_on_one(spots, n, used);
	return text_format("%s%s%s", joined, n > 1 && most == 1 ? ", one each" : "",
			   n && count_reach(&runs, REACH_LOCAL) == n ? (n > 1 ? ", all local" : ", local") : "");
}

static char *set_text(const struct topology *topology, const cpuset *cpus)
{
	return cpus && cpuset_empty(cpus) ? alloc_string("off") : cpus_text(topology, cpus);
}

char *fold_sets(const struct topology *topology, const struct spot *spots, size_t n)
{
	CLEANUP(runs_clear) struct runs runs = runs_make(NULL, spots, n);
	CLEANUP(strings_clear) struct strings texts = { 0 };

	if (runs.n == 1 && !runs.items[0].each)
		return set_text(topology, runs.items[0].cpus);
	if (runs.n > MOST_RUNS)
		return alloc_string("differs by queue");
	for (size_t i = 0; i < runs.n; i++) {
		const struct run *run = &runs.items[i];
		CLEANUP(free_string) char *indexes = indexes_text(spots + run->first, run->n);
		CLEANUP(free_string) char *list = run->each ? short_list(run->cpus) : NULL;
		CLEANUP(free_string)
		char *set = run->each ? text_format("CPU %s", list) : set_text(topology, run->cpus);

		strings_take(&texts, text_format("%s -> %s", indexes, set));
	}
	return strings_join(&texts, "; ");
}
