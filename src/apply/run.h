/* One run: rounds of observe, plan and apply. reconcile and revert differ in how they plan. */
#pragma once

#include <steer/apply.h>
#include <steer/observe.h>

#include "tries.h"

struct run;

struct run_kind {
	/* Which details to observe; context is the run. */
	unsigned (*details)(const void *context, const struct machine *machine, const struct nic *nic);
	void (*plan)(const struct run *run, const struct attempts *attempts, struct plan *ret);

	/* Called before the first write of a round. -errno ends the run. NULL: nothing to do. */
	int (*before)(struct run *run);

	/* What was read back as written counts as seen. Otherwise the run ends with a look at it all. */
	bool by_read_back;

	/* The CPUs that an interrupt may run on instead of those it was planned for, or NULL. NULL: no others. */
	cpuset *(*elsewhere)(const struct run *run, const struct nic *nic);
};

struct run {
	const struct run_kind *kind;
	struct host *host;
	const struct policy *policy; /* of reconcile */
	struct originals *originals;
	const struct strings *devices; /* only these; NULL or none: all */
	const struct errand *errand;   /* of reconcile; NULL: everything */
	bool flows;                    /* whether flow offloading matters */
	struct fmc_paths fmc;          /* to observe, where the policy has [fmc] */
	bool has_fmc;
	struct strings sysctls; /* to observe */

	struct topology topology; /* read once */
	bool has_topology;
	bool looked;            /* what observe has to say is told */
	struct machine machine; /* as last observed */
	struct plan plan;       /* what differed then; the changes of stage 1 with what became of them */
	struct tries tries;
	struct notes notes;
	unsigned rounds, writes;
	bool read_only;      /* said already */
	int64_t pause_until; /* how long the stage may wait for links before it sets flow control */
};

void run_clear(struct run *run); /* for CLEANUP */
int run_rounds(struct run *run);
void run_report(struct run *run, struct report *ret); /* moves what the report holds out of the run */

int64_t run_clock(void); /* milliseconds of a clock that only goes forward */
int run_wait_carrier(struct run *run, const struct nic *nic, int64_t until); /* as net_wait_carrier */

/* stage.c: applies what is to do in stage 1 of run->plan, to each device up to its first barrier. */
void stage_apply(struct run *run);

/* What of a plan is to do in stage 1, in the order in which it is done: what sets the host, then device by device by
 * enum setting. Returns how many; the caller frees the array, which points into the plan. */
size_t stage_order(struct plan *plan, struct change ***ret);

/* vector.c: the next CPU to try for an interrupt when `wanted` has no free vector: one with the same last-level cache,
 * out of `allowed`, not `tried`; in topology order, beginning behind `wanted`. -1: none. */
int vector_next(const struct topology *topology, const cpuset *allowed, unsigned wanted, const cpuset *tried);
