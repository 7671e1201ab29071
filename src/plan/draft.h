/* What the steps of planning share: the plan as it grows, and the devices it is about. Private to this folder. */
#pragma once

#include <steer/plan.h>

struct job { /* one device and the section that matches it */
	const struct section *section;
	const struct nic *nic; /* as it is */
	struct nic then;       /* as it will be: owns its queues and irqs, shares the rest with nic. Holds requested
				  interrupts of existing queues alone; `requested` not set: made behind the barrier, its
				  number is not known yet. affinity NULL: not known */
	unsigned stage;        /* of everything that lives on queues and interrupts: 2 behind a barrier */
	cpuset *cpus;          /* the CPUs it works with: its part of the section's */
	char *cpus_why;
	unsigned *order; /* the same CPUs in topology order */
	size_t ncpus;
};

struct draft {
	const struct machine *machine;
	const struct policy *policy;
	const struct attempts *attempts; /* may be NULL */
	struct job *jobs;                /* natural order of names */
	size_t njobs;
	struct plan *plan;
};

/* Adds a change of a device (job NULL: of the host) and takes its texts over. Of `change` the setting, queue, index,
 * irq, from, to, target, why, origin and cost are used. It becomes SAME or TODO as from and to are equal or not, unless
 * it comes with `skipped` set: then it is SAME or SKIPPED. What `disruptive` forbids is SKIPPED, and what an earlier
 * attempt made of it stays. The result is valid until the next call. */
struct change *draft_add(struct draft *draft, const struct job *job, struct change change);

/* Why `disruptive` forbids a change of that cost now, or NULL. */
const char *draft_forbids(const struct job *job, unsigned cost);

/* ---- the steps, in their order --------------------------------------------------------------------------------- */

/* place.c */
void place_cpus(struct draft *draft); /* the CPUs of every job, divided where the section says so */
void place_irqs(struct draft *draft, struct job *job);

/* Divides CPUs among devices that could use `demands` of them each (at least 1). ret[i] is 0 where there are more
 * devices than CPUs. */
void place_parts(const uint32_t *demands, size_t devices, size_t cpus, size_t *ret);

/* pause.c, device.c, channels.c: set job->stage and job->then when they are a barrier */
void plan_pause(struct draft *draft, struct job *job);
void plan_offloads(struct draft *draft, struct job *job); /* offload.c */
void plan_rings(struct draft *draft, struct job *job);
void plan_channels(struct draft *draft, struct job *job);
void plan_link(struct draft *draft, struct job *job);

/* channels.c: how many CPUs the queues that a device has, or may be given now, can make use of; UINT32_MAX: not known.
 */
uint32_t channels_demand(const struct job *job);
uint32_t channels_most_rx(const struct nic *nic); /* receive queues that the device can have; 0: not known */

/* forecast.c */
void forecast_begin(struct job *job);   /* job->then: the device as it is */
void forecast_barrier(struct job *job); /* job->then: the device once its channels are as then.channels says, or once
					   it is up */
void forecast_end(struct job *job);
bool forecast_waits_for_link(const struct job *job); /* its interrupts exist only when it is up, and it is not */

/* steer.c */
void steer_rps(struct draft *draft, struct job *job);
void steer_xps(struct draft *draft, struct job *job);

/* sysctl.c, fmc_change.c: of the host */
void plan_sysctls(struct draft *draft);
void plan_fmc(struct draft *draft);
