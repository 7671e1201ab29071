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
	struct notes policy_problems; /* why the newest policy is not in force */
	struct notes standing;        /* what the last pass had to say of the host */
	struct {
		struct policy *before; /* what was in force; NULL: there is no trial */
		bool was_held;
		struct loop_timer *timer;
		uint64_t end;
	} trial;
	daemon_listener *listener;
	void *listener_context;
};

/* A policy instead of the one before, which is freed, or handed over when somebody wants it. -errno: that one stays. */
int daemon_load(struct daemon *daemon, struct policy **ret_before);
void daemon_use(struct daemon *daemon, struct policy *policy); /* takes it over; frees nothing */
void daemon_tell(const struct daemon *daemon, const struct notes *notes);

void trial_settle(struct daemon *daemon); /* at the start: a trial that was cut off */
void trial_close(struct daemon *daemon);  /* at the end: one that is going on */
int daemon_pass(struct daemon *daemon, const struct pass *pass, struct report *ret);
void daemon_schedule(struct daemon *daemon);           /* the next pass */
void daemon_tell_manager(const struct daemon *daemon); /* how it stands */
