/* A reconciliation that is confined: to some devices, by what is known, and by what is to be spared. */
#include "captured.h"

#include <string.h>

static const char policy_text_of_test[] = "[nic uplinks]\n"
					  "match.driver = mlx5_core\n"
					  "cpus = 0-9\n"
					  "share = partition\n"
					  "rps = cpus\n";

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

static void run(struct captured *captured, const struct errand *errand, struct report *ret)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };

	assert_int_equal(policy_parse("test.ini", policy_text_of_test, &policy, &notes), 0);
	assert_int_equal(reconcile_errand(captured->host, policy, captured->originals, errand, ret), 0);
	assert_false(report_failed(ret));
}

static bool is_first(const void *context, const struct machine *machine, const struct nic *nic)
{
	assert_non_null(machine_nic(machine, "ens2f1np1")); /* all devices are known by now */
	return text_equal(nic->name, context);
}

/* The device that is not meant takes its half of the CPUs all the same; nothing of it is read or told. */
static void neighbours_are_seen_but_not_touched(void **state)
{
	CLEANUP(report_clear) struct report report = { 0 };
	CLEANUP(machine_clear) struct machine known = { 0 };
	const struct errand errand = { .means = is_first, .context = "ens2f0np0", .known = &known };
	struct captured *captured = *state;

	run(captured, &errand, &report);
	assert_true(report.plan.nchanges > 0);
	for (size_t i = 0; i < report.plan.nchanges; i++) {
		assert_string_equal(report.plan.changes[i].device, "ens2f0np0");
		assert_string_equal(report.plan.changes[i].to, "0-4");
	}
	assert_true(machine_nic(&known, "ens2f0np0")->details);
	assert_int_equal(machine_nic(&known, "ens2f1np1")->details, 0);
	assert_int_equal(machine_nic(&known, "ens2f1np1")->nqueues, 0);
}

static void the_host_is_always_meant(void **state)
{
	CLEANUP(report_clear) struct report report = { 0 };
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	const struct errand errand = { .means = is_first, .context = "nobody" };
	struct captured *captured = *state;

	captured_run("mkdir -p '%s'/proc/sys/net/core && echo 1 >'%s'/proc/sys/net/core/somaxconn", captured->tree,
		     captured->tree);
	assert_int_equal(policy_parse("test.ini", "[sysctl]\nnet.core.somaxconn = 9\n", &policy, &notes), 0);
	assert_int_equal(reconcile_errand(captured->host, policy, captured->originals, &errand, &report), 0);
	captured_expect(captured, "proc/sys/net/core/somaxconn", "9");
}

/* CPUs go in the tree, and nobody says so: what is known is not read again. */
static void what_is_known_is_not_read(void **state)
{
	CLEANUP(report_clear) struct report first = { 0 }, second = { 0 }, third = { 0 };
	CLEANUP(machine_clear) struct machine known = { 0 };
	const struct errand errand = { .known = &known }, fresh = { 0 };
	struct captured *captured = *state;

	run(captured, &errand, &first);
	assert_true(first.writes > 0 && known.nnics > 1 && known.topology.ncpus == 40);
	captured_run("rm -r '%s'/sys/devices/system/cpu && mkdir -p '%s'/sys/devices/system/cpu && "
		     "echo 0-1 >'%s'/sys/devices/system/cpu/online",
		     captured->tree, captured->tree, captured->tree);
	run(captured, &errand, &second);
	assert_int_equal(second.writes, 0);
	assert_int_equal(known.topology.ncpus, 40);
	run(captured, &fresh, &third);
	assert_true(third.writes > 0);
}

static void a_device_that_is_not_known_is_read(void **state)
{
	CLEANUP(report_clear) struct report first = { 0 }, second = { 0 };
	CLEANUP(machine_clear) struct machine known = { 0 };
	const struct errand errand = { .known = &known };
	struct captured *captured = *state;
	size_t nnics;

	run(captured, &errand, &first);
	nnics = known.nnics;
	nic_clear(&known.nics[--known.nnics]);
	run(captured, &errand, &second);
	assert_int_equal(known.nnics, nnics);
	assert_int_equal(second.writes, 0);
}

static void what_is_spared_is_left_alone(void **state)
{
	CLEANUP(report_clear) struct report report = { 0 }, first = { 0 };
	CLEANUP(change_clear) struct change spared = { 0 };
	const struct attempts attempts = { .items = &spared, .n = 1 };
	const struct errand errand = { .spared = &attempts };
	struct captured *captured = *state;
	CLEANUP(free_string) char *path = NULL, *before = NULL;

	run(captured, &(struct errand){ 0 }, &first);
	change_copy(&spared, &first.plan.changes[0]);
	assert_int_equal(spared.state, CHANGE_DONE);
	path = alloc_string(spared.target + 1);
	captured_run("printf '00,00000000' >'%s/%s'", captured->tree, path);
	before = captured_read(captured, path);
	spared.state = CHANGE_SKIPPED;
	free_string(&spared.skipped);
	spared.skipped = alloc_string("fought over");
	run(captured, &errand, &report);
	assert_int_equal(report.writes, 0);
	assert_int_equal(report.plan.changes[0].state, CHANGE_SKIPPED);
	assert_string_equal(report.plan.changes[0].skipped, "fought over");
	captured_expect(captured, path, before);
}

static void count(const void *context)
{
	++**(unsigned *const *)context;
}

static void it_shows_that_it_is_alive(void **state)
{
	CLEANUP(report_clear) struct report report = { 0 };
	unsigned calls = 0, *context = &calls;
	const struct errand errand = { .alive = count, .context = &context };

	run(*state, &errand, &report);
	assert_true(calls >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(neighbours_are_seen_but_not_touched, setup, teardown),
		cmocka_unit_test_setup_teardown(the_host_is_always_meant, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_known_is_not_read, setup, teardown),
		cmocka_unit_test_setup_teardown(a_device_that_is_not_known_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_spared_is_left_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(it_shows_that_it_is_alive, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
