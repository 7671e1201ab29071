/* Placement: which CPU each queue gets, over all shapes of machines and several devices. */
#include "fixture.h"

#include "plan/draft.h"

#define NIC "[nic x]\nmatch.name = eth*\n"

/* The CPU that queue `index` of a device gets. */
static unsigned cpu_of(const struct plan *plan, const char *device, const char *kind, unsigned index)
{
	CLEANUP(free_string) char *queue = text_format("%s-%u", kind, index);
	const struct change *change = fixture_find(plan, device, SETTING_IRQ, queue);
	uint32_t cpu = 0;

	if (!change || !change->to || text_u32(change->to, &cpu) < 0)
		fail_msg("%s %s has no single CPU", device, queue);
	return cpu;
}

static void queue_i_gets_the_ith_cpu(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	const struct change *change;

	(void)state;
	fixture_cpus(&machine, 2, (const char *[]){ "0-19", "20-39" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "mlx5_core", 1), 63, 20, 100, "0-39");
	fixture_plan(&machine, NIC "cpus = cores(local)\nirq = spread\n", &plan);
	for (unsigned i = 0; i < 20; i++)
		assert_int_equal(cpu_of(&plan, "eth0", "combined", i), 20 + i);
	change = fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-3", CHANGE_TODO, "23");
	assert_string_equal(change->from, "0-39");
	assert_string_equal(change->target, "/proc/irq/104/smp_affinity_list");
	assert_int_equal(change->irq.value, 104);
	assert_non_null(strstr(change->why, "queue 3 -> CPU 23: 4th of 20 CPUs"));
	assert_non_null(strstr(change->why, "node 1"));
	assert_non_null(strstr(change->why, "0000:81:00.0"));
	assert_null(fixture_find(&plan, "eth0", SETTING_IRQ_CONTROL, NULL));
	assert_int_equal(plan.nchanges, 20); /* nothing about the control vector */
}

static void a_vector_in_its_place_is_same(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 4, 4, 30, "2");
	machine.nics[0].irqs[2].effective = fixture_set("0"); /* lags, and is not compared */
	fixture_plan(&machine, NIC "cpus = all\nirq = spread\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-2", CHANGE_SAME, "2");
	assert_int_equal(plan_todo(&plan, 0), 3);
}

static void more_queues_than_cpus_wrap(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 10, 10, 30, "0-3");
	fixture_plan(&machine, NIC "cpus = all\nirq = spread\n", &plan);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(cpu_of(&plan, "eth0", "combined", i), i % 4);
}

static void cores_come_before_siblings(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	static const unsigned order[] = { 0, 2, 4, 6, 8, 10, 12, 14 };

	(void)state; /* even and odd CPUs on two nodes, siblings from 8 on */
	fixture_cpus(&machine, 2, (const char *[]){ "0,2,4,6", "1,3,5,7" },
		     (const char *[]){ "8,10,12,14", "9,11,13,15" }, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "ice", 0), 16, 8, 30, "0-15");
	fixture_plan(&machine, NIC "cpus = local\nirq = spread\n", &plan);
	for (unsigned i = 0; i < COUNT_OF(order); i++)
		assert_int_equal(cpu_of(&plan, "eth0", "combined", i), order[i]);
}

static void each_node_of_eight_has_its_own(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state; /* NPS4, two packages: the NIC is on node 3, caches of four cores */
	fixture_cpus(&machine, 8,
		     (const char *[]){ "0-15", "16-31", "32-47", "48-63", "64-79", "80-95", "96-111", "112-127" },
		     (const char *[]){ "128-143", "144-159", "160-175", "176-191", "192-207", "208-223", "224-239",
				       "240-255" },
		     4);
	fixture_combined(fixture_nic(&machine, "eth0", "mlx5_core", 3), 63, 16, 300, "0-255");
	fixture_plan(&machine, NIC "cpus = cores(local)\nirq = spread\n", &plan);
	for (unsigned i = 0; i < 16; i++)
		assert_int_equal(cpu_of(&plan, "eth0", "combined", i), 48 + i);
}

static void offline_cpus_are_never_written(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	static const unsigned online[] = { 0, 1, 4, 6, 7 };

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-1,4,6-7" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 8, 8, 30, "0-7");
	fixture_plan(&machine, NIC "cpus = 0-7\nirq = spread\n", &plan);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(cpu_of(&plan, "eth0", "combined", i), online[i % 5]);
}

static void an_unknown_node_means_the_whole_machine(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	fixture_cpus(&machine, 2, (const char *[]){ "0-1", "2-3" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", -1), 4, 4, 30, "0-3");
	fixture_plan(&machine, NIC "irq = spread\n", &plan);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(cpu_of(&plan, "eth0", "combined", i), i);
}

static void without_cpus_isolated_ones_are_spared(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	fixture_cpus(&machine, 2, (const char *[]){ "0-3", "4-7" }, NULL, 0);
	fixture_isolate(&machine, "2-3", true);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 4, 4, 30, "0-7");
	fixture_plan(&machine, NIC "irq = spread\n", &plan);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(cpu_of(&plan, "eth0", "combined", i), i % 2);
}

static void any_number_of_cpus(void **state)
{
	static const unsigned sizes[] = { 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 1280 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		CLEANUP(free_string) char *list = text_format("0-%u", sizes[i] - 1);

		fixture_cpus(&machine, 1, (const char *[]){ list }, NULL, 0);
		fixture_combined(fixture_nic(&machine, "eth0", "mlx5_core", 0), 2048, sizes[i], 30, "0");
		fixture_plan(&machine, NIC "cpus = all\nirq = spread\nxps = follow-irq\n", &plan);
		assert_int_equal(cpu_of(&plan, "eth0", "combined", sizes[i] - 1), sizes[i] - 1);
		assert_int_equal(cpu_of(&plan, "eth0", "combined", sizes[i] / 2), sizes[i] / 2);
	}
}

/* ---- several devices -------------------------------------------------------------------------------------------- */

static void two_ports(struct machine *machine, size_t ports, uint32_t queues)
{
	fixture_cpus(machine, 1, (const char *[]){ "0-7" }, NULL, 0);
	for (size_t i = 0; i < ports; i++) {
		CLEANUP(free_string) char *name = text_format("eth%zu", i);

		fixture_combined(fixture_nic(machine, name, "ixgbe", 0), 8, queues, (unsigned)(100 * (i + 1)), "0-7");
	}
}

static void overlapping_devices_start_at_the_first(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	two_ports(&machine, 2, 4);
	fixture_plan(&machine, NIC "cpus = all\nirq = spread\n", &plan);
	assert_int_equal(cpu_of(&plan, "eth0", "combined", 0), 0);
	assert_int_equal(cpu_of(&plan, "eth1", "combined", 0), 0);
}

static void partitioned_devices_stand_side_by_side(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state; /* 8 CPUs for 3: parts of 3, 3 and 2 */
	two_ports(&machine, 3, 8);
	fixture_plan(&machine, NIC "cpus = all\nshare = partition\nchannels = per-cpu\nirq = spread\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "3");
	fixture_expect(&plan, "eth1", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "3");
	fixture_expect(&plan, "eth2", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "2");
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(cpu_of(&plan, "eth0", "combined", i), i);
		assert_int_equal(cpu_of(&plan, "eth1", "combined", i), 3 + i);
	}
	assert_int_equal(cpu_of(&plan, "eth2", "combined", 0), 6);
	assert_int_equal(cpu_of(&plan, "eth2", "combined", 1), 7);
}

static void parts_are_fair_to_what_can_be_used(void **state)
{
	static const struct {
		size_t cpus, devices;
		uint32_t demands[4];
		size_t parts[4];
	} cases[] = {
		{ 20, 1, { 64 }, { 20 } },
		{ 20, 1, { 1 }, { 20 } },
		{ 20, 4, { 64, 64, 64, 64 }, { 5, 5, 5, 5 } },
		{ 8, 3, { 8, 8, 8 }, { 3, 3, 2 } }, /* the first ones have what is over */
		{ 8, 3, { UINT32_MAX, UINT32_MAX, UINT32_MAX }, { 3, 3, 2 } },
		{ 8, 2, { 1, 8 }, { 1, 7 } },
		{ 8, 2, { 8, 1 }, { 7, 1 } },
		{ 8, 3, { 1, 8, 2 }, { 1, 5, 2 } },
		{ 20, 4, { 1, 4, 64, 64 }, { 1, 4, 8, 7 } },
		{ 8, 2, { 1, 1 }, { 4, 4 } }, /* what nobody can use is divided alike */
		{ 8, 2, { 1, 6 }, { 2, 6 } },
		{ 8, 3, { 1, 4, 1 }, { 2, 4, 2 } },
		{ 3, 3, { 1, 9, 9 }, { 1, 1, 1 } },
		{ 2, 3, { 1, 9, 9 }, { 1, 1, 0 } }, /* too few: the caller has them take turns */
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		size_t parts[4] = { 0 };

		place_parts(cases[i].demands, cases[i].devices, cases[i].cpus, parts);
		for (size_t j = 0; j < cases[i].devices; j++)
			if (parts[j] != cases[i].parts[j])
				fail_msg("case %zu: device %zu gets %zu, not %zu", i, j, parts[j], cases[i].parts[j]);
	}
}

static void a_small_device_leaves_its_surplus(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state; /* eth1 has one queue and no channels; eth2 is down, without interrupts, and will come up */
	two_ports(&machine, 1, 8);
	nic = fixture_nic(&machine, "eth1", "e1000e", 0);
	fixture_queues(nic, 1, 1);
	fixture_irq(nic, 200, IRQ_COMBINED, 0, "0-7");
	nic = fixture_nic(&machine, "eth2", "ixgbe", 0);
	nic->link = LINK_DOWN;
	fixture_channels(nic, CHANNEL_COMBINED, 63, 8);
	fixture_queues(nic, 8, 8);
	fixture_plan(&machine, NIC "cpus = all\nshare = partition\nchannels = per-cpu\nirq = spread\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "4");
	fixture_expect(&plan, "eth2", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "3");
	assert_int_equal(cpu_of(&plan, "eth0", "combined", 3), 3);
	assert_int_equal(cpu_of(&plan, "eth1", "combined", 0), 4);
}

/* What it can use is what it has, where that may not be changed. */
static void a_device_that_may_not_change_needs_no_more(void **state)
{
	static const struct {
		const char *policy;
		const char *down; /* channels of eth1, which is down */
	} cases[] = {
		{ "channels = per-cpu\ndisruptive = link-down\n", "6" },
		{ "channels = per-cpu\ndisruptive = always\n", "4" },
		{ "channels = per-cpu\n", "4" },
		{ "channels = 3\n", "3" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		CLEANUP(free_string)
		char *policy = text_format("%scpus = all\nshare = partition\n%s", NIC, cases[i].policy);

		two_ports(&machine, 2, 2);
		machine.nics[1].link = LINK_DOWN;
		fixture_plan(&machine, policy, &plan);
		fixture_expect(&plan, "eth1", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, cases[i].down);
	}
}

static void more_devices_than_cpus_take_turns(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state; /* natural order: eth9 comes before eth10 */
	two_ports(&machine, 11, 2);
	fixture_plan(&machine, NIC "cpus = all\nshare = partition\nirq = spread\n", &plan);
	for (unsigned i = 0; i < 11; i++) {
		CLEANUP(free_string) char *name = text_format("eth%u", i);

		assert_int_equal(cpu_of(&plan, name, "combined", 0), i % 8);
		assert_int_equal(cpu_of(&plan, name, "combined", 1), i % 8);
	}
}

static void devices_of_different_nodes_do_not_divide(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	fixture_cpus(&machine, 2, (const char *[]){ "0-3", "4-7" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 8, 4, 100, "0-7");
	fixture_combined(fixture_nic(&machine, "eth1", "igb", 1), 8, 4, 200, "0-7");
	fixture_plan(&machine, NIC "cpus = local\nshare = partition\nirq = spread\n", &plan);
	assert_int_equal(cpu_of(&plan, "eth0", "combined", 3), 3);
	assert_int_equal(cpu_of(&plan, "eth1", "combined", 3), 7);
}

static void devices_of_different_sections_do_not_divide(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	two_ports(&machine, 2, 8);
	fixture_plan(&machine,
		     "[nic a]\nmatch.name = eth0\ncpus = all\nshare = partition\nirq = spread\n"
		     "[nic b]\nmatch.name = eth1\ncpus = all\nshare = partition\nirq = spread\n",
		     &plan);
	assert_int_equal(cpu_of(&plan, "eth0", "combined", 7), 7);
	assert_int_equal(cpu_of(&plan, "eth1", "combined", 7), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queue_i_gets_the_ith_cpu),
		cmocka_unit_test(a_vector_in_its_place_is_same),
		cmocka_unit_test(more_queues_than_cpus_wrap),
		cmocka_unit_test(cores_come_before_siblings),
		cmocka_unit_test(each_node_of_eight_has_its_own),
		cmocka_unit_test(offline_cpus_are_never_written),
		cmocka_unit_test(an_unknown_node_means_the_whole_machine),
		cmocka_unit_test(without_cpus_isolated_ones_are_spared),
		cmocka_unit_test(any_number_of_cpus),
		cmocka_unit_test(overlapping_devices_start_at_the_first),
		cmocka_unit_test(partitioned_devices_stand_side_by_side),
		cmocka_unit_test(parts_are_fair_to_what_can_be_used),
		cmocka_unit_test(a_small_device_leaves_its_surplus),
		cmocka_unit_test(a_device_that_may_not_change_needs_no_more),
		cmocka_unit_test(more_devices_than_cpus_take_turns),
		cmocka_unit_test(devices_of_different_nodes_do_not_divide),
		cmocka_unit_test(devices_of_different_sections_do_not_divide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
