/* When to look, and what to make of what was found: coalesces events into passes, tells drift from fights. Pure: time
 * is an argument, in milliseconds of a clock that never goes back. The rules are on top of src/watch/watch.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <steer/events.h>
#include <steer/note.h>
#include <steer/plan.h>

enum { WATCH_NEVER = -1 };

struct pass_device {
	unsigned ifindex;
	unsigned kinds; /* bits: what happened to it, 1 << enum event_kind */
};

struct pass { /* what a pass is to look at */
	bool everything;
	bool asked;     /* for by somebody, not by an event: start, reload, apply */
	unsigned kinds; /* bits: what happened to the host */
	struct pass_device *devices;
	size_t n;
};

void pass_clear(struct pass *pass);                             /* for CLEANUP */
bool pass_includes(const struct pass *pass, unsigned ifindex);  /* everything, or this device */
bool pass_remakes_topology(const struct pass *pass);            /* CPUs may have come or gone */
unsigned pass_kinds(const struct pass *pass, unsigned ifindex); /* what happened that this device may have felt */

struct watch;

/* audit: every so many milliseconds everything is looked at without an event; 0: never. */
struct watch *watch_new(uint64_t audit, uint64_t now);
void watch_free(struct watch *watch);
void watch_freep(struct watch **watch); /* for CLEANUP */
void watch_set_audit(struct watch *watch, uint64_t audit, uint64_t now);

void watch_event(struct watch *watch, uint64_t now, const struct event *event);
void watch_everything(struct watch *watch, uint64_t now); /* at the start, after a reload, on request: due at once */

/* Milliseconds until the next pass is due, 0: now; WATCH_NEVER: only an event changes anything. */
int64_t watch_wait(const struct watch *watch, uint64_t now);

/* When a pass is due, hands it over and starts the next one. The caller clears *ret. */
bool watch_take(struct watch *watch, uint64_t now, struct pass *ret);

/* Who is likely to have changed a setting, in words: "irqbalance, which runs". The text is copied. */
struct rivals {
	const char *(*likely)(void *context, const struct change *change);
	void *context;
};

/* Learns from a finished pass: each setting with its last state. What somebody else had changed, what is fought over,
 * and what was refused for the first time is told in notes. */
void watch_learn(struct watch *watch, uint64_t now, const struct pass *pass, const struct plan *plan,
		 const struct rivals *rivals, struct notes *notes);

/* Forgets what was as wanted: somebody with a right to it changes settings, and that is no drift. */
void watch_unsettle(struct watch *watch);

/* What a pass must leave alone now: settings that are fought over, and what was refused before. Valid until the next
 * call. */
const struct attempts *watch_spared(struct watch *watch, uint64_t now);

/* Adds a finding for each setting that is fought over now. */
void watch_findings(const struct watch *watch, uint64_t now, struct findings *findings);

/* Adds a note for each setting of a device that is fought over now or was refused. */
void watch_problems(const struct watch *watch, uint64_t now, struct notes *notes);

struct watch_counts {
	uint64_t passes, events, drift; /* drift: values put right that somebody else had changed */
	uint64_t fights;                /* going on now */
	uint64_t remembered;            /* settings */
};

void watch_count(const struct watch *watch, uint64_t now, struct watch_counts *ret);
