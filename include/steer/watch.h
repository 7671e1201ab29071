/* When to look, and what to make of what was found: coalesces events into passes, tells drift from fights. Pure: time
 * is an argument, in milliseconds of a clock that never goes back. The rules are on top of src/watch/watch.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <steer/events.h>
#include <steer/note.h>
#include <steer/plan.h>

enum { WATCH_NEVER = -1 };

struct pass { /* what a pass is to look at */
	bool everything;
	bool cpus;           /* CPUs came or went: read the topology anew */
	unsigned *ifindexes; /* else these devices, ascending */
	size_t n;
	unsigned *caused; /* of them those whose drivers had cause to write settings themselves */
	size_t ncaused;
};

void pass_clear(struct pass *pass); /* for CLEANUP */
bool pass_includes(const struct pass *pass, unsigned ifindex);

struct watch;

/* audit: every so many milliseconds everything is looked at without an event; 0: never. */
struct watch *watch_new(uint64_t audit, uint64_t now);
void watch_free(struct watch *watch);
void watch_freep(struct watch **watch); /* for CLEANUP */

void watch_event(struct watch *watch, uint64_t now, const struct event *event);
void watch_everything(struct watch *watch, uint64_t now); /* at the start, after a reload, on request: due at once */

/* Milliseconds until the next pass is due, 0: now; WATCH_NEVER: only an event changes anything. */
int64_t watch_wait(const struct watch *watch, uint64_t now);

/* When a pass is due, hands it over and starts the next one. The caller clears *ret. */
bool watch_take(struct watch *watch, uint64_t now, struct pass *ret);

/* Who is likely to have changed a setting, in words ("irqbalance", "an administrator or a script"). */
typedef const char *rival_of(enum setting setting);

/* Learns from a finished pass: each setting with its last state. What somebody else had changed is told in notes. */
void watch_learn(struct watch *watch, uint64_t now, const struct pass *pass, const struct plan *plan, rival_of *rival,
		 struct notes *notes);

/* What a pass must leave alone now: settings that are fought over, and what was refused before. Valid until the next
 * call. */
const struct attempts *watch_spared(struct watch *watch, uint64_t now);

struct watch_counts {
	uint64_t passes, events, drift, fights;
};

void watch_count(const struct watch *watch, uint64_t now, struct watch_counts *ret); /* fights: those going on now */
