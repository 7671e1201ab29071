/* When the daemon looks, and what it makes of what it finds: a test for each rule of watch.c, drift.c and dispute.c. */
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

/* ---- help ------------------------------------------------------------------------------------------------------- */

static void happen(struct watch *watch, uint64_t now, enum event_kind kind, unsigned ifindex)
{
	watch_event(watch, now, &(struct event){ .kind = kind, .ifindex = ifindex });
}

/* A pass is due exactly at `due`, and is taken. */
static void take_at(struct watch *watch, uint64_t due, struct pass *ret)
{
	assert_false(due > 0 && watch_take(watch, due - 1, ret));
	assert_int_equal(watch_wait(watch, due), 0);
	assert_true(watch_take(watch, due, ret));
}

static const char *likely(void *context, const struct change *change)
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

static void begin(struct world *world)
{
	*world = (struct world){ .watch = watch_new(0, 0), .now = 1000 };
}

static void world_clear(struct world *world)
{
	watch_free(world->watch);
	free(world->plan.changes);
	notes_clear(&world->notes);
}

static struct change *setting(struct world *world, unsigned ifindex, enum setting setting, unsigned queue,
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
static void learn(struct world *world, const struct pass *pass)
{
	const struct rivals rivals = { .likely = likely, .context = (void *)"Kilroy" };

	notes_clear(&world->notes);
	watch_learn(world->watch, world->now, pass, &world->plan, &rivals, &world->notes);
	world->plan.nchanges = 0;
}

/* A pass over eth0 after one event, which finds one setting in a state. */
static void pass_finds(struct world *world, enum event_kind kind, enum setting found, enum change_state state)
{
	CLEANUP(pass_clear) struct pass pass = { 0 };
	unsigned ifindex = kind == EVENT_CPU || kind == EVENT_OVERRUN ? 0 : ETH0;

	happen(world->watch, world->now, kind, ifindex);
	world->now += 1000;
	assert_true(watch_take(world->watch, world->now, &pass));
	setting(world, ETH0, found, 0, state);
	learn(world, &pass);
}

static uint64_t drifts(const struct world *world)
{
	struct watch_counts counts;

	watch_count(world->watch, world->now, &counts);
	return counts.drift;
}

static uint64_t fights(const struct world *world)
{
	struct watch_counts counts;

	watch_count(world->watch, world->now, &counts);
	return counts.fights;
}

/* ---- when, and at what ------------------------------------------------------------------------------------------ */

static void rule_1_waits_for_quiet(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_new(0, 0);
	CLEANUP(pass_clear) struct pass pass = { 0 };

	(void)state;
	assert_int_equal(watch_wait(watch, 50), WATCH_NEVER);
	happen(watch, 100, EVENT_NIC_UP, ETH0);
	assert_int_equal(watch_wait(watch, 100), 150);
	happen(watch, 200, EVENT_NIC_UP, ETH0);
	assert_int_equal(watch_wait(watch, 210), 140);
	take_at(watch, 350, &pass);
	assert_int_equal(watch_wait(watch, 351), WATCH_NEVER);
}

static void rule_1_has_no_endless_patience(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_new(0, 0);
	CLEANUP(pass_clear) struct pass pass = { 0 };

	(void)state;
	for (uint64_t now = 5000; now < 6000; now += 100)
		happen(watch, now, EVENT_NIC_UP, ETH0);
	take_at(watch, 6000, &pass);
	happen(watch, 6050, EVENT_NIC_UP, ETH0); /* of the next one */
	assert_int_equal(watch_wait(watch, 6050), 150);
}

static void rule_2_looks_at_what_was_named(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_new(0, 0);
	CLEANUP(pass_clear) struct pass pass = { 0 };

	(void)state;
	happen(watch, 0, EVENT_NIC_UP, ETH0);
	happen(watch, 10, EVENT_NIC_QUEUES, ETH0);
	take_at(watch, 160, &pass);
	assert_true(pass_includes(&pass, ETH0) && !pass_includes(&pass, ETH1));
	assert_false(pass.everything || pass_remakes_topology(&pass));
	assert_int_equal(pass.n, 1);
	assert_int_equal(pass_kinds(&pass, ETH0), 1u << EVENT_NIC_UP | 1u << EVENT_NIC_QUEUES);
	assert_int_equal(pass_kinds(&pass, ETH1), 0);
}

static void rule_2_looks_at_everything(void **state)
{
	static const enum event_kind kinds[] = { EVENT_CPU, EVENT_OVERRUN };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		CLEANUP(watch_freep) struct watch *watch = watch_new(0, 0);
		CLEANUP(pass_clear) struct pass pass = { 0 };

		happen(watch, 0, kinds[i], 0);
		take_at(watch, 150, &pass);
		assert_true(pass.everything && pass_includes(&pass, ETH1) && pass_remakes_topology(&pass));
	}
}

static void rule_2_answers_at_once(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_new(0, 0);
	CLEANUP(pass_clear) struct pass pass = { 0 };

	(void)state;
	happen(watch, 100, EVENT_NIC_UP, ETH0);
	watch_everything(watch, 120);
	assert_int_equal(watch_wait(watch, 120), 0);
	assert_true(watch_take(watch, 120, &pass));
	assert_true(pass.everything && pass.asked && pass_remakes_topology(&pass));
	assert_int_equal(watch_wait(watch, 121), WATCH_NEVER);
}

static void rule_3_thinks_of_the_neighbours(void **state)
{
	static const enum event_kind kinds[] = { EVENT_NIC_REMOVED, EVENT_NIC_CHANGED };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		CLEANUP(world_clear) struct world world;
		CLEANUP(pass_clear) struct pass pass = { 0 };

		begin(&world);
		pass_finds(&world, EVENT_NIC_ADDED, SETTING_RPS, CHANGE_DONE);
		happen(world.watch, world.now, kinds[i], ETH0);
		take_at(world.watch, world.now + 150, &pass);
		assert_true(pass.everything);
	}
}

static void rule_3_lets_strangers_change(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_new(0, 0);
	CLEANUP(pass_clear) struct pass pass = { 0 };

	(void)state;
	happen(watch, 0, EVENT_NIC_REMOVED, ETH1);
	assert_int_equal(watch_wait(watch, 0), WATCH_NEVER);
	happen(watch, 0, EVENT_NIC_CHANGED, ETH1);
	take_at(watch, 150, &pass);
	assert_false(pass.everything);
}

static void rule_4_forgets_what_came_and_went(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_new(0, 0);
	CLEANUP(pass_clear) struct pass pass = { 0 };

	(void)state;
	for (unsigned ifindex = 100; ifindex < 1100; ifindex++) {
		happen(watch, 10, EVENT_NIC_ADDED, ifindex);
		happen(watch, 11, EVENT_NIC_QUEUES, ifindex);
	}
	for (unsigned ifindex = 100; ifindex < 1100; ifindex++)
		happen(watch, 20, EVENT_NIC_REMOVED, ifindex);
	assert_int_equal(watch_wait(watch, 20), WATCH_NEVER);
	assert_false(watch_take(watch, 5000, &pass));
}

static void rule_5_audits(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_new(MINUTE, 0);
	CLEANUP(pass_clear) struct pass first = { 0 }, second = { 0 }, third = { 0 };

	(void)state;
	assert_int_equal(watch_wait(watch, 0), MINUTE);
	take_at(watch, MINUTE, &first);
	assert_true(first.everything && !first.asked && !pass_remakes_topology(&first));
	happen(watch, MINUTE + 100, EVENT_NIC_UP, ETH0);
	take_at(watch, MINUTE + 250, &second);
	assert_false(second.everything);
	take_at(watch, 2 * MINUTE + 250, &third); /* after the last pass of any kind */
	watch_set_audit(watch, 0, 3 * MINUTE);
	assert_int_equal(watch_wait(watch, 3 * MINUTE), WATCH_NEVER);
}

/* ---- drift ------------------------------------------------------------------------------------------------------ */

static void rule_6_tells_drift(void **state)
{
	CLEANUP(world_clear) struct world world;

	(void)state;
	begin(&world);
	pass_finds(&world, EVENT_NIC_ADDED, SETTING_RPS, CHANGE_DONE);
	assert_int_equal(drifts(&world), 0);
	assert_string_equal(world.notes.items[0].text, "rps of rx-0 set from '0' to '3'");
	pass_finds(&world, EVENT_NIC_UP, SETTING_RPS, CHANGE_SAME);
	assert_int_equal(world.notes.n, 0);
	pass_finds(&world, EVENT_NIC_UP, SETTING_RPS, CHANGE_DONE);
	assert_int_equal(drifts(&world), 1);
	assert_int_equal(world.notes.n, 1);
	assert_int_equal(world.notes.items[0].level, NOTE_WARNING);
	assert_string_equal(world.notes.items[0].subject, "eth0");
	assert_string_equal(world.notes.items[0].text,
			    "rps of rx-0 was changed to '0' by somebody else, put right to '3'");
	assert_string_equal(world.notes.items[0].hint, "likely Kilroy");
}

static void rule_6_tells_many_at_once(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(pass_clear) struct pass first = { 0 }, second = { 0 };

	(void)state;
	begin(&world);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &first));
	for (unsigned queue = 0; queue < 8; queue++)
		setting(&world, ETH0, SETTING_RPS, queue, CHANGE_SAME);
	learn(&world, &first);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &second));
	for (unsigned queue = 0; queue < 8; queue++)
		setting(&world, ETH0, SETTING_RPS, queue, queue < 5 ? CHANGE_DONE : CHANGE_SAME);
	learn(&world, &second);
	assert_int_equal(drifts(&world), 5);
	assert_int_equal(world.notes.n, 1);
	assert_string_equal(world.notes.items[0].text, "rps: 5 values were changed by somebody else, put right");
}

/* A wish that has changed, a value that never was as wished, and one that is only almost so are no drift. */
static void rule_6_takes_nothing_else_for_drift(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(pass_clear) struct pass first = { 0 }, second = { 0 };
	static const enum change_state unsettled[] = { CHANGE_TODO, CHANGE_SKIPPED, CHANGE_FAILED, CHANGE_DEFERRED,
						       CHANGE_GONE };

	(void)state;
	begin(&world);
	for (size_t i = 0; i < COUNT_OF(unsettled); i++) {
		pass_finds(&world, EVENT_NIC_SETTINGS, SETTING_RPS, unsettled[i]);
		pass_finds(&world, EVENT_NIC_SETTINGS, SETTING_RPS, CHANGE_DONE);
		assert_int_equal(drifts(&world), 0);
	}
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &first));
	setting(&world, ETH0, SETTING_RPS, 0, CHANGE_DONE)->to = (char *)"4";
	learn(&world, &first);
	assert_int_equal(drifts(&world), 0);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &second));
	setting(&world, ETH0, SETTING_IRQ, 0, CHANGE_DONE)->skipped = (char *)"on a CPU near it";
	learn(&world, &second);
	pass_finds(&world, EVENT_NIC_DOWN, SETTING_IRQ, CHANGE_DONE);
	assert_int_equal(drifts(&world), 0);
}

static void what_is_done_by_right_is_no_drift(void **state)
{
	CLEANUP(world_clear) struct world world;

	(void)state;
	begin(&world);
	pass_finds(&world, EVENT_NIC_ADDED, SETTING_RPS, CHANGE_DONE);
	watch_unsettle(world.watch);
	pass_finds(&world, EVENT_NIC_UP, SETTING_RPS, CHANGE_DONE);
	assert_int_equal(drifts(&world), 0);
}

/* Which settings an event excuses: pause, rings, channels (rx tx combined), link, irq, irq.control, rps, rps.flows,
 * xps, xps.rxqs, sysctl; in the order of the enum. */
static const struct {
	enum event_kind kind;
	const char *excused; /* x: no drift */
} excuses[] = {
	/*                     pause rings channels link irqs rps xps sysctl */
	{ EVENT_NIC_ADDED, "x xx xxx x xx xx xx x" },  { EVENT_NIC_CHANGED, "- -- xxx - -- -- -- -" },
	{ EVENT_NIC_QUEUES, "- -- --- - xx xx xx -" }, { EVENT_NIC_UP, "x -- xxx - xx -- xx -" },
	{ EVENT_NIC_DOWN, "- -- --- - -- -- -- -" },   { EVENT_NIC_SETTINGS, "- -- --- - xx -- xx -" },
	{ EVENT_CPU, "- -- --- - xx xx xx -" },        { EVENT_OVERRUN, "x xx xxx x xx xx xx x" },
};

static void rule_7_knows_what_drivers_do(void **state)
{
	(void)state;
	assert_int_equal(COUNT_OF(excuses), EVENT_KINDS - 1); /* who is removed has no settings */
	for (size_t i = 0; i < COUNT_OF(excuses); i++) {
		const char *excused = excuses[i].excused;

		for (unsigned which = 0; which < SETTINGS; which++, excused++) {
			CLEANUP(world_clear) struct world world;

			excused += strspn(excused, " ");
			begin(&world);
			pass_finds(&world, EVENT_NIC_DOWN, (enum setting)which, CHANGE_SAME);
			pass_finds(&world, excuses[i].kind, (enum setting)which, CHANGE_DONE);
			if (drifts(&world) != (*excused == '-'))
				fail_msg("%s, %s", event_kind_name(excuses[i].kind), setting_name((enum setting)which));
		}
		assert_string_equal(excused, "");
	}
}

static void rule_7_excuses_one_device_only(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(pass_clear) struct pass first = { 0 }, second = { 0 };

	(void)state;
	begin(&world);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &first));
	setting(&world, ETH0, SETTING_IRQ, 0, CHANGE_SAME);
	setting(&world, ETH1, SETTING_IRQ, 0, CHANGE_SAME);
	learn(&world, &first);
	happen(world.watch, world.now, EVENT_NIC_UP, ETH0);
	happen(world.watch, world.now, EVENT_NIC_DOWN, ETH1);
	take_at(world.watch, world.now + 150, &second);
	setting(&world, ETH0, SETTING_IRQ, 0, CHANGE_DONE);
	setting(&world, ETH1, SETTING_IRQ, 0, CHANGE_DONE);
	learn(&world, &second);
	assert_int_equal(drifts(&world), 1);
	assert_string_equal(world.notes.items[1].subject, "eth1");
}

/* Somebody changed the channels: that is drift, and what putting them right cost is none. */
static void rule_7_excuses_what_the_pass_itself_reset(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(pass_clear) struct pass first = { 0 }, second = { 0 };

	(void)state;
	begin(&world);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &first));
	setting(&world, ETH0, SETTING_CHANNELS_COMBINED, 0, CHANGE_SAME);
	setting(&world, ETH0, SETTING_RPS, 0, CHANGE_SAME);
	learn(&world, &first);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &second));
	setting(&world, ETH0, SETTING_CHANNELS_COMBINED, 0, CHANGE_DONE)->cost = COST_RENUMBERS;
	setting(&world, ETH0, SETTING_RPS, 0, CHANGE_DONE);
	learn(&world, &second);
	assert_int_equal(drifts(&world), 1);
	assert_true(text_starts(world.notes.items[0].text, "channels.combined"));
	assert_int_equal(world.notes.items[1].level, NOTE_INFO);
}

/* ---- fights ----------------------------------------------------------------------------------------------------- */

/* So many passes find drift, at this distance. */
static void fight(struct world *world, unsigned times, uint64_t distance)
{
	for (unsigned i = 0; i < times; i++) {
		world->now += distance - 1000;
		pass_finds(world, EVENT_NIC_DOWN, SETTING_RPS, CHANGE_DONE);
	}
}

static void rule_8_five_times_in_a_minute(void **state)
{
	CLEANUP(world_clear) struct world world;

	(void)state;
	begin(&world);
	pass_finds(&world, EVENT_NIC_DOWN, SETTING_RPS, CHANGE_SAME);
	fight(&world, 4, 10 * 1000);
	assert_int_equal(fights(&world), 0);
	assert_int_equal(watch_spared(world.watch, world.now)->n, 0);
	fight(&world, 1, 10 * 1000);
	assert_int_equal(fights(&world), 1);
	assert_int_equal(world.notes.n, 2);
	assert_int_equal(world.notes.items[1].level, NOTE_ERROR);
	assert_string_equal(world.notes.items[1].text, "rps: changed 5 times within a minute by somebody else, likely "
						       "Kilroy; left alone for 5 minutes");
	assert_int_equal(watch_spared(world.watch, world.now)->n, 1);
	assert_int_equal(watch_spared(world.watch, world.now)->items[0].state, CHANGE_SKIPPED);
}

static void rule_8_five_times_in_more_are_none(void **state)
{
	CLEANUP(world_clear) struct world world;

	(void)state;
	begin(&world);
	pass_finds(&world, EVENT_NIC_DOWN, SETTING_RPS, CHANGE_SAME);
	fight(&world, 50, 15001); /* the fifth lies a minute and 4 ms behind the first */
	assert_int_equal(drifts(&world), 50);
	assert_int_equal(fights(&world), 0);
}

static void rule_8_many_queues_in_one_pass_are_one(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(pass_clear) struct pass pass = { 0 };

	(void)state;
	begin(&world);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &pass));
	for (unsigned round = 0; round < 5; round++) {
		assert_int_equal(fights(&world), 0);
		for (unsigned queue = 0; queue < 64; queue++)
			setting(&world, ETH0, SETTING_IRQ, queue, round ? CHANGE_DONE : CHANGE_SAME);
		learn(&world, &pass);
	}
	assert_int_equal(drifts(&world), 4 * 64);
	assert_int_equal(fights(&world), 0);
}

static void rule_8_looks_again_after_the_truce(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(pass_clear) struct pass pass = { 0 };

	(void)state;
	begin(&world);
	pass_finds(&world, EVENT_NIC_DOWN, SETTING_RPS, CHANGE_SAME);
	fight(&world, 5, 2000);
	assert_int_equal(watch_wait(world.watch, world.now), 5 * MINUTE);
	take_at(world.watch, world.now + 5 * MINUTE, &pass);
	assert_true(pass_includes(&pass, ETH0) && !pass.everything);
	world.now += 5 * MINUTE;
	assert_int_equal(watch_spared(world.watch, world.now)->n, 0);
	assert_int_equal(fights(&world), 0);
	assert_int_equal(watch_wait(world.watch, world.now), WATCH_NEVER);
}

static void rule_8_truces_grow(void **state)
{
	static const int64_t minutes[] = { 5, 10, 20, 40, 60, 60 };
	CLEANUP(world_clear) struct world world;

	(void)state;
	begin(&world);
	for (size_t i = 0; i <= COUNT_OF(minutes); i++) {
		int64_t expected = i < COUNT_OF(minutes) ? minutes[i] : 5;

		pass_finds(&world, EVENT_NIC_DOWN, SETTING_RPS, CHANGE_SAME);
		fight(&world, 5, 2000);
		assert_int_equal(watch_wait(world.watch, world.now), expected * MINUTE);
		world.now += (uint64_t)expected * MINUTE;
		if (i == COUNT_OF(minutes) - 1) /* peace for a long time */
			world.now += HOUR;
	}
}

static void fights_are_findings(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(findings_clear) struct findings findings = { 0 };
	CLEANUP(notes_clear) struct notes problems = { 0 };

	(void)state;
	begin(&world);
	pass_finds(&world, EVENT_NIC_DOWN, SETTING_RPS, CHANGE_SAME);
	fight(&world, 5, 2000);
	watch_findings(world.watch, world.now, &findings);
	watch_problems(world.watch, world.now, &problems);
	assert_int_equal(findings.n, 1);
	assert_string_equal(findings.items[0].code, "fought-over");
	assert_string_equal(findings.items[0].device, "eth0");
	assert_non_null(strstr(findings.items[0].text, "Kilroy"));
	assert_string_equal(problems.items[0].text, findings.items[0].text);
	findings_clear(&findings);
	watch_findings(world.watch, world.now + 5 * MINUTE, &findings);
	assert_int_equal(findings.n, 0);
}

/* ---- refusals --------------------------------------------------------------------------------------------------- */

static void rule_9_asks_once(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(notes_clear) struct notes problems = { 0 };

	(void)state;
	begin(&world);
	pass_finds(&world, EVENT_NIC_ADDED, SETTING_PAUSE, CHANGE_FAILED);
	assert_int_equal(world.notes.n, 1);
	assert_int_equal(world.notes.items[0].level, NOTE_ERROR);
	assert_int_equal(watch_spared(world.watch, world.now)->n, 1);
	assert_int_equal(watch_spared(world.watch, world.now)->items[0].state, CHANGE_FAILED);
	pass_finds(&world, EVENT_NIC_SETTINGS, SETTING_PAUSE, CHANGE_FAILED);
	assert_int_equal(world.notes.n, 0);
	watch_problems(world.watch, world.now, &problems);
	assert_int_equal(problems.n, 1);
}

static void rule_9_asks_again_when_things_have_changed(void **state)
{
	static const struct {
		enum event_kind kind;
		unsigned spared;
	} cases[] = { { EVENT_NIC_ADDED, 0 },  { EVENT_NIC_UP, 0 },     { EVENT_CPU, 0 },
		      { EVENT_OVERRUN, 0 },    { EVENT_NIC_DOWN, 1 },   { EVENT_NIC_SETTINGS, 1 },
		      { EVENT_NIC_QUEUES, 1 }, { EVENT_NIC_CHANGED, 1 } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(world_clear) struct world world;
		CLEANUP(pass_clear) struct pass pass = { 0 };
		bool host = cases[i].kind == EVENT_CPU || cases[i].kind == EVENT_OVERRUN;

		begin(&world);
		pass_finds(&world, EVENT_NIC_ADDED, SETTING_IRQ, CHANGE_FAILED);
		happen(world.watch, world.now, cases[i].kind, host ? 0 : ETH0);
		take_at(world.watch, world.now + 150, &pass);
		assert_int_equal(watch_spared(world.watch, world.now)->n, cases[i].spared);
		setting(&world, ETH0, SETTING_IRQ, 0, CHANGE_FAILED);
		learn(&world, &pass);
		assert_int_equal(world.notes.n, 0); /* told already */
	}
}

static void rule_10_gives_everybody_another_chance(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(pass_clear) struct pass pass = { 0 };

	(void)state;
	begin(&world);
	pass_finds(&world, EVENT_NIC_DOWN, SETTING_RPS, CHANGE_SAME);
	fight(&world, 5, 2000);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &pass));
	assert_int_equal(watch_spared(world.watch, world.now)->n, 0);
	assert_int_equal(fights(&world), 0);
	setting(&world, ETH0, SETTING_RPS, 0, CHANGE_FAILED);
	learn(&world, &pass);
	assert_int_equal(watch_spared(world.watch, world.now)->n, 1);
	pass_clear(&pass);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &pass));
	assert_int_equal(watch_spared(world.watch, world.now)->n, 0);
	setting(&world, ETH0, SETTING_RPS, 0, CHANGE_FAILED);
	learn(&world, &pass);
	assert_int_equal(world.notes.n, 1); /* who asks is answered */
}

static void rule_11_forgets(void **state)
{
	CLEANUP(world_clear) struct world world;
	CLEANUP(pass_clear) struct pass pass = { 0 };
	struct watch_counts counts;

	(void)state;
	begin(&world);
	watch_everything(world.watch, world.now);
	assert_true(watch_take(world.watch, world.now, &pass));
	for (unsigned queue = 0; queue < 4; queue++)
		setting(&world, ETH0, SETTING_RPS, queue, CHANGE_SAME);
	setting(&world, ETH1, SETTING_RPS, 0, CHANGE_SAME);
	learn(&world, &pass);
	pass_finds(&world, EVENT_NIC_QUEUES, SETTING_RPS, CHANGE_SAME); /* one queue is left of eth0 */
	watch_count(world.watch, world.now, &counts);
	assert_int_equal(counts.remembered, 2);
	happen(world.watch, world.now, EVENT_NIC_REMOVED, ETH1);
	watch_count(world.watch, world.now, &counts);
	assert_int_equal(counts.remembered, 1);
}

/* ---- any sequence of events ------------------------------------------------------------------------------------- */

enum { DEVICES = 12, QUEUES = 3, STEPS = 200000 };

struct model { /* devices that come, go, and lose their settings; nobody else writes */
	struct world world;
	struct {
		unsigned ifindex; /* 0: not there */
		bool right[QUEUES];
	} devices[DEVICES];
	unsigned next_ifindex;
	uint32_t seed;
	uint64_t dirty_since; /* something is not as wanted; 0: all is */
};

static unsigned dice(struct model *model, unsigned sides)
{
	model->seed = model->seed * 1664525u + 1013904223u;
	return (model->seed >> 8) % sides;
}

static void lose(struct model *model, unsigned device)
{
	memset(model->devices[device].right, 0, sizeof model->devices[device].right);
}

/* One legal event, and what a driver makes of it. */
static void something_happens(struct model *model)
{
	static const enum event_kind kinds[] = { EVENT_NIC_CHANGED, EVENT_NIC_QUEUES, EVENT_NIC_UP, EVENT_NIC_DOWN,
						 EVENT_NIC_SETTINGS };
	struct world *world = &model->world;
	unsigned device = dice(model, DEVICES), what = dice(model, 10);
	unsigned *ifindex = &model->devices[device].ifindex;

	if (!model->dirty_since)
		model->dirty_since = world->now;
	if (what == 0) {
		happen(world->watch, world->now, dice(model, 2) ? EVENT_CPU : EVENT_OVERRUN, 0);
		for (unsigned i = 0; i < DEVICES; i++)
			lose(model, i);
	} else if (!*ifindex) {
		*ifindex = ++model->next_ifindex;
		lose(model, device);
		happen(world->watch, world->now, EVENT_NIC_ADDED, *ifindex);
	} else if (what < 3) {
		happen(world->watch, world->now, EVENT_NIC_REMOVED, *ifindex);
		*ifindex = 0;
	} else {
		enum event_kind kind = kinds[dice(model, COUNT_OF(kinds))];

		if (kind == EVENT_NIC_QUEUES || kind == EVENT_NIC_UP)
			lose(model, device);
		happen(world->watch, world->now, kind, *ifindex);
	}
}

/* What reconcile would do: what the pass is about becomes right. */
static void reconciled(struct model *model, const struct pass *pass)
{
	struct world *world = &model->world;

	for (unsigned i = 0; i < DEVICES; i++) {
		for (unsigned queue = 0; queue < QUEUES && model->devices[i].ifindex; queue++) {
			bool *right = &model->devices[i].right[queue];

			if (!pass_includes(pass, model->devices[i].ifindex))
				continue;
			setting(world, model->devices[i].ifindex, SETTING_XPS, queue,
				*right ? CHANGE_SAME : CHANGE_DONE);
			*right = true;
		}
	}
	learn(world, pass);
}

static void all_is_right(const struct model *model)
{
	struct watch_counts counts;
	size_t settings = 0;

	for (unsigned i = 0; i < DEVICES; i++) {
		for (unsigned queue = 0; queue < QUEUES && model->devices[i].ifindex; queue++, settings++)
			assert_true(model->devices[i].right[queue]);
	}
	watch_count(model->world.watch, model->world.now, &counts);
	assert_int_equal(counts.drift, 0);
	assert_int_equal(counts.remembered, settings);
}

/* Whatever happens: in a second all is right, when it is quiet nothing is pending and nothing wrong, nobody is blamed,
 * and no more is remembered than there is. */
static void any_sequence_of_events(void **state)
{
	struct model model = { .seed = 20261201 };
	uint64_t passes = 0;

	(void)state;
	begin(&model.world);
	for (unsigned step = 0; step < STEPS; step++) {
		struct world *world = &model.world;
		CLEANUP(pass_clear) struct pass pass = { 0 };
		int64_t wait;

		if (dice(&model, 8))
			something_happens(&model);
		wait = watch_wait(world->watch, world->now);
		assert_true(wait <= 150);
		if (wait == WATCH_NEVER) {
			all_is_right(&model);
			model.dirty_since = 0;
		}
		world->now += dice(&model, 20) ? dice(&model, 120) : 1000;
		if (watch_take(world->watch, world->now, &pass)) {
			passes++;
			reconciled(&model, &pass);
			all_is_right(&model);
			model.dirty_since = 0;
		}
		assert_true(!model.dirty_since || world->now < model.dirty_since + 1000 + 1000);
	}
	assert_true(passes > 1000);
	world_clear(&model.world);
}

static void kinds_have_names(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < EVENT_KINDS; kind++)
		for (unsigned other = 0; other < kind; other++)
			assert_string_not_equal(event_kind_name((enum event_kind)kind),
						event_kind_name((enum event_kind)other));
	assert_string_equal(event_kind_name(EVENT_NIC_ADDED), "added");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rule_1_waits_for_quiet),
		cmocka_unit_test(rule_1_has_no_endless_patience),
		cmocka_unit_test(rule_2_looks_at_what_was_named),
		cmocka_unit_test(rule_2_looks_at_everything),
		cmocka_unit_test(rule_2_answers_at_once),
		cmocka_unit_test(rule_3_thinks_of_the_neighbours),
		cmocka_unit_test(rule_3_lets_strangers_change),
		cmocka_unit_test(rule_4_forgets_what_came_and_went),
		cmocka_unit_test(rule_5_audits),
		cmocka_unit_test(rule_6_tells_drift),
		cmocka_unit_test(rule_6_tells_many_at_once),
		cmocka_unit_test(rule_6_takes_nothing_else_for_drift),
		cmocka_unit_test(what_is_done_by_right_is_no_drift),
		cmocka_unit_test(rule_7_knows_what_drivers_do),
		cmocka_unit_test(rule_7_excuses_one_device_only),
		cmocka_unit_test(rule_7_excuses_what_the_pass_itself_reset),
		cmocka_unit_test(rule_8_five_times_in_a_minute),
		cmocka_unit_test(rule_8_five_times_in_more_are_none),
		cmocka_unit_test(rule_8_many_queues_in_one_pass_are_one),
		cmocka_unit_test(rule_8_looks_again_after_the_truce),
		cmocka_unit_test(rule_8_truces_grow),
		cmocka_unit_test(fights_are_findings),
		cmocka_unit_test(rule_9_asks_once),
		cmocka_unit_test(rule_9_asks_again_when_things_have_changed),
		cmocka_unit_test(rule_10_gives_everybody_another_chance),
		cmocka_unit_test(rule_11_forgets),
		cmocka_unit_test(any_sequence_of_events),
		cmocka_unit_test(kinds_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
