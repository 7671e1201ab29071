/* The loop that a daemon stands in: waits for descriptors and deadlines, and calls whoever asked. Decides nothing, and
 * makes no system call while nothing happens.
 *
 * One thread: a callback runs to its end before the next one. It may add, change and remove any source or timer, its
 * own too. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct loop;
struct loop_source; /* a descriptor that is waited for */
struct loop_timer;  /* a deadline */

enum {
	LOOP_READ = 1 << 0,
	LOOP_WRITE = 1 << 1,
	LOOP_HANGUP = 1 << 2 /* always waited for: the other end is gone, or an error */
};
enum { LOOP_NEVER = -1 };

int loop_new(struct loop **ret);
void loop_free(struct loop *loop);   /* with every source and timer still in it; closes no descriptor of theirs */
void loop_freep(struct loop **loop); /* for CLEANUP */

/* Calls ready with those of `events` that are there, LOOP_HANGUP too, as often as they are (level, not edge). ready
 * returns 0, or -errno, which ends the loop: only for what the daemon cannot live with. The descriptor stays the
 * caller's, who removes the source before closing it. */
typedef int loop_ready(void *context, unsigned events);
int loop_add(struct loop *loop, int fd, unsigned events, loop_ready *ready, void *context, struct loop_source **ret);
int loop_change(struct loop_source *source, unsigned events);
void loop_remove(struct loop_source *source); /* NULL is fine; never called again after this */

/* A timer is made stopped. It fires once each time it is set; the callback as above, its events are 0. */
struct loop_timer *loop_timer_add(struct loop *loop, loop_ready *fired, void *context); /* never NULL */
void loop_timer_set(struct loop_timer *timer,
		    int64_t milliseconds);        /* from now on; 0: as soon as may be; LOOP_NEVER: stops it */
void loop_timer_remove(struct loop_timer *timer); /* NULL is fine */

uint64_t loop_now(void); /* milliseconds of a clock that never goes back */

int loop_run(struct loop *loop); /* until loop_stop (0) or a callback's -errno */
void loop_stop(struct loop *loop);
