/* Applying: what refusals mean, when a run gives up, and the rounds on a captured machine. */
#include "captured.h"

#include <errno.h>
#include <string.h>

#include "apply/meaning.h"
#include "apply/run.h"
#include "apply/write.h"

/* ---- refusals --------------------------------------------------------------------------------------------------- */

static const struct {
	struct refusal refusal;
	enum change_state state;
	const char *words; /* part of what is said */
} refusals[] = {
	/* vanished */
	{ { .setting = SETTING_RPS, .error = -ENOENT, .gone = true, .root = true }, CHANGE_GONE, "device is gone" },
	{ { .setting = SETTING_PAUSE, .error = -ENODEV, .gone = true, .root = true }, CHANGE_GONE, "device is gone" },
	{ { .setting = SETTING_IRQ, .error = -ENOENT, .root = true }, CHANGE_GONE, "interrupt is gone" },

	/* privilege: only without it EPERM means that */
	{ { .setting = SETTING_IRQ, .error = -EACCES }, CHANGE_FAILED, "needs root" },
	{ { .setting = SETTING_IRQ, .error = -EPERM }, CHANGE_FAILED, "needs root" },
	{ { .setting = SETTING_CHANNELS_COMBINED, .error = -EPERM }, CHANGE_FAILED, "needs root" },
	{ { .setting = SETTING_RPS, .error = -EPERM, .root = true }, CHANGE_FAILED, "CAP_NET_ADMIN" },
	{ { .setting = SETTING_PAUSE, .error = -EPERM, .root = true }, CHANGE_FAILED, "network namespace" },

	/* interrupts */
	{ { .setting = SETTING_IRQ, .error = -EIO, .root = true }, CHANGE_SKIPPED, "EIO" },
	{ { .setting = SETTING_IRQ, .error = -EPERM, .root = true }, CHANGE_SKIPPED, "manages this interrupt" },
	{ { .setting = SETTING_IRQ_CONTROL, .error = -EIO, .root = true }, CHANGE_SKIPPED, "manages this interrupt" },
	{ { .setting = SETTING_IRQ, .error = -ENOSPC, .root = true }, CHANGE_FAILED, "no free interrupt vector" },
	{ { .setting = SETTING_IRQ, .error = -EBUSY, .root = true }, CHANGE_DEFERRED, "next interrupt" },
	{ { .setting = SETTING_IRQ, .error = -EINVAL, .root = true }, CHANGE_FAILED, "online" },

	/* the host */
	{ { .setting = SETTING_XPS, .error = -EROFS, .root = true }, CHANGE_FAILED, "read-only" },

	/* down, detached */
	{ { .setting = SETTING_PAUSE, .error = -ENODEV, .link = LINK_DOWN, .root = true }, CHANGE_DEFERRED, "down" },
	{ { .setting = SETTING_PAUSE, .error = -EBUSY, .link = LINK_DOWN, .root = true }, CHANGE_DEFERRED, "down" },
	{ { .setting = SETTING_RING_RX, .error = -EINVAL, .link = LINK_DOWN, .root = true }, CHANGE_DEFERRED, "down" },
	{ { .setting = SETTING_RING_RX,
	    .error = -EINVAL,
	    .link = LINK_DOWN,
	    .root = true,
	    .said = "requested ring size exceeds maximum" },
	  CHANGE_FAILED,
	  "exceeds maximum" },
	{ { .setting = SETTING_PAUSE, .error = -ENETDOWN, .link = LINK_UP, .root = true }, CHANGE_DEFERRED, "down" },
	{ { .setting = SETTING_CHANNELS_COMBINED, .error = -ENODEV, .link = LINK_UP, .root = true },
	  CHANGE_DEFERRED,
	  "detached" },

	/* not there */
	{ { .setting = SETTING_XPS, .error = -ENOENT, .root = true }, CHANGE_SKIPPED, "single transmit queue" },
	{ { .setting = SETTING_RPS_FLOWS, .error = -ENOENT, .root = true }, CHANGE_SKIPPED, "no such setting" },
	{ { .setting = SETTING_SYSCTL, .error = -ENOENT, .root = true }, CHANGE_SKIPPED, "no such setting" },
	{ { .setting = SETTING_PAUSE, .error = -EOPNOTSUPP, .link = LINK_UP, .root = true },
	  CHANGE_SKIPPED,
	  "cannot do this" },

	/* refused */
	{ { .setting = SETTING_RPS, .error = -EINVAL, .root = true }, CHANGE_FAILED, "isolcpus" },
	{ { .setting = SETTING_CHANNELS_COMBINED,
	    .error = -EINVAL,
	    .link = LINK_UP,
	    .root = true,
	    .device = "ens1",
	    .said = "requested channel counts are too low for existing indirection table settings" },
	  CHANGE_FAILED,
	  "`ethtool -X ens1 default`" },
	{ { .setting = SETTING_CHANNELS_COMBINED, .error = -EBUSY, .link = LINK_UP, .root = true },
	  CHANGE_FAILED,
	  "RDMA" },
	{ { .setting = SETTING_XPS, .error = -EOVERFLOW, .root = true }, CHANGE_FAILED, "does not have" },
	{ { .setting = SETTING_IRQ, .error = -ERANGE, .root = true }, CHANGE_FAILED, "beyond" },
	{ { .setting = SETTING_RING_TX, .error = -ENOMEM, .root = true }, CHANGE_FAILED, "ENOMEM" },
	{ { .setting = SETTING_SYSCTL, .error = -EDOM, .root = true }, CHANGE_FAILED, "refused" },
};

static void refusals_have_meanings(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(refusals); i++) {
		CLEANUP(free_string) char *words = NULL;
		struct meaning meaning = meaning_of(&refusals[i].refusal, &words);

		if (meaning.state != refusals[i].state || !strstr(words, refusals[i].words))
			fail_msg("row %zu: %s, \"%s\"", i, change_state_name(meaning.state), words);
		if (refusals[i].refusal.said && !strstr(words, refusals[i].refusal.said))
			fail_msg("row %zu does not quote the kernel: \"%s\"", i, words);
		assert_non_null(strstr(words, strerror(-refusals[i].refusal.error)));
	}
}

static void any_errno_has_words_for_any_setting(void **state)
{
	(void)state;
	for (int error = 1; error < 134; error++) {
		for (enum setting setting = 0; setting < SETTINGS; setting++) {
			const struct refusal refusal = { .setting = setting, .error = -error };
			CLEANUP(free_string) char *words = NULL;
			struct meaning meaning = meaning_of(&refusal, &words);

			assert_int_not_equal(meaning.state, CHANGE_DONE);
			assert_int_not_equal(meaning.state, CHANGE_TODO);
			assert_int_not_equal(meaning.state, CHANGE_SAME);
			assert_true(strlen(words) > 10);
		}
	}
}

/* ---- no free vector --------------------------------------------------------------------------------------------- */

static void next_cpu_has_the_same_cache(void **state)
{
	struct cpu cpus[] = { { .id = 0 }, { .id = 1 }, { .id = 4, .llc = 1 }, { .id = 5, .llc = 1 }, { .id = 2 } };
	struct topology topology = { .cpus = cpus, .ncpus = COUNT_OF(cpus) };
	CLEANUP(cpuset_freep) cpuset *allowed = NULL, *tried = cpuset_one(1);

	(void)state;
	assert_int_equal(cpuset_parse_list("0-5", &allowed), 0);
	assert_int_equal(vector_next(&topology, allowed, 1, tried), 2);
	cpuset_add(tried, 2);
	assert_int_equal(vector_next(&topology, allowed, 1, tried), 0);
	cpuset_drop(allowed, 0);
	assert_int_equal(vector_next(&topology, allowed, 1, tried), -1);
	assert_int_equal(vector_next(&topology, NULL, 1, tried), -1);
	assert_int_equal(vector_next(&topology, allowed, 77, tried), -1);
}

/* ---- giving up -------------------------------------------------------------------------------------------------- */

static void plan_of(struct plan *plan, const struct change *change)
{
	plan_clear(plan);
	plan->changes = alloc_more(plan->changes, 0, sizeof *plan->changes);
	plan->nchanges = 1;
	change_copy(plan->changes, change);
}

static void undone_twice_is_reported(void **state)
{
	char device[] = "ens1", on[] = "on", rx[] = "rx", off[] = "off";
	struct change change = { .setting = SETTING_PAUSE, .device = device, .stage = 1, .from = on, .to = off };
	CLEANUP(tries_clear) struct tries tries = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	change.state = CHANGE_TODO;
	for (unsigned i = 0; i < TRIES_MOST; i++) {
		struct tried *tried;

		plan_of(&plan, &change);
		assert_false(tries_judge(&tries, &plan));
		assert_int_equal(plan.changes[0].state, CHANGE_TODO);
		tried = tries_add(&tries, &change);
		tried->change.state = CHANGE_DONE;
		tried->kept = true;
	}
	change.from = rx;
	plan_of(&plan, &change);
	assert_true(tries_judge(&tries, &plan));
	assert_int_equal(plan.changes[0].state, CHANGE_FAILED);
	assert_non_null(strstr(plan.changes[0].skipped, "set 3 times"));
	assert_non_null(strstr(plan.changes[0].skipped, "it is rx now"));
	plan_of(&plan, &change);
	assert_false(tries_judge(&tries, &plan)); /* known already */
	assert_int_equal(plan.changes[0].state, CHANGE_FAILED);
}

static void never_taken_is_reported_at_once(void **state)
{
	char device[] = "ens1", on[] = "on", off[] = "off";
	struct change change = {
		.setting = SETTING_PAUSE, .state = CHANGE_TODO, .device = device, .stage = 1, .from = on, .to = off
	};
	CLEANUP(tries_clear) struct tries tries = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct tried *tried = tries_add(&tries, &change);

	(void)state;
	tried->change.state = CHANGE_DONE;
	plan_of(&plan, &change);
	assert_true(tries_judge(&tries, &plan));
	assert_int_equal(plan.changes[0].state, CHANGE_FAILED);
	assert_non_null(strstr(plan.changes[0].skipped, "made it on"));
}

/* ---- what goes together ----------------------------------------------------------------------------------------- */

static void channels_go_in_one_message(void **state)
{
	struct change changes[] = {
		{ .setting = SETTING_PAUSE },       { .setting = SETTING_RING_RX },
		{ .setting = SETTING_RING_TX },     { .setting = SETTING_CHANNELS_RX },
		{ .setting = SETTING_CHANNELS_TX }, { .setting = SETTING_CHANNELS_COMBINED },
		{ .setting = SETTING_IRQ },         { .setting = SETTING_IRQ },
	};
	static const size_t together[] = { 1, 2, 1, 3, 2, 1, 1, 1 };
	struct change *pointers[COUNT_OF(changes)];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(changes); i++)
		pointers[i] = &changes[i];
	for (size_t i = 0; i < COUNT_OF(changes); i++)
		assert_int_equal(write_together(pointers + i, COUNT_OF(changes) - i), together[i]);
}

/* Flow control goes before what resets the link, the channels before what hangs on them, and the host before all. */
static void stage_has_an_order(void **state)
{
	char eth2[] = "eth2", eth10[] = "eth10";
	struct change changes[] = {
		{ .setting = SETTING_IRQ, .state = CHANGE_TODO, .stage = 1, .device = eth10 },
		{ .setting = SETTING_XPS, .state = CHANGE_TODO, .stage = 1, .device = eth2, .index = 1 },
		{ .setting = SETTING_XPS, .state = CHANGE_TODO, .stage = 1, .device = eth2, .index = 0 },
		{ .setting = SETTING_CHANNELS_COMBINED, .state = CHANGE_TODO, .stage = 1, .device = eth2 },
		{ .setting = SETTING_RING_RX, .state = CHANGE_TODO, .stage = 1, .device = eth2 },
		{ .setting = SETTING_SYSCTL, .state = CHANGE_TODO, .stage = 1 },
		{ .setting = SETTING_IRQ, .state = CHANGE_TODO, .stage = 2, .device = eth2 },
		{ .setting = SETTING_LINK, .state = CHANGE_SAME, .stage = 1, .device = eth2 },
		{ .setting = SETTING_PAUSE, .state = CHANGE_TODO, .stage = 1, .device = eth2 },
	};
	static const size_t order[] = { 5, 8, 4, 3, 1, 2, 0 };
	struct plan plan = { .changes = changes, .nchanges = COUNT_OF(changes) };
	struct change **todo;

	(void)state;
	assert_int_equal(stage_order(&plan, &todo), COUNT_OF(order));
	for (size_t i = 0; i < COUNT_OF(order); i++)
		assert_ptr_equal(todo[i], &changes[order[i]]);
	free(todo);
}

/* ---- a machine -------------------------------------------------------------------------------------------------- */

static int setup(void **state)
{
	*state = captured_new("c240");
	return 0;
}

static int teardown(void **state)
{
	captured_free(*state);
	return 0;
}

static void apply(struct captured *captured, const char *text, struct report *ret)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };

	assert_int_equal(policy_parse("test.ini", text, &policy, &notes), 0);
	assert_int_equal(reconcile(captured->host, policy, captured->originals, NULL, ret), 0);
}

static const struct change *find(const struct report *report, enum setting setting, unsigned index)
{
	for (size_t i = 0; i < report->plan.nchanges; i++)
		if (report->plan.changes[i].setting == setting && report->plan.changes[i].index == index)
			return &report->plan.changes[i];
	return NULL;
}

static const char uplink[] = "[nic uplink]\n"
			     "match.name = ens2f0np0\n"
			     "cpus = cores(remote)\n"
			     "channels = per-cpu\n"
			     "irq = spread\n"
			     "xps = follow-irq\n"
			     "rps = off\n"
			     "pause = off\n";

static void rounds_end_in_the_policy(void **state)
{
	CLEANUP(report_clear) struct report first = { 0 }, second = { 0 };
	struct captured *captured = *state;

	apply(captured, uplink, &first);
	assert_false(report_failed(&first));
	assert_int_equal(first.rounds, 2);
	assert_int_equal(find(&first, SETTING_CHANNELS_COMBINED, 0)->state, CHANGE_DONE);
	assert_int_equal(find(&first, SETTING_PAUSE, 0)->state, CHANGE_DONE);
	assert_string_equal(find(&first, SETTING_CHANNELS_COMBINED, 0)->from, "40");
	assert_false(host_exists(captured->host, "sys/class/net/ens2f0np0/queues/rx-20"));
	captured_expect(captured, "sys/class/net/ens2f0np0/queues/tx-3/xps_cpus", "00,00800000");

	apply(captured, uplink, &second);
	assert_int_equal(second.writes, 0);
	assert_int_equal(second.rounds, 0);
	assert_false(report_failed(&second));
	assert_int_equal(find(&second, SETTING_PAUSE, 0)->state, CHANGE_SAME);
}

/* Everything that the channel change loses is remembered before, also what the policy does not speak of. */
static void barrier_remembers_the_whole_device(void **state)
{
	static const char policy[] = "[nic uplink]\nmatch.name = ens2f0np0\nchannels = 20\n";
	CLEANUP(report_clear) struct report report = { 0 };
	struct captured *captured = *state;

	apply(captured, policy, &report);
	assert_false(report_failed(&report));
	assert_int_equal(report.writes, 1);
	/* channels, pause, two rings; rps and rps.flows of 40 rx, xps of 40 tx queues; 40 interrupts and one control */
	assert_true(originals_count(captured->originals) >= 1 + 40 + 40 + 40 + 1);
	captured_run("grep -q '\"combined-39\"' '%s/originals.json'", captured->run);
	captured_run("grep -q '\"tx-39\"' '%s/originals.json'", captured->run);
	captured_run("! grep -q ens2f1np1 '%s/originals.json'", captured->run);
}

static void single_values_are_remembered_alone(void **state)
{
	static const char policy[] = "[nic uplink]\nmatch.name = ens2f1np1\ncpus = 5\nirq = all\n";
	CLEANUP(report_clear) struct report report = { 0 };
	struct captured *captured = *state;

	apply(captured, policy, &report);
	assert_false(report_failed(&report));
	assert_int_equal(originals_count(captured->originals), report.writes);
}

static void named_devices_alone(void **state)
{
	static const char policy[] = "[nic all]\nmatch.driver = mlx5_core\npause = off\n";
	CLEANUP(report_clear) struct report report = { 0 };
	CLEANUP(policy_freep) struct policy *parsed = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	char name[] = "ens2f1np1", *names[] = { name };
	const struct strings devices = { .items = names, .n = 1 };
	struct captured *captured = *state;

	assert_int_equal(policy_parse("test.ini", policy, &parsed, &notes), 0);
	assert_int_equal(reconcile(captured->host, parsed, captured->originals, &devices, &report), 0);
	assert_int_equal(report.writes, 1);
	assert_string_equal(find(&report, SETTING_PAUSE, 0)->device, name);
}

/* Nothing is written when what was there cannot be remembered. */
static void no_memory_no_write(void **state)
{
	struct captured *captured = *state;
	unsigned long before = captured_sum(captured);
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	struct report report = { 0 };

	assert_int_equal(policy_parse("test.ini", uplink, &policy, &notes), 0);
	captured_run("rmdir '%s'", captured->run);
	assert_int_equal(reconcile(captured->host, policy, captured->originals, NULL, &report), -ENOENT);
	assert_int_equal(captured_sum(captured), before);
	captured_run("mkdir '%s'", captured->run);
}

/* An interrupt that may not be moved (mode 0444) costs no write, and the rest goes on. */
static void failures_never_stop_the_rest(void **state)
{
	static const char policy[] = "[nic uplink]\nmatch.name = ens2f0np0\ncpus = 5\nirq = all\nrps = 7\n";
	CLEANUP(report_clear) struct report report = { 0 };
	struct captured *captured = *state;
	const struct change *refused;

	captured_run("chmod 0444 '%s'/sys/class/net/ens2f0np0/queues/rx-0/rps_cpus", captured->tree);
	apply(captured, policy, &report);
	refused = find(&report, SETTING_RPS, 0);
	assert_int_equal(refused->state, CHANGE_FAILED);
	assert_int_equal(refused->error, -EPERM);
	assert_true(report_failed(&report));
	assert_int_equal(find(&report, SETTING_RPS, 1)->state, CHANGE_DONE);
	assert_int_equal(find(&report, SETTING_RPS, 39)->state, CHANGE_DONE);
	captured_expect(captured, "sys/class/net/ens2f0np0/queues/rx-39/rps_cpus", "00,00000080");
}

static void read_only_is_one_note(void **state)
{
	struct captured *captured = *state;
	CLEANUP(report_clear) struct report report = { 0 };
	CLEANUP(free_string) char *problem = NULL;
	size_t notes = 0;

	host_close(captured->host);
	assert_int_equal(host_open(captured->tree, HOST_READ_ONLY, &captured->host, &problem), 0);
	apply(captured, "[nic a]\nmatch.name = ens2f0np0\nrps = 7\nxps = 3\n", &report);
	assert_true(report_failed(&report));
	for (size_t i = 0; i < report.notes.n; i++)
		notes += strstr(report.notes.items[i].text, "read-only") != NULL;
	assert_int_equal(notes, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refusals_have_meanings),
		cmocka_unit_test(any_errno_has_words_for_any_setting),
		cmocka_unit_test(next_cpu_has_the_same_cache),
		cmocka_unit_test(undone_twice_is_reported),
		cmocka_unit_test(never_taken_is_reported_at_once),
		cmocka_unit_test(channels_go_in_one_message),
		cmocka_unit_test(stage_has_an_order),
		cmocka_unit_test_setup_teardown(rounds_end_in_the_policy, setup, teardown),
		cmocka_unit_test_setup_teardown(barrier_remembers_the_whole_device, setup, teardown),
		cmocka_unit_test_setup_teardown(single_values_are_remembered_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(named_devices_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(no_memory_no_write, setup, teardown),
		cmocka_unit_test_setup_teardown(failures_never_stop_the_rest, setup, teardown),
		cmocka_unit_test_setup_teardown(read_only_is_one_note, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
