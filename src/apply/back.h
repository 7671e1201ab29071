/* The way back: what is remembered, held against the machine. */
#pragma once

#include "originals.h"
#include "run.h"

enum verdict {
	BACK, /* is as it was */
	DIFFERS,
	NOT_NOW,    /* the device is down, and its interrupts with it */
	NOT_BEFORE, /* this queue or interrupt comes with channels that are not back */
	NO_PART,    /* the device is as it was, without this queue or interrupt */
	NO_DEVICE,  /* it may come back */
};

/* *ret_now (may be NULL): the present value, or NULL when it is not known; the caller frees. */
enum verdict back_verdict(const struct run *run, const struct original *original, char **ret_now);

const struct nic *back_nic(const struct run *run, const struct original *original); /* NULL: the host's, or gone */
bool back_selected(const struct run *run, const struct original *original);         /* by run->devices */

/* Plans the way back; a run_kind's plan. */
void back_plan(const struct run *run, const struct attempts *attempts, struct plan *ret);
