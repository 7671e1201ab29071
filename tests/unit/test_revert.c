/* Reverting: everything is as it was, what is gone is kept, what is back is forgotten. */
#include "captured.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <steer/net.h>

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

static void go_back(struct captured *captured, const char *device, struct report *ret)
{
	CLEANUP(strings_clear) struct strings devices = { 0 };

	if (device)
		strings_add(&devices, device);
	assert_int_equal(revert(captured->host, captured->originals, &devices, ret), 0);
}

static bool file_exists(struct captured *captured)
{
	CLEANUP(free_string) char *path = text_format("%s/originals.json", captured->run);

	return access(path, F_OK) == 0;
}

static const char policy[] = "[nic uplinks]\n"
			     "match.driver = mlx5_core\n"
			     "cpus = cores(local)\n"
			     "channels = per-cpu\n"
			     "irq = spread\n"
			     "xps = follow-irq\n"
			     "rps = remote\n"
			     "pause = off\n"
			     "ring.rx = max\n";

static char *pause_of(struct captured *captured, const char *name, const char *driver)
{
	struct nic nic = { .name = (char *)(uintptr_t)name, .driver = (char *)(uintptr_t)driver };

	assert_int_equal(net_read(captured->host, &nic, DETAIL_PAUSE), 0);
	return pause_text(&nic.pause);
}

/* The driver of ice says what it was told to offer, not what came of it: that can be put back. */
static void pause_that_is_offered_is_put_back(void **state)
{
	struct captured *captured = captured_new("oai36");
	CLEANUP(report_clear) struct report report = { 0 };
	CLEANUP(free_string) char *set = NULL, *back = NULL;

	(void)state;
	captured_apply(captured, "[nic x]\nmatch.driver = ice\npause = on\n");
	set = pause_of(captured, "ens1f0", "ice");
	assert_string_equal(set, "autoneg (rx on, tx on)");
	go_back(captured, NULL, &report);
	assert_false(report_failed(&report));
	back = pause_of(captured, "ens1f0", "ice");
	assert_string_equal(back, "autoneg (rx off, tx off)");
	captured_free(captured);
}

static void pause_that_was_negotiated_is_not(void **state)
{
	struct captured *captured = captured_new("i211x4");
	const struct pause other = { SOME_BOOL(true), SOME_BOOL(false), SOME_BOOL(false) };
	CLEANUP(report_clear) struct report report = { 0 };
	struct nic eth0 = { .name = (char *)(uintptr_t) "eth0", .ifindex = 2 };
	char *said = NULL;

	(void)state; /* the other end does not want any now */
	captured_apply(captured, "[nic x]\nmatch.name = eth0\npause = off\n");
	assert_int_equal(net_set_pause(captured->host, &eth0, &other, &said), 0);
	go_back(captured, NULL, &report);
	assert_false(report_failed(&report));
	assert_int_equal(report.writes, 0);
	captured_free(captured);
}

static void everything_is_as_it_was(void **state)
{
	struct captured *captured = *state;
	CLEANUP(report_clear) struct report report = { 0 };
	unsigned long before = captured_sum(captured);

	captured_apply(captured, policy);
	assert_int_not_equal(captured_sum(captured), before);
	assert_true(file_exists(captured));
	go_back(captured, NULL, &report);
	assert_false(report_failed(&report));
	assert_int_equal(captured_sum(captured), before);
	assert_int_equal(originals_count(captured->originals), 0);
	assert_false(file_exists(captured));
}

/* The first value wins over what a second policy finds. */
static void two_policies_one_way_back(void **state)
{
	struct captured *captured = *state;
	CLEANUP(report_clear) struct report report = { 0 };
	unsigned long before = captured_sum(captured);

	captured_apply(captured, "[nic a]\nmatch.name = ens2f0np0\nrps = 3\n");
	captured_apply(captured, policy);
	captured_apply(captured, "[nic a]\nmatch.name = ens2f0np0\nchannels = 4\nrps = 5\nxps = 1\n");
	go_back(captured, NULL, &report);
	assert_false(report_failed(&report));
	assert_int_equal(captured_sum(captured), before);
	assert_int_equal(originals_count(captured->originals), 0);
}

static void nothing_to_put_back_writes_nothing(void **state)
{
	struct captured *captured = *state;
	CLEANUP(report_clear) struct report report = { 0 };

	go_back(captured, NULL, &report);
	assert_int_equal(report.writes, 0);
	assert_int_equal(report.plan.nchanges, 0);
}

static void named_devices_alone(void **state)
{
	struct captured *captured = *state;
	CLEANUP(report_clear) struct report one = { 0 }, other = { 0 };

	captured_apply(captured, "[nic a]\nmatch.driver = mlx5_core\nrps = 3\n");
	go_back(captured, "ens2f1np1", &one);
	captured_expect(captured, "sys/class/net/ens2f1np1/queues/rx-0/rps_cpus", "00,00000000");
	captured_expect(captured, "sys/class/net/ens2f0np0/queues/rx-0/rps_cpus", "00,00000008");
	assert_int_equal(originals_count(captured->originals), 40);
	go_back(captured, NULL, &other);
	assert_int_equal(originals_count(captured->originals), 0);
}

/* A device that is not there keeps its values, and gets them when it is there again. */
static void absent_device_is_kept(void **state)
{
	struct captured *captured = *state;
	CLEANUP(report_clear) struct report without = { 0 }, with = { 0 };
	unsigned long before = captured_sum(captured);

	captured_apply(captured, "[nic a]\nmatch.driver = mlx5_core\nrps = 3\n");
	captured_run("mv '%s/sys/class/net/ens2f1np1' '%s/away'", captured->tree, captured->base);
	go_back(captured, NULL, &without);
	assert_false(report_failed(&without));
	assert_int_equal(originals_count(captured->originals), 40);
	assert_true(notes_have(&without.notes, NOTE_WARNING));
	assert_string_equal(without.notes.items[without.notes.n - 1].subject, "ens2f1np1");

	captured_run("mv '%s/away' '%s/sys/class/net/ens2f1np1'", captured->base, captured->tree);
	go_back(captured, NULL, &with);
	assert_int_equal(originals_count(captured->originals), 0);
	assert_int_equal(captured_sum(captured), before);
}

/* What someone set by hand since is replaced all the same: revert is asked for. What is back already is not written. */
static void what_is_back_is_not_written(void **state)
{
	struct captured *captured = *state;
	CLEANUP(report_clear) struct report report = { 0 };
	CLEANUP(free_string) char *before = captured_read(captured, "sys/class/net/ens2f0np0/queues/rx-0/rps_cpus");

	captured_apply(captured, "[nic a]\nmatch.name = ens2f0np0\nrps = 3\n");
	assert_int_equal(host_write(captured->host, "sys/class/net/ens2f0np0/queues/rx-0/rps_cpus", before), 0);
	go_back(captured, NULL, &report);
	assert_int_equal(report.writes, 39);
	assert_int_equal(originals_count(captured->originals), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pause_that_is_offered_is_put_back),
		cmocka_unit_test(pause_that_was_negotiated_is_not),
		cmocka_unit_test_setup_teardown(everything_is_as_it_was, setup, teardown),
		cmocka_unit_test_setup_teardown(two_policies_one_way_back, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_to_put_back_writes_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(named_devices_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(absent_device_is_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_back_is_not_written, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
