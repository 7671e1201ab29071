/* Channel counts: solved against what a device has, capped and said, and never where it may not be. */
#include "fixture.h"

#define NIC "[nic x]\nmatch.name = eth0\n"

static void two_nodes(struct machine *machine)
{
	fixture_cpus(machine, 2, (const char *[]){ "0-19", "20-39" }, NULL, 0);
}

static void one_per_cpu_of_the_node(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	const struct change *change;

	(void)state;
	two_nodes(&machine);
	fixture_combined(fixture_nic(&machine, "eth0", "mlx5_core", 0), 63, 40, 100, "0-39");
	fixture_plan(&machine, NIC "cpus = cores(local)\nchannels = per-cpu\n", &plan);
	change = fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "20");
	assert_string_equal(change->from, "40");
	assert_string_equal(change->target, "ethtool:channels");
	assert_non_null(strstr(change->why, "20 CPUs"));
	assert_true(change->cost & COST_RENUMBERS);
	assert_int_equal(change->origin.line, 4);
	assert_null(fixture_find(&plan, "eth0", SETTING_CHANNELS_RX, NULL));
}

static void more_than_the_device_has_is_capped(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	const struct change *change;

	(void)state;
	two_nodes(&machine);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 8, 4, 100, "0-39");
	fixture_plan(&machine, NIC "channels = 40\n", &plan);
	change = fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "8");
	assert_non_null(strstr(change->why, "asked 40, but the device has at most 8"));
}

static void the_count_there_is_makes_no_barrier(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	two_nodes(&machine);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 8, 8, 100, "0-39");
	fixture_plan(&machine, NIC "channels = max\nirq = spread\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_SAME, "8");
	assert_int_equal(plan_todo(&plan, 1), 8);
	assert_int_equal(plan_todo(&plan, 2), 0);
}

static void rx_and_tx_where_there_is_no_combined(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	two_nodes(&machine);
	nic = fixture_nic(&machine, "eth0", "tg3", 0);
	fixture_channels(nic, CHANNEL_RX, 4, 2);
	fixture_channels(nic, CHANNEL_TX, 1, 1);
	fixture_channels(nic, CHANNEL_COMBINED, 0, 0);
	fixture_plan(&machine, NIC "channels = 3\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_RX, NULL, CHANGE_TODO, "3");
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_TX, NULL, CHANGE_SAME, "1");
	assert_null(fixture_find(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL));
}

static void a_kind_of_its_own_wins(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	two_nodes(&machine);
	nic = fixture_nic(&machine, "eth0", "gve", 0);
	fixture_channels(nic, CHANNEL_RX, 16, 16);
	fixture_channels(nic, CHANNEL_TX, 16, 16);
	fixture_plan(&machine, NIC "channels = 8\nchannels.tx = 4\nchannels.combined = 2\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_RX, NULL, CHANGE_TODO, "8");
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_TX, NULL, CHANGE_TODO, "4");
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_SKIPPED, NULL);
}

static void combined_takes_the_place_of_rx_and_tx(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	two_nodes(&machine);
	nic = fixture_nic(&machine, "eth0", "bnxt_en", 0);
	fixture_channels(nic, CHANNEL_RX, 16, 4);
	fixture_channels(nic, CHANNEL_TX, 16, 4);
	fixture_channels(nic, CHANNEL_COMBINED, 16, 0);
	fixture_plan(&machine, NIC "channels = 4\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_RX, NULL, CHANGE_TODO, "0");
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_TX, NULL, CHANGE_TODO, "0");
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "4");
}

static void extra_rx_channels_stay(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	two_nodes(&machine);
	nic = fixture_nic(&machine, "eth0", "be2net", 0);
	fixture_channels(nic, CHANNEL_RX, 8, 1);
	fixture_channels(nic, CHANNEL_COMBINED, 8, 8);
	fixture_channels(nic, CHANNEL_OTHER, 1, 1);
	fixture_plan(&machine, NIC "channels = 4\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "4");
	assert_int_equal(plan.nchanges, 1);
}

static void a_device_without_channels_says_so_when_asked(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 }, silent = { 0 };
	const struct change *change;

	(void)state;
	two_nodes(&machine);
	fixture_nic(&machine, "eth0", "r8169", 0);
	fixture_plan(&machine, NIC "channels = per-cpu\n", &plan);
	change = fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_SKIPPED, NULL);
	assert_string_equal(change->skipped, "the driver has no channels to set");
	fixture_plan(&machine, NIC "rps = off\n", &silent);
	assert_null(fixture_find(&silent, "eth0", SETTING_CHANNELS_COMBINED, NULL));
	plan_clear(&silent);
}

/* What comes out is compared, not what can be set. */
static void a_device_without_channels_may_be_as_wanted(void **state)
{
	static const struct {
		const char *policy;
		unsigned rx, tx;
		enum setting setting;
		enum change_state state;
	} cases[] = {
		{ "channels = per-cpu", 1, 1, SETTING_CHANNELS_COMBINED, CHANGE_SAME },
		{ "channels = max", 1, 1, SETTING_CHANNELS_COMBINED, CHANGE_SAME },
		{ "channels = max", 4, 4, SETTING_CHANNELS_COMBINED, CHANGE_SAME },
		{ "channels = 1", 1, 1, SETTING_CHANNELS_COMBINED, CHANGE_SAME },
		{ "channels.tx = 4", 1, 4, SETTING_CHANNELS_TX, CHANGE_SAME },
		{ "channels.rx = 4", 1, 4, SETTING_CHANNELS_RX, CHANGE_SKIPPED },
		{ "channels = 2", 1, 1, SETTING_CHANNELS_COMBINED, CHANGE_SKIPPED },
		{ "channels = per-cpu\ncpus = 0", 4, 4, SETTING_CHANNELS_COMBINED, CHANGE_SKIPPED },
		{ "channels = per-cpu\ncpus = 90-99", 1, 1, SETTING_CHANNELS_COMBINED, CHANGE_SKIPPED },
		{ "channels = max", 1, 4, SETTING_CHANNELS_COMBINED, CHANGE_SKIPPED },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		CLEANUP(free_string) char *policy = text_format("%s%s\n", NIC, cases[i].policy);

		two_nodes(&machine);
		fixture_queues(fixture_nic(&machine, "eth0", "r8169", 0), cases[i].rx, cases[i].tx);
		fixture_plan(&machine, policy, &plan);
		fixture_expect(&plan, "eth0", cases[i].setting, NULL, cases[i].state, NULL);
	}
}

static void a_driver_that_only_shows_them_is_left(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	two_nodes(&machine);
	fixture_combined(fixture_nic(&machine, "eth0", "vmxnet3", 0), 8, 8, 100, "0-39");
	fixture_plan(&machine, NIC "channels = 4\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_SKIPPED, "4");
}

static void nothing_to_count_is_no_zero(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	two_nodes(&machine);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 8, 8, 100, "0-39");
	fixture_plan(&machine, NIC "cpus = 90-99\nchannels = per-cpu\nirq = spread\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_SKIPPED, NULL);
	fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-0", CHANGE_SKIPPED, NULL);
	assert_int_equal(plan_todo(&plan, 0), 0);
}

static void plan_with_xdp(const char *driver, uint32_t count, struct plan *ret)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	two_nodes(&machine);
	nic = fixture_nic(&machine, "eth0", driver, 0);
	nic->xdp = true;
	fixture_combined(nic, 16, count, 100, "0-39");
	fixture_plan(&machine, NIC "channels = 4\n", ret);
}

static void xdp_keeps_its_channels(void **state)
{
	static const struct {
		const char *driver;
		uint32_t count;
		enum change_state state;
	} cases[] = {
		{ "ena", 8, CHANGE_SKIPPED },        /* refused by the driver */
		{ "virtio_net", 8, CHANGE_SKIPPED }, /* shows those of XDP: not drift */
		{ "mlx5_core", 2, CHANGE_SKIPPED },  /* raising */
		{ "mlx5_core", 8, CHANGE_TODO },     { "ena", 4, CHANGE_SAME },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(plan_clear) struct plan plan = { 0 };

		plan_with_xdp(cases[i].driver, cases[i].count, &plan);
		fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, cases[i].state, "4");
	}
}

static void no_device_is_left_without_queues(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	two_nodes(&machine);
	nic = fixture_nic(&machine, "eth0", "tg3", 0);
	fixture_channels(nic, CHANNEL_RX, 4, 2);
	fixture_channels(nic, CHANNEL_TX, 4, 2);
	fixture_plan(&machine, NIC "channels.rx = 0\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_RX, NULL, CHANGE_SKIPPED, "0");
}

static void disruption_needs_leave(void **state)
{
	static const struct {
		const char *key;
		enum link_state link;
		enum change_state state;
	} cases[] = {
		{ "", LINK_UP, CHANGE_TODO },
		{ "disruptive = always\n", LINK_UP, CHANGE_TODO },
		{ "disruptive = link-down\n", LINK_UP, CHANGE_SKIPPED },
		{ "disruptive = link-down\n", LINK_UNKNOWN, CHANGE_SKIPPED },
		{ "disruptive = link-down\n", LINK_NO_CARRIER, CHANGE_TODO },
		{ "disruptive = link-down\n", LINK_DOWN, CHANGE_TODO },
		{ "disruptive = never\n", LINK_UP, CHANGE_SKIPPED },
		{ "disruptive = never\n", LINK_NO_CARRIER, CHANGE_SKIPPED },
		{ "disruptive = never\n", LINK_DOWN, CHANGE_TODO },
	};
	static const char *const drivers[] = { "igb", "virtio_net" }; /* the second keeps its link, but loses frames */

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		for (size_t j = 0; j < COUNT_OF(drivers); j++) {
			CLEANUP(machine_clear) struct machine machine = { 0 };
			CLEANUP(plan_clear) struct plan plan = { 0 };
			CLEANUP(free_string)
			char *policy = text_format("%schannels = 4\nirq = spread\n%s", NIC, cases[i].key);

			two_nodes(&machine);
			fixture_combined(fixture_nic(&machine, "eth0", drivers[j], 0), 8, 8, 100, "0-39");
			machine.nics[0].link = cases[i].link;
			fixture_plan(&machine, policy, &plan);
			fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, cases[i].state, "4");
			/* what is not changed does not forecast either: the queues there are get their CPUs */
			assert_int_equal(fixture_find(&plan, "eth0", SETTING_IRQ, "combined-7") != NULL,
					 cases[i].state != CHANGE_TODO);
		}
	}
}

static void counts_of_any_size(void **state)
{
	static const unsigned sizes[] = { 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		CLEANUP(free_string) char *list = text_format("0-%u", sizes[i] - 1);
		CLEANUP(free_string) char *count = text_format("%u", sizes[i]);
		struct nic *nic;

		fixture_cpus(&machine, 1, (const char *[]){ list }, NULL, 0);
		nic = fixture_nic(&machine, "eth0", "mlx5_core", 0);
		fixture_channels(nic, CHANNEL_COMBINED, 4096, 2);
		fixture_plan(&machine, NIC "cpus = all\nchannels = per-cpu\n", &plan);
		fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL,
			       sizes[i] == 2 ? CHANGE_SAME : CHANGE_TODO, count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_per_cpu_of_the_node),
		cmocka_unit_test(more_than_the_device_has_is_capped),
		cmocka_unit_test(the_count_there_is_makes_no_barrier),
		cmocka_unit_test(rx_and_tx_where_there_is_no_combined),
		cmocka_unit_test(a_kind_of_its_own_wins),
		cmocka_unit_test(combined_takes_the_place_of_rx_and_tx),
		cmocka_unit_test(extra_rx_channels_stay),
		cmocka_unit_test(a_device_without_channels_says_so_when_asked),
		cmocka_unit_test(a_device_without_channels_may_be_as_wanted),
		cmocka_unit_test(a_driver_that_only_shows_them_is_left),
		cmocka_unit_test(nothing_to_count_is_no_zero),
		cmocka_unit_test(xdp_keeps_its_channels),
		cmocka_unit_test(no_device_is_left_without_queues),
		cmocka_unit_test(disruption_needs_leave),
		cmocka_unit_test(counts_of_any_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
