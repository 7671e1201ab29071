/* What the daemon makes of what it finds: a test for each rule of drift.c and dispute.c. */
#include "watching.h"

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

/* Which settings an event excuses: pause, offload, rings, channels (rx tx combined), link, irq, irq.control, rps,
 * rps.flows, xps, xps.rxqs, sysctl; in the order of the enum. */
static const struct {
	enum event_kind kind;
	const char *excused; /* x: no drift */
} excuses[] = {
	/*                     pause offload rings channels link irqs rps xps sysctl fmc */
	{ EVENT_NIC_ADDED, "x x xx xxx x xx xx xx x x" },  { EVENT_NIC_CHANGED, "- - -- xxx - -- -- -- - -" },
	{ EVENT_NIC_QUEUES, "- - -- --- - xx xx xx - -" }, { EVENT_NIC_UP, "x - -- xxx - xx -- xx - -" },
	{ EVENT_NIC_DOWN, "- - -- --- - -- -- -- - -" },   { EVENT_NIC_SETTINGS, "- - -- --- - xx -- xx - -" },
	{ EVENT_CPU, "- - -- --- - xx xx xx - -" },        { EVENT_OVERRUN, "x x xx xxx x xx xx xx x x" },
	{ EVENT_FLOWS, "- - -- --- - -- -- -- - -" },
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
	assert_string_equal(world.notes.items[1].text, "rps: changed 5 times within a minute, likely by "
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

/* It sets flow control, which resets the link; when that is up again, the driver has undone it. */
static void rule_8_ends_circles(void **state)
{
	CLEANUP(world_clear) struct world world;

	(void)state;
	begin(&world);
	pass_finds(&world, EVENT_NIC_ADDED, SETTING_PAUSE, CHANGE_DONE);
	for (unsigned round = 0; round < 5; round++) {
		CLEANUP(pass_clear) struct pass pass = { 0 };

		assert_int_equal(fights(&world), 0);
		world.now += 5000;
		happen(world.watch, world.now, EVENT_NIC_UP, ETH0);
		world.now += 150;
		assert_true(watch_take(world.watch, world.now, &pass));
		setting(&world, ETH0, SETTING_PAUSE, 0, CHANGE_DONE)->cost = COST_LINK_RESET;
		learn(&world, &pass);
	}
	assert_int_equal(fights(&world), 1);
	assert_int_equal(drifts(&world), 0);
	assert_non_null(strstr(world.notes.items[1].text, "likely by its driver"));
}

/* A cable that is pulled again and again is no reason to leave interrupts where a driver puts them. */
static void rule_8_never_tires_of_what_costs_nothing(void **state)
{
	CLEANUP(world_clear) struct world world;

	(void)state;
	begin(&world);
	for (unsigned round = 0; round < 50; round++)
		pass_finds(&world, EVENT_NIC_UP, SETTING_IRQ, CHANGE_DONE);
	assert_int_equal(fights(&world), 0);
	assert_int_equal(drifts(&world), 0);
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
	setting(&world, ETH0, SETTING_RPS, 0, CHANGE_DONE);
	learn(&world, &pass);
	fight(&world, 3, 2000);
	assert_int_equal(fights(&world), 0); /* what was before does not count */
	pass_finds(&world, EVENT_NIC_DOWN, SETTING_RPS, CHANGE_FAILED);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
		cmocka_unit_test(rule_8_ends_circles),
		cmocka_unit_test(rule_8_never_tires_of_what_costs_nothing),
		cmocka_unit_test(fights_are_findings),
		cmocka_unit_test(rule_9_asks_once),
		cmocka_unit_test(rule_9_asks_again_when_things_have_changed),
		cmocka_unit_test(rule_10_gives_everybody_another_chance),
		cmocka_unit_test(rule_11_forgets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
