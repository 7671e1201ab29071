/* The daemon: keeps a machine as its policy says, pass by pass, for as long as it runs. Here is what main needs to
 * start it, and what the control socket asks of it. All of it in the loop's one thread. */
#pragma once

#include <steer/apply.h>
#include <steer/events.h>
#include <steer/loop.h>
#include <steer/watch.h>

struct daemon;

struct daemon_setup { /* everything is borrowed and outlives the daemon */
	struct loop *loop;
	struct host *host; /* this machine, writable */
	struct originals *originals;

	/* Loads the policy from where it comes from, at the start and at each reload. 0, or -errno with notes that say
	 * why. */
	int (*load)(void *context, struct policy **ret, struct notes *notes);
	void *context;
};

/* Loads the policy, opens the sources of events, and makes the first pass. The lock is the caller's. -errno, with the
 * reasons logged. */
int daemon_open(const struct daemon_setup *setup, struct daemon **ret);
void daemon_close(struct daemon *daemon);
void daemon_closep(struct daemon **daemon); /* for CLEANUP */

/* ---- for the control socket ------------------------------------------------------------------------------------- */

struct host *daemon_host(struct daemon *daemon);
struct originals *daemon_originals(struct daemon *daemon);
const struct policy *daemon_policy(const struct daemon *daemon); /* the one in force; until the next reload */

/* The policy as it is now where it is loaded from. Nothing else changes. */
int daemon_read_policy(const struct daemon *daemon, struct policy **ret, struct notes *notes);

/* Checks the policy anew; replaces the old one only if it has no error. Then a pass over everything is due. -errno: the
 * old one stays; why is logged, and kept in the status. */
int daemon_reload(struct daemon *daemon);

/* A pass over everything, now, what was refused or fought over included. Ends a hold. */
int daemon_apply(struct daemon *daemon, struct report *ret);

/* Puts original values back (devices NULL or none: all), and holds: nothing is changed again before daemon_apply,
 * daemon_reload or daemon_hold(false). */
int daemon_revert(struct daemon *daemon, const struct strings *devices, struct report *ret);

/* While held, events are taken and no pass is made; at the end everything is looked at, and nothing taken for drift. */
void daemon_hold(struct daemon *daemon, bool hold);

/* As daemon_reload and then daemon_apply, on trial: after so many seconds the policy that was in force before is again,
 * and what was there before is put back, unless daemon_confirm comes first. Also when the daemon ends meanwhile; one
 * that is killed does it at its next start, and then holds. -EBUSY: there is a trial; -EINVAL: the policy has an error,
 * see daemon_problems. While there is a trial, nothing but daemon_confirm should be asked that changes anything. */
int daemon_try(struct daemon *daemon, unsigned seconds, struct report *ret);
int daemon_confirm(struct daemon *daemon); /* -ENOENT: there is no trial */

struct daemon_status {
	uint64_t running; /* milliseconds since the start */
	bool pending;     /* a pass is due soon */
	bool held;
	bool udev;           /* udevd announces devices, not the kernel alone */
	bool on_trial;       /* what is in force goes back in */
	uint64_t trial_left; /* milliseconds */
	bool policy_refused; /* the policy in force is not the newest: that has an error, or was not confirmed */
	uint64_t loaded;     /* milliseconds since the policy in force was loaded */
	uint64_t last_pass;  /* milliseconds since the last pass ended */
	struct watch_counts counts;
	uint64_t writes; /* values handed to the kernel, all passes together */
};
void daemon_status(const struct daemon *daemon, struct daemon_status *ret);

/* What is wrong now: why the last reload failed, what the policy requires and the host lacks, what was refused, what is
 * fought over. Added to *ret. */
void daemon_problems(const struct daemon *daemon, struct notes *ret);
void daemon_policy_problems(const struct daemon *daemon, struct notes *ret); /* the first of these alone */

/* What only the daemon knows, for show and plan: findings about settings that are fought over, and what is not tried
 * because of that, or because it was refused before. */
void daemon_findings(const struct daemon *daemon, struct findings *findings);
const struct attempts *daemon_spared(struct daemon *daemon); /* until the next call of anything here */

/* What happens, for `steerctl watch`: exactly one of them is set. Called in the middle of a pass: must not call the
 * daemon. */
struct happening {
	const struct event *event;
	const struct report *report; /* a pass ended that changed, or failed to change, something */
	const struct note *note;     /* anything that is logged */
};
typedef void daemon_listener(void *context, const struct happening *happening);
void daemon_listen(struct daemon *daemon, daemon_listener *listener, void *context); /* one listener; NULL: none */
