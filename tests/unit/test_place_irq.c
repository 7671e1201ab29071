/* Interrupts of all kinds: split, unknown, managed, shared and yet to come; which are placed, and which are left alone.
 */
#include "fixture.h"

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

static void split_vectors_share_their_cpu(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state; /* numbers carry no order */
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	nic = fixture_nic(&machine, "eth0", "virtio_net", 0);
	fixture_queues(nic, 2, 2);
	fixture_irq(nic, 382, IRQ_CONTROL, 0, "0-3");
	fixture_irq(nic, 447, IRQ_RX, 0, "0-3");
	fixture_irq(nic, 30, IRQ_TX, 0, "0-3");
	fixture_irq(nic, 31, IRQ_RX, 1, "0-3");
	fixture_irq(nic, 445, IRQ_TX, 1, "0-3");
	fixture_irq(nic, 446, IRQ_RX, 2, "0-3"); /* of a queue that is not in use */
	fixture_plan(&machine, NIC "cpus = all\nirq = spread\n", &plan);
	assert_int_equal(plan.nchanges, 4);
	assert_int_equal(cpu_of(&plan, "eth0", "rx", 0), 0);
	assert_int_equal(cpu_of(&plan, "eth0", "tx", 0), 0);
	assert_int_equal(cpu_of(&plan, "eth0", "rx", 1), 1);
	assert_int_equal(cpu_of(&plan, "eth0", "tx", 1), 1);
}

static void unknown_vectors_get_the_whole_set(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	nic = fixture_nic(&machine, "eth0", "fec", 0);
	fixture_queues(nic, 3, 3);
	fixture_irq(nic, 30, IRQ_UNKNOWN, 0, "0");
	fixture_irq(nic, 31, IRQ_UNKNOWN, 0, "1-3");
	fixture_plan(&machine, NIC "cpus = 1-3\nirq = spread\n", &plan);
	assert_int_equal(plan.nchanges, 2);
	assert_string_equal(plan.changes[0].to, "1-3");
	assert_int_equal(plan.changes[0].state, CHANGE_TODO);
	assert_int_equal(plan.changes[0].queue, QUEUE_NONE);
	assert_int_equal(plan.changes[1].state, CHANGE_SAME);
}

static void control_vectors_move_only_when_asked(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	const struct change *change;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 4, 2, 30, "0-3");
	fixture_plan(&machine, NIC "irq.control = 3\n", &plan);
	change = fixture_expect(&plan, "eth0", SETTING_IRQ_CONTROL, NULL, CHANGE_TODO, "3");
	assert_int_equal(change->irq.value, 30);
	assert_int_equal(plan.nchanges, 1);
}

static void all_and_expressions_are_sets(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan all = { 0 }, some = { 0 };

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 4, 2, 30, "0");
	fixture_plan(&machine, NIC "cpus = 1-3\nirq = all\n", &all);
	fixture_expect(&all, "eth0", SETTING_IRQ, "combined-1", CHANGE_TODO, "1-3");
	fixture_plan(&machine, NIC "cpus = 1-3\nirq = 2,3\n", &some);
	fixture_expect(&some, "eth0", SETTING_IRQ, "combined-1", CHANGE_TODO, "2-3");
}

static void managed_vectors_are_left(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	const struct change *change;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "x", 0), 4, 2, 30, "3");
	machine.nics[0].irqs[1].fixed = machine.nics[0].irqs[2].fixed = true;
	fixture_plan(&machine, NIC "cpus = all\nirq = spread\nxps = follow-irq\n", &plan);
	change = fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-1", CHANGE_SKIPPED, "1");
	assert_string_equal(change->skipped, "the kernel manages this interrupt's affinity");
	fixture_expect(&plan, "eth0", SETTING_XPS, "tx-1", CHANGE_TODO, "3"); /* where it runs, not where it should */
}

static void interrupts_of_a_device_that_is_down_wait(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	const struct change *change;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	fixture_combined(fixture_nic(&machine, "eth0", "igb", 0), 4, 4, 30, "0-3");
	machine.nics[0].link = LINK_DOWN;
	for (size_t i = 0; i < machine.nics[0].nirqs; i++)
		machine.nics[0].irqs[i].requested = false;
	fixture_plan(&machine, NIC "cpus = all\nirq = spread\nxps = follow-irq\n", &plan);
	change = fixture_expect(&plan, "eth0", SETTING_IRQ, NULL, CHANGE_DEFERRED, NULL);
	assert_string_equal(change->skipped, "the driver requests its interrupts when the link is set up");
	fixture_expect(&plan, "eth0", SETTING_XPS, "tx-3", CHANGE_DEFERRED, NULL);
	assert_int_equal(plan_todo(&plan, 0), 0);
}

static void a_virtual_device_has_no_interrupts(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	fixture_nic(&machine, "eth0", "bridge", -1)->kind = NIC_BRIDGE;
	fixture_plan(&machine, NIC "irq = spread\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_IRQ, NULL, CHANGE_SKIPPED, NULL);
	assert_int_equal(plan.nchanges, 1);
}

static void shared_lines(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state; /* one INTx line for both */
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	for (unsigned i = 0; i < 2; i++) {
		nic = fixture_nic(&machine, i ? "eth1" : "eth0", "e1000", 0);
		fixture_queues(nic, 1, 1);
		fixture_irq(nic, 11, IRQ_COMBINED, 0, "0-3")->shared = true;
	}
	fixture_plan(&machine, NIC "cpus = 2-3\nirq = spread\n", &plan);
	assert_non_null(
		strstr(fixture_expect(&plan, "eth0", SETTING_IRQ, "combined-0", CHANGE_TODO, "2")->why, "same line"));
	assert_non_null(
		strstr(fixture_expect(&plan, "eth1", SETTING_IRQ, "combined-0", CHANGE_SKIPPED, "2")->skipped, "eth0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_vectors_share_their_cpu),
		cmocka_unit_test(unknown_vectors_get_the_whole_set),
		cmocka_unit_test(control_vectors_move_only_when_asked),
		cmocka_unit_test(all_and_expressions_are_sets),
		cmocka_unit_test(managed_vectors_are_left),
		cmocka_unit_test(interrupts_of_a_device_that_is_down_wait),
		cmocka_unit_test(a_virtual_device_has_no_interrupts),
		cmocka_unit_test(shared_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
