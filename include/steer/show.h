/* Prints what is, what is wanted and what was done: tables for people, JSON for programs. Writes to the stream it is
 * given, nothing else. */
#pragma once

#include <stdio.h>

#include <steer/apply.h>
#include <steer/machine.h>
#include <steer/plan.h>
#include <steer/policy.h>

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
