/* What the parts of the findings share. Private to this folder. */
#pragma once

#include <steer/plan.h>

struct inquiry {
	const struct machine *machine;
	const struct plan *plan; /* may be NULL */
	struct findings *found;
};

/* Adds a finding about a device (NULL: the host); takes the texts over. hint may be NULL. */
void finding_add(const struct inquiry *inquiry, enum note_level level, const char *code, const char *device, char *text,
		 char *hint);

/* How the plan stands to a device (NULL: the host): how many of its changes are in a state. No plan: none. */
size_t planned(const struct inquiry *inquiry, const char *device, enum change_state state);

/* Whether the plan has a say in one of the settings first..last of a device: has its way there, or is to have it. */
bool spoken_of(const struct inquiry *inquiry, const char *device, enum setting first, enum setting last);

/* "run `steerctl plan eth0` to see 12 changes that put it right", or NULL when the plan has none. */
char *plan_hint(const struct inquiry *inquiry, const char *device);

/* The online CPUs near a device; all online ones when that is not known. Never NULL; the caller frees. */
cpuset *cpus_near(const struct topology *topology, const struct nic *nic);

unsigned cores_in(const struct topology *topology, const cpuset *cpus);

/* The CPUs where an interrupt is served: its only one, or the one that the controller chose, or all that may be. */
const cpuset *irq_runs_on(const struct irq *irq);

/* findings_irq.c, findings_steer.c, findings_fmc.c, findings_plan.c */
void find_irq(const struct inquiry *inquiry, const struct nic *nic);
void find_steering(const struct inquiry *inquiry, const struct nic *nic);
void find_fman(const struct inquiry *inquiry);
void find_plan(const struct inquiry *inquiry, const struct policy *policy);
