/* Forecasts: what stands behind a barrier is said, without claiming to know what only the driver decides. */
#include "fixture.h"

#define POLICY "[nic x]\nmatch.name = eth*\ncpus = all\nchannels = per-cpu\nirq = spread\nxps = follow-irq\nrps = off\n"

static struct nic *four_cpus(struct machine *machine, const char *driver, uint32_t max, uint32_t queues)
{
	struct nic *nic;

	fixture_cpus(machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	nic = fixture_nic(machine, "eth0", driver, 0);
	fixture_combined(nic, max, queues, 30, "0");
	return nic;
}

static void new_interrupts_have_no_number(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	four_cpus(&machine, "ixgbe", 16, 8);
	fixture_plan(&machine, POLICY, &plan);
	assert_int_equal(fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "4")->stage, 1);
	for (unsigned i = 0; i < 4; i++) {
		CLEANUP(free_string) char *queue = text_format("combined-%u", i);
		CLEANUP(free_string) char *cpu = text_format("%u", i);
		const struct change *change = fixture_expect(&plan, "eth0", SETTING_IRQ, queue, CHANGE_TODO, cpu);

		assert_int_equal(change->stage, 2);
		assert_false(change->irq.set);
		assert_null(change->from);
	}
	assert_null(fixture_find(&plan, "eth0", SETTING_IRQ, "combined-4"));
	assert_null(fixture_find(&plan, "eth0", SETTING_RPS, "rx-4"));
	assert_null(fixture_find(&plan, "eth0", SETTING_XPS, "tx-4"));
	assert_int_equal(plan_todo(&plan, 1), 1);
}

static void queues_that_stay_keep_what_is_known(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	nic = four_cpus(&machine, "ixgbe", 16, 2);
	cpuset_add(nic_queue(nic, QUEUE_TX, 0)->xps, 0);
	cpuset_add(nic_queue(nic, QUEUE_TX, 1)->xps, 3);
	cpuset_add(nic_queue(nic, QUEUE_RX, 1)->rps, 3);
	fixture_plan(&machine, POLICY, &plan);
	fixture_expect(&plan, "eth0", SETTING_XPS, "tx-0", CHANGE_SAME, "0");
	assert_string_equal(fixture_expect(&plan, "eth0", SETTING_XPS, "tx-1", CHANGE_TODO, "1")->from, "3");
	assert_null(fixture_expect(&plan, "eth0", SETTING_XPS, "tx-3", CHANGE_TODO, "3")->from);
	assert_string_equal(fixture_expect(&plan, "eth0", SETTING_RPS, "rx-1", CHANGE_TODO, "")->from, "3");
	fixture_expect(&plan, "eth0", SETTING_RPS, "rx-3", CHANGE_SAME, "");
	assert_int_equal(fixture_find(&plan, "eth0", SETTING_RPS, "rx-1")->stage, 2);
}

static void some_drivers_keep_their_vectors(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;
	const struct change *change;

	(void)state;
	nic = four_cpus(&machine, "mlx5_core", 63, 8);
	cpuset_add(nic_queue(nic, QUEUE_TX, 0)->xps, 0);
	fixture_plan(&machine, POLICY, &plan);
	change = fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-3", CHANGE_TODO, "3");
	assert_int_equal(change->irq.value, 34);
	assert_string_equal(change->target, "/proc/irq/34/smp_affinity_list");
	assert_null(change->from); /* the driver sets it again */
	assert_null(fixture_expect(&plan, "eth0", SETTING_XPS, "tx-0", CHANGE_TODO, "0")->from);
	assert_null(fixture_find(&plan, "eth0", SETTING_IRQ, "combined-4"));
}

/* Of what a driver keeps, control vectors are left as they are: they need not wait. */
static void control_vectors_that_stay_do_not_wait(void **state)
{
	static const struct {
		const char *driver;
		unsigned stage;
	} cases[] = { { "mlx5_core", 1 }, { "ixgbe", 2 } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		struct nic *nic = four_cpus(&machine, cases[i].driver, 63, 8);
		const struct change *change;

		nic->irqs[0].vector = SOME_U32(7);
		fixture_plan(&machine, POLICY "irq.control = 3\n", &plan);
		fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "4");
		change = fixture_expect(&plan, "eth0", SETTING_IRQ_CONTROL, NULL, CHANGE_TODO, "3");
		assert_int_equal(change->stage, cases[i].stage);
		assert_int_equal(change->irq.set, cases[i].stage == 1);
		assert_string_equal(change->why, "control vector 7 -> CPU 3, which the policy names");
	}
}

static void vectors_that_are_missing_are_expected_too(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	four_cpus(&machine, "mlx5_core", 63, 2);
	fixture_plan(&machine, POLICY, &plan);
	assert_true(fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-1", CHANGE_TODO, "1")->irq.set);
	assert_false(fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-3", CHANGE_TODO, "3")->irq.set);
}

static void virtio_wakes_the_vectors_it_has(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	nic = fixture_nic(&machine, "eth0", "virtio_net", 0);
	fixture_channels(nic, CHANNEL_COMBINED, 4, 1);
	fixture_queues(nic, 1, 2); /* two, so that there is XPS */
	for (unsigned i = 0; i < 4; i++) {
		fixture_irq(nic, 40 + 2 * i, IRQ_RX, i, "0");
		fixture_irq(nic, 41 + 2 * i, IRQ_TX, i, "0");
	}
	fixture_plan(&machine, POLICY, &plan);
	assert_int_equal(fixture_expect(&plan, "eth0", SETTING_IRQ, "rx-3", CHANGE_TODO, "3")->irq.value, 46);
	assert_int_equal(fixture_expect(&plan, "eth0", SETTING_IRQ, "tx-3", CHANGE_TODO, "3")->irq.value, 47);
}

static void igb_splits_its_vectors_below_half(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	four_cpus(&machine, "igb", 8, 8);
	fixture_plan(&machine, POLICY, &plan);
	fixture_expect(&plan, "eth0", SETTING_IRQ, "rx-3", CHANGE_TODO, "3");
	fixture_expect(&plan, "eth0", SETTING_IRQ, "tx-3", CHANGE_TODO, "3");
	assert_null(fixture_find(&plan, "eth0", SETTING_IRQ, "combined-3"));
}

static void other_devices_do_not_wait(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	four_cpus(&machine, "ixgbe", 16, 8);
	fixture_combined(fixture_nic(&machine, "eth1", "ixgbe", 0), 4, 4, 60, "3");
	fixture_plan(&machine, POLICY, &plan);
	assert_int_equal(fixture_expect(&plan, "eth1", SETTING_IRQ, "combined-0", CHANGE_TODO, "0")->stage, 1);
	assert_int_equal(fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-1", CHANGE_TODO, "1")->stage, 2);
}

static void devices_without_interrupts_get_none(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	nic = fixture_nic(&machine, "eth0", "veth", -1);
	nic->kind = NIC_VETH;
	fixture_channels(nic, CHANNEL_RX, 8, 2);
	fixture_channels(nic, CHANNEL_TX, 8, 2);
	fixture_queues(nic, 2, 2);
	fixture_plan(&machine, POLICY, &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_RX, NULL, CHANGE_TODO, "4");
	fixture_expect(&plan, "eth0", SETTING_IRQ, NULL, CHANGE_SKIPPED, NULL);
	fixture_expect(&plan, "eth0", SETTING_XPS, "tx-3", CHANGE_SKIPPED, NULL);
	assert_int_equal(plan_todo(&plan, 0), 2);
}

static void the_link_is_a_barrier_when_interrupts_wait_for_it(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	nic = four_cpus(&machine, "ixgbe", 16, 4);
	nic->link = LINK_DOWN;
	for (size_t i = 0; i < nic->nirqs; i++)
		nic->irqs[i].requested = false;
	fixture_plan(&machine, POLICY "link = up\n", &plan);
	assert_int_equal(fixture_expect(&plan, "eth0", SETTING_LINK, NULL, CHANGE_TODO, "up")->cost, COST_RENUMBERS);
	assert_int_equal(fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-3", CHANGE_TODO, "3")->stage, 2);
	assert_int_equal(plan_todo(&plan, 1), 1);
}

static void a_channel_change_of_a_device_that_stays_down(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	nic = four_cpus(&machine, "ixgbe", 16, 8);
	nic->link = LINK_DOWN;
	for (size_t i = 0; i < nic->nirqs; i++)
		nic->irqs[i].requested = false;
	fixture_plan(&machine, POLICY, &plan);
	fixture_expect(&plan, "eth0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "4");
	fixture_expect(&plan, "eth0", SETTING_IRQ, NULL, CHANGE_DEFERRED, NULL);
	assert_int_equal(plan_todo(&plan, 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_interrupts_have_no_number),
		cmocka_unit_test(queues_that_stay_keep_what_is_known),
		cmocka_unit_test(some_drivers_keep_their_vectors),
		cmocka_unit_test(control_vectors_that_stay_do_not_wait),
		cmocka_unit_test(vectors_that_are_missing_are_expected_too),
		cmocka_unit_test(virtio_wakes_the_vectors_it_has),
		cmocka_unit_test(igb_splits_its_vectors_below_half),
		cmocka_unit_test(other_devices_do_not_wait),
		cmocka_unit_test(devices_without_interrupts_get_none),
		cmocka_unit_test(the_link_is_a_barrier_when_interrupts_wait_for_it),
		cmocka_unit_test(a_channel_change_of_a_device_that_stays_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
