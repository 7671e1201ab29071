/* The daemon from the inside: what it does by itself (daemon.c), and what it is asked (asked.c). */
#pragma once

#include <steer/daemon.h>

#include "rivals.h"

struct daemon {
	struct daemon_setup setup;
	struct policy *policy;
	struct machine known; /* as of the last pass */
	size_t forgotten;     /* devices, since memory was given back last */
	struct watch *watch;
	struct events *events;
	struct loop_source *source;
	struct loop_timer *timer;
	struct rival_search rivals;
	bool held;
	uint64_t started, loaded, last_pass, writes;
	uint64_t not_before;          /* the next pass: the last one could do nothing */
	struct notes policy_problems; /* why the last reload failed */
	struct notes standing;        /* what the last pass had to say of the host */
	daemon_listener *listener;
	void *listener_context;
};

int daemon_load(struct daemon *daemon); /* a policy instead of the one before; -errno: that one stays */
int daemon_pass(struct daemon *daemon, const struct pass *pass, struct report *ret);
void daemon_schedule(struct daemon *daemon);           /* the next pass */
void daemon_tell_manager(const struct daemon *daemon); /* how it stands */
