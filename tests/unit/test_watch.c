/* When the daemon looks, and at what: a test for each rule of watch.c, and any sequence of events. */
#include "watching.h"

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
		cmocka_unit_test(any_sequence_of_events),
		cmocka_unit_test(kinds_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
