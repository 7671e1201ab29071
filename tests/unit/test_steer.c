/* Steering: RPS without the CPUs that lose it, flow tables as the kernel rounds them, XPS behind the interrupts. */
#include "fixture.h"

#define NIC "[nic x]\nmatch.name = eth0\n"

static struct nic *four_cpus(struct machine *machine, uint32_t queues)
{
	struct nic *nic;

	fixture_cpus(machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	nic = fixture_nic(machine, "eth0", "igb", 0);
	fixture_combined(nic, 8, queues, 30, "0-3");
	return nic;
}

/* ---- RPS -------------------------------------------------------------------------------------------------------- */

static void rps_off_is_the_empty_set(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state;
	nic = four_cpus(&machine, 2);
	cpuset_add(nic_queue(nic, QUEUE_RX, 1)->rps, 3);
	fixture_plan(&machine, NIC "rps = off\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_RPS, "rx-0", CHANGE_SAME, "");
	assert_string_equal(fixture_expect(&plan, "eth0", SETTING_RPS, "rx-1", CHANGE_TODO, "")->target,
			    "/sys/class/net/eth0/queues/rx-1/rps_cpus");
	assert_int_equal(plan.nchanges, 2);
}

static void rps_goes_by_the_interrupts_as_planned(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state; /* now they may run anywhere, then on CPUs 0 and 1 */
	four_cpus(&machine, 2);
	fixture_plan(&machine, NIC "cpus = all\nirq = spread\nrps = all - irq-cpus\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_RPS, "rx-0", CHANGE_TODO, "2-3");
	assert_int_equal(fixture_find(&plan, "eth0", SETTING_RPS, "rx-1")->stage, 1);
}

static void rps_knows_the_cpus_of_the_section(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan few = { 0 }, enough = { 0 };
	static const char policy[] = NIC "cpus = 1-3\nirq = spread\nrps = cpus - irq-cpus\n";

	(void)state;
	four_cpus(&machine, 2);
	fixture_plan(&machine, policy, &few);
	fixture_expect(&few, "eth0", SETTING_RPS, "rx-0", CHANGE_TODO, "3");
	fixture_combined(fixture_nic(&machine, "eth1", "igb", 0), 8, 3, 60, "0-3");
	fixture_plan(&machine, "[nic x]\nmatch.name = eth1\ncpus = 1-3\nirq = spread\nrps = cpus - irq-cpus\n",
		     &enough);
	fixture_expect(&enough, "eth1", SETTING_RPS, "rx-0", CHANGE_SAME, "");
}

static void rps_waits_for_interrupts_it_goes_by(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan down = { 0 }, plain = { 0 }, unknown = { 0 };
	struct nic *nic;

	(void)state;
	nic = four_cpus(&machine, 2);
	for (size_t i = 0; i < nic->nirqs; i++)
		nic->irqs[i].requested = false;
	fixture_plan(&machine, NIC "rps = all - irq-cpus\n", &unknown);
	fixture_expect(&unknown, "eth0", SETTING_RPS, "rx-0", CHANGE_SKIPPED, NULL);
	nic->link = LINK_DOWN;
	fixture_plan(&machine, NIC "rps = all - irq-cpus\n", &down);
	fixture_expect(&down, "eth0", SETTING_RPS, "rx-0", CHANGE_DEFERRED, NULL);
	fixture_plan(&machine, NIC "rps = 1-3\n", &plain); /* nothing to wait for */
	fixture_expect(&plain, "eth0", SETTING_RPS, "rx-0", CHANGE_TODO, "1-3");
}

static void cpus_that_lose_rps_are_named(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	four_cpus(&machine, 1);
	fixture_isolate(&machine, "2-3", true);
	fixture_plan(&machine, NIC "rps = 1-3\n", &plan);
	assert_non_null(
		strstr(fixture_expect(&plan, "eth0", SETTING_RPS, "rx-0", CHANGE_TODO, "1")->why, "without CPUs 2-3"));
}

static void rps_on_isolated_cpus_alone_is_not_tried(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	nic = four_cpus(&machine, 1);
	fixture_isolate(&machine, "2-3", true);
	for (unsigned is = 0; is < 2; is++) { /* off, and on */
		CLEANUP(plan_clear) struct plan plan = { 0 };

		if (is)
			cpuset_add(nic_queue(nic, QUEUE_RX, 0)->rps, 0);
		fixture_plan(&machine, NIC "rps = 2-3\n", &plan);
		assert_non_null(strstr(
			fixture_expect(&plan, "eth0", SETTING_RPS, "rx-0", CHANGE_SKIPPED, NULL)->skipped, "isolcpus"));
	}
}

static void a_cpuset_partition_does_not_lose_rps(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	four_cpus(&machine, 1);
	fixture_isolate(&machine, "3", false);
	fixture_plan(&machine, NIC "rps = 2-3\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_RPS, "rx-0", CHANGE_TODO, "2-3");
}

static void flows_are_compared_as_the_kernel_rounds_them(void **state)
{
	static const struct {
		unsigned asked, is;
		enum change_state state;
		const char *to;
	} cases[] = {
		{ 0, 0, CHANGE_SAME, "0" },
		{ 1, 1, CHANGE_SAME, "1" },
		{ 1000, 1024, CHANGE_SAME, "1024" },
		{ 1024, 1024, CHANGE_SAME, "1024" },
		{ 10922, 16384, CHANGE_SAME, "16384" }, /* 32768 for three queues */
		{ 1025, 1024, CHANGE_TODO, "2048" },
		{ 0, 64, CHANGE_TODO, "0" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		CLEANUP(free_string) char *policy = text_format("%srps.flows = %u\n", NIC, cases[i].asked);

		nic_queue(four_cpus(&machine, 1), QUEUE_RX, 0)->rps_flows = SOME_U32(cases[i].is);
		fixture_plan(&machine, policy, &plan);
		fixture_expect(&plan, "eth0", SETTING_RPS_FLOWS, "rx-0", cases[i].state, cases[i].to);
	}
}

/* ---- XPS -------------------------------------------------------------------------------------------------------- */

static void xps_follows_the_interrupt_as_planned(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state; /* eight queues on four CPUs: every one has a map, and the right one */
	four_cpus(&machine, 8);
	fixture_plan(&machine, NIC "cpus = all\nirq = spread\nxps = follow-irq\n", &plan);
	for (unsigned i = 0; i < 8; i++) {
		CLEANUP(free_string) char *queue = text_format("tx-%u", i);
		CLEANUP(free_string) char *cpu = text_format("%u", i % 4);

		fixture_expect(&plan, "eth0", SETTING_XPS, queue, CHANGE_TODO, cpu);
	}
}

static void xps_follows_where_the_policy_leaves_interrupts(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic *nic;

	(void)state; /* tx 0 has a vector of its own, tx 1 goes with rx 1, tx 2 has none */
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	nic = fixture_nic(&machine, "eth0", "x", 0);
	fixture_queues(nic, 2, 3);
	fixture_irq(nic, 30, IRQ_RX, 0, "0");
	fixture_irq(nic, 31, IRQ_RX, 1, "1");
	fixture_irq(nic, 32, IRQ_TX, 0, "2");
	fixture_plan(&machine, NIC "xps = follow-irq\n", &plan);
	fixture_expect(&plan, "eth0", SETTING_XPS, "tx-0", CHANGE_TODO, "2");
	fixture_expect(&plan, "eth0", SETTING_XPS, "tx-1", CHANGE_TODO, "1");
	assert_string_equal(fixture_expect(&plan, "eth0", SETTING_XPS, "tx-2", CHANGE_SKIPPED, NULL)->skipped,
			    "the queue's interrupt is not known");
}

static void of_two_vectors_for_a_queue_the_lower_counts(void **state)
{
	(void)state;
	for (unsigned order = 0; order < 2; order++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		struct nic *nic;

		fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
		nic = fixture_nic(&machine, "eth0", "x", 0);
		fixture_queues(nic, 2, 2);
		fixture_irq(nic, order ? 31 : 30, IRQ_TX, 0, order ? "1" : "0");
		fixture_irq(nic, order ? 30 : 31, IRQ_TX, 0, order ? "0" : "1");
		fixture_plan(&machine, NIC "xps = follow-irq\n", &plan);
		fixture_expect(&plan, "eth0", SETTING_XPS, "tx-0", CHANGE_TODO, "0");
	}
}

static void one_transmit_queue_has_no_xps(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	four_cpus(&machine, 1);
	fixture_plan(&machine, NIC "cpus = all\nirq = spread\nxps = follow-irq\n", &plan);
	assert_string_equal(fixture_expect(&plan, "eth0", SETTING_XPS, "tx-0", CHANGE_SKIPPED, NULL)->skipped,
			    "a device with one transmit queue has no XPS");
}

static void xps_off_and_by_expression(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan off = { 0 }, some = { 0 };
	struct nic *nic;

	(void)state;
	nic = four_cpus(&machine, 2);
	cpuset_add(nic_queue(nic, QUEUE_TX, 1)->xps, 3);
	fixture_plan(&machine, NIC "xps = off\n", &off);
	fixture_expect(&off, "eth0", SETTING_XPS, "tx-0", CHANGE_SAME, "");
	fixture_expect(&off, "eth0", SETTING_XPS, "tx-1", CHANGE_TODO, "");
	fixture_plan(&machine, NIC "xps = 3\n", &some);
	fixture_expect(&some, "eth0", SETTING_XPS, "tx-0", CHANGE_TODO, "3");
	fixture_expect(&some, "eth0", SETTING_XPS, "tx-1", CHANGE_SAME, "3");
}

static void add_tx_queue(struct nic *nic, unsigned index)
{
	nic->queues = alloc_more(nic->queues, nic->nqueues, sizeof *nic->queues);
	nic->queues[nic->nqueues++] =
		(struct queue){ .type = QUEUE_TX, .index = index, .xps = cpuset_new(), .xps_rxqs = cpuset_new() };
}

static void xps_by_receive_queue(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan by_rx = { 0 }, by_cpu = { 0 };
	struct nic *nic;

	(void)state;
	nic = four_cpus(&machine, 3);
	cpuset_add(nic_queue(nic, QUEUE_TX, 1)->xps_rxqs, 1);
	add_tx_queue(nic, 3);
	fixture_plan(&machine, NIC "xps = rxqs\n", &by_rx);
	fixture_expect(&by_rx, "eth0", SETTING_XPS_RXQS, "tx-0", CHANGE_TODO, "0");
	fixture_expect(&by_rx, "eth0", SETTING_XPS_RXQS, "tx-3", CHANGE_TODO, "0"); /* there are three rx queues */
	fixture_expect(&by_rx, "eth0", SETTING_XPS_RXQS, "tx-1", CHANGE_SAME, "1");
	assert_null(fixture_find(&by_rx, "eth0", SETTING_XPS, "tx-0"));
	fixture_plan(&machine, NIC "xps = 0\n", &by_cpu); /* it would win over the map by CPU */
	fixture_expect(&by_cpu, "eth0", SETTING_XPS_RXQS, "tx-1", CHANGE_TODO, "");
	assert_null(fixture_find(&by_cpu, "eth0", SETTING_XPS_RXQS, "tx-0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rps_off_is_the_empty_set),
		cmocka_unit_test(rps_goes_by_the_interrupts_as_planned),
		cmocka_unit_test(rps_knows_the_cpus_of_the_section),
		cmocka_unit_test(rps_waits_for_interrupts_it_goes_by),
		cmocka_unit_test(cpus_that_lose_rps_are_named),
		cmocka_unit_test(rps_on_isolated_cpus_alone_is_not_tried),
		cmocka_unit_test(a_cpuset_partition_does_not_lose_rps),
		cmocka_unit_test(flows_are_compared_as_the_kernel_rounds_them),
		cmocka_unit_test(xps_follows_the_interrupt_as_planned),
		cmocka_unit_test(xps_follows_where_the_policy_leaves_interrupts),
		cmocka_unit_test(of_two_vectors_for_a_queue_the_lower_counts),
		cmocka_unit_test(one_transmit_queue_has_no_xps),
		cmocka_unit_test(xps_off_and_by_expression),
		cmocka_unit_test(xps_by_receive_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
