/* A watch in a world of two NICs, for tests: events, and plans as a reconciliation would report them. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/text.h>
#include <steer/watch.h>

enum { ETH0 = 7, ETH1 = 8, MINUTE = 60 * 1000, HOUR = 60 * MINUTE };

static inline void happen(struct watch *watch, uint64_t now, enum event_kind kind, unsigned ifindex)
{
	watch_event(watch, now, &(struct event){ .kind = kind, .ifindex = ifindex });
}

/* A pass is due exactly at `due`, and is taken. */
static inline void take_at(struct watch *watch, uint64_t due, struct pass *ret)
{
	assert_false(due > 0 && watch_take(watch, due - 1, ret));
	assert_int_equal(watch_wait(watch, due), 0);
	assert_true(watch_take(watch, due, ret));
}

static inline const char *likely(void *context, const struct change *change)
{
	(void)change;
	return context;
}

struct world { /* plans as reconcile would report them */
	struct watch *watch;
	struct plan plan;
	struct notes notes;
	uint64_t now;
};

static inline void begin(struct world *world)
{
	*world = (struct world){ .watch = watch_new(0, 0), .now = 1000 };
}

static inline void world_clear(struct world *world)
{
	watch_free(world->watch);
	free(world->plan.changes);
	notes_clear(&world->notes);
}

static inline struct change *setting(struct world *world, unsigned ifindex, enum setting setting, unsigned queue,
				     enum change_state state)
{
	struct plan *plan = &world->plan;
	struct change *change;

	plan->changes = alloc_more(plan->changes, plan->nchanges, sizeof *plan->changes);
	change = &plan->changes[plan->nchanges++];
	*change = (struct change){ .setting = setting,
				   .state = state,
				   .device = (char *)(ifindex == ETH0   ? "eth0"
						      : ifindex == ETH1 ? "eth1"
						      : ifindex         ? "ethN"
									: NULL),
				   .ifindex = ifindex,
				   .queue = QUEUE_RX,
				   .index = queue,
				   .from = (char *)"0",
				   .to = (char *)"3",
				   .target = (char *)"file",
				   .stage = 1 };
	return change;
}

/* The pass is over; the next plan begins. */
static inline void learn(struct world *world, const struct pass *pass)
{
	const struct rivals rivals = { .likely = likely, .context = (void *)"Kilroy" };

	notes_clear(&world->notes);
	watch_learn(world->watch, world->now, pass, &world->plan, &rivals, &world->notes);
	world->plan.nchanges = 0;
}

/* A pass over eth0 after one event, which finds one setting in a state. */
static inline void pass_finds(struct world *world, enum event_kind kind, enum setting found, enum change_state state)
{
	CLEANUP(pass_clear) struct pass pass = { 0 };
	unsigned ifindex = kind == EVENT_CPU || kind == EVENT_OVERRUN ? 0 : ETH0;

	happen(world->watch, world->now, kind, ifindex);
	world->now += 1000;
	assert_true(watch_take(world->watch, world->now, &pass));
	setting(world, ETH0, found, 0, state);
	learn(world, &pass);
}

static inline uint64_t drifts(const struct world *world)
{
	struct watch_counts counts;

	watch_count(world->watch, world->now, &counts);
	return counts.drift;
}

static inline uint64_t fights(const struct world *world)
{
	struct watch_counts counts;

	watch_count(world->watch, world->now, &counts);
	return counts.fights;
}
