/* Prints what is, what is wanted and what was done: tables for people, JSON for programs. Looks at a machine for that;
 * writes to the stream it is given, nothing else. */
#pragma once

#include <stdio.h>

#include <steer/apply.h>
#include <steer/machine.h>
#include <steer/plan.h>
#include <steer/policy.h>

struct look { /* a machine, and what a policy makes of it */
	struct machine machine;
	struct plan plan;
	struct findings findings;
};

enum look_depth { LOOK_POLICY, LOOK_EVERYTHING }; /* what of the devices is read: what the policy needs, or all */

/* Observes, plans and finds. spared: not to be tried; NULL: none. -errno: nothing could be read
 * (-ENOENT: there is no /sys and no /proc). */
int look_at(struct host *host, const struct policy *policy, const struct attempts *spared, enum look_depth depth,
	    struct look *ret, struct notes *notes);
void look_clear(struct look *look); /* for CLEANUP */

/* Is something of these devices (NULL or none: of all) not as it should be? That is what --exit-code tells. */
bool look_is_wrong(const struct look *look, const struct strings *devices);

/* " (did you mean 'eth0'?)" for a name that no device has, or "". Caller frees. */
char *look_hint(const struct look *look, const char *device);

struct view { /* what there is to show */
	const struct machine *machine;
	const struct policy *policy; /* NULL: none */
	const struct plan *plan;     /* NULL: none */
	const struct findings *findings;
	const struct strings *devices; /* only these; NULL or none: all */
	bool colour;
	unsigned width; /* columns; 0: unlimited */
};

void show_machine(FILE *out, const struct view *view);                 /* steerctl show */
void show_plan(FILE *out, const struct view *view);                    /* steerctl plan */
void show_explain(FILE *out, const struct view *view);                 /* steerctl explain IFACE */
void show_report(FILE *out, const struct report *report, bool colour); /* steerctl apply, revert; steerd --once */

/* One JSON document and a newline. The keys are in steerctl(8), JSON. */
void json_machine(FILE *out, const struct view *view);
void json_plan(FILE *out, const struct plan *plan);
void json_report(FILE *out, const struct report *report);
