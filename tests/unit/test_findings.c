/* Findings: each fault is found once a device, and a healthy or a small machine gives none. */
#include "fixture.h"

#define PLACED "[nic x]\nmatch.name = eth*\ncpus = local\nirq = spread\n"

static void find(const struct machine *machine, const char *policy, struct findings *ret)
{
	CLEANUP(plan_clear) struct plan plan = { 0 };

	if (policy)
		fixture_plan(machine, policy, &plan);
	findings_make(machine, NULL, policy ? &plan : NULL, ret);
}

static const struct finding *found(const struct findings *findings, const char *code)
{
	const struct finding *result = NULL;

	for (size_t i = 0; i < findings->n; i++) {
		if (strcmp(findings->items[i].code, code) != 0)
			continue;
		assert_null(result); /* once a device */
		result = &findings->items[i];
	}
	return result;
}

/* Fails unless exactly one finding of the code is there, with the text. NULL text: none of the code may be there. */
static void expect(const struct machine *machine, const char *policy, const char *code, const char *text)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };
	const struct finding *finding;

	find(machine, policy, &findings);
	finding = found(&findings, code);
	if (!text) {
		if (finding)
			fail_msg("%s: %s", code, finding->text);
		return;
	}
	if (!finding)
		fail_msg("no %s among %zu findings", code, findings.n);
	assert_string_equal(finding->text, text);
}

static void expect_none(const struct machine *machine, const char *policy)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };

	find(machine, policy, &findings);
	if (findings.n)
		fail_msg("%s: %s", findings.items[0].code, findings.items[0].text);
}

static struct nic *two_nodes(struct machine *machine, uint32_t queues, const char *affinity)
{
	struct nic *nic;

	fixture_cpus(machine, 2, (const char *[]){ "0-3", "4-7" }, NULL, 0);
	nic = fixture_nic(machine, "eth0", "ixgbe", 0);
	fixture_combined(nic, 8, queues, 30, affinity);
	return nic;
}

/* Puts the interrupt of each queue on one CPU. */
static void pin(struct nic *nic, const unsigned *cpus)
{
	for (size_t i = 1; i < nic->nirqs; i++) {
		cpuset_free(nic->irqs[i].affinity);
		nic->irqs[i].affinity = cpuset_one(cpus[i - 1]);
	}
}

static void remote_interrupts(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(findings_clear) struct findings findings = { 0 };
	struct nic *nic;

	(void)state;
	nic = two_nodes(&machine, 4, "0");
	pin(nic, (const unsigned[]){ 0, 1, 4, 5 });
	expect(&machine, NULL, "remote-irq", "2 of 4 queue interrupts run on node 1, the NIC is on node 0");
	find(&machine, PLACED, &findings);
	assert_string_equal(found(&findings, "remote-irq")->hint,
			    "run `steerctl plan eth0` to see 2 changes that put it right");
	pin(nic, (const unsigned[]){ 0, 1, 2, 3 });
	expect_none(&machine, PLACED);
}

static void what_the_policy_wants_is_not_wrong(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };

	(void)state;
	pin(two_nodes(&machine, 4, "0"), (const unsigned[]){ 4, 4, 4, 4 });
	fixture_isolate(&machine, "4", true);
	expect_none(&machine, "[nic x]\nirq = 4\n");
	expect(&machine, NULL, "isolated-irq", "4 of 4 queue interrupts run on isolated CPUs (4)");
}

static void an_interrupt_runs_where_it_is_delivered(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state; /* wide masks, but the controller chose CPU 5 */
	nic = two_nodes(&machine, 2, "0-7");
	for (size_t i = 1; i < nic->nirqs; i++)
		nic->irqs[i].effective = cpuset_one(5);
	expect(&machine, NULL, "remote-irq", "2 of 2 queue interrupts run on node 1, the NIC is on node 0");
	expect(&machine, NULL, "stacked-queues",
	       "2 queue interrupts share CPU 5, while 4 cores near the device serve none");
	expect(&machine, NULL, "wide-affinity",
	       "2 of 2 queue interrupts may run on several CPUs; each is delivered to one of them that nobody chose");
}

static void what_cannot_be_moved_is_not_held_against_it(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	nic = two_nodes(&machine, 4, "5");
	nic->irqs[1].fixed = nic->irqs[2].fixed = true;
	nic->irqs[3].requested = false;
	expect(&machine, NULL, "remote-irq", "1 of 1 queue interrupts run on node 1, the NIC is on node 0");
	nic->irqs[4].fixed = true;
	expect(&machine, NULL, "remote-irq", NULL);
}

static void stacked_queues(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	nic = two_nodes(&machine, 4, "0");
	expect(&machine, NULL, "stacked-queues",
	       "4 queue interrupts share CPU 0, while 3 cores near the device serve none");
	pin(nic, (const unsigned[]){ 0, 0, 1, 2 });
	expect(&machine, NULL, "stacked-queues",
	       "2 queue interrupts share CPU 0, while 1 core near the device serves none");
}

static void wrapping_is_not_stacking(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };

	(void)state;
	pin(two_nodes(&machine, 8, "0"), (const unsigned[]){ 0, 1, 2, 3, 0, 1, 2, 3 });
	expect(&machine, NULL, "stacked-queues", NULL);
}

static void rx_and_tx_of_one_queue_are_not_stacked(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-1" }, NULL, 0);
	nic = fixture_nic(&machine, "eth0", "virtio_net", -1);
	fixture_queues(nic, 1, 1);
	fixture_irq(nic, 30, IRQ_RX, 0, "0");
	fixture_irq(nic, 31, IRQ_TX, 0, "0");
	fixture_irq(nic, 32, IRQ_RX, 1, "0"); /* a queue that is not in use */
	expect_none(&machine, NULL);
}

static void one_broken_affinity_among_pinned_ones(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	nic = two_nodes(&machine, 4, "0");
	pin(nic, (const unsigned[]){ 0, 1, 2, 3 });
	expect(&machine, NULL, "broken-affinity", NULL);
	cpuset_free(nic->irqs[3].affinity);
	nic->irqs[3].affinity = fixture_set("0-7");
	expect(&machine, NULL, "broken-affinity",
	       "1 of 4 queue interrupts may run on any CPU near the device, the others are pinned: as after a CPU went "
	       "offline");
	expect(&machine, NULL, "wide-affinity", NULL);
}

static void small_machines_give_no_noise(void **state)
{
	static const char *const cpus[] = { "0", "0-1", "0-3" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cpus); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };

		fixture_cpus(&machine, 1, &cpus[i], NULL, 0);
		fixture_combined(fixture_nic(&machine, "eth0", "virtio_net", -1), 4, i + 1 == 3 ? 4 : 1, 30, cpus[i]);
		expect_none(&machine, NULL);
	}
}

static void a_device_that_is_down_is_left_in_peace(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };

	(void)state;
	two_nodes(&machine, 8, "5")->link = LINK_DOWN;
	expect_none(&machine, NULL);
}

/* ---- steering --------------------------------------------------------------------------------------------------- */

static void rps_with_enough_queues(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(findings_clear) struct findings findings = { 0 };
	struct nic *nic;

	(void)state;
	nic = two_nodes(&machine, 4, "0");
	pin(nic, (const unsigned[]){ 0, 1, 2, 3 });
	cpuset_add(nic_queue(nic, QUEUE_RX, 1)->rps, 7);
	expect(&machine, NULL, "rps-useless",
	       "RPS is on with 4 queues for 4 CPUs: it only adds inter-processor interrupts");
	find(&machine, "[nic x]\nrps = 7\n", &findings);
	cpuset_add(machine.topology.online, 8); /* a fifth CPU */
	cpuset_add(nic->local, 8);
	expect(&machine, NULL, "rps-useless", NULL);
	assert_int_equal(found(&findings, "rps-useless")->level, NOTE_INFO); /* rx-1 is as the policy wants it */
}

static void rps_to_the_cpu_of_the_interrupt(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	nic = two_nodes(&machine, 1, "2");
	cpuset_add(nic_queue(nic, QUEUE_RX, 0)->rps, 2);
	expect(&machine, NULL, "rps-same-cpu", "RPS of 1 queue names only the CPU that takes the interrupt anyway");
}

static void rps_to_isolated_cpus(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	nic = two_nodes(&machine, 1, "2");
	cpuset_add(nic_queue(nic, QUEUE_RX, 0)->rps, 3);
	fixture_isolate(&machine, "3", false);
	expect(&machine, NULL, "isolated-rps", "RPS sends packets to isolated CPUs (3)");
}

static void two_queues_for_four_cores(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	nic = fixture_nic(&machine, "eth0", "igb", 0);
	fixture_combined(nic, 2, 2, 30, "0");
	pin(nic, (const unsigned[]){ 0, 1 });
	expect(&machine, NULL, "few-queues",
	       "2 receive queues for 4 cores, and RPS is off: the other cores take no packets");
	expect(&machine, "[nic x]\nrps = off\n", "few-queues", NULL); /* as wanted */
	cpuset_add(nic_queue(nic, QUEUE_RX, 0)->rps, 2);
	expect(&machine, NULL, "few-queues", NULL);
}

static void more_queues_than_local_cpus(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };

	(void)state;
	pin(two_nodes(&machine, 8, "0"), (const unsigned[]){ 0, 1, 2, 3, 0, 1, 2, 3 });
	expect(&machine, NULL, "channels-remote",
	       "has 8 receive queues for the 4 CPUs of node 0: some share one, or run on another node");
}

/* ---- the host and the policy ------------------------------------------------------------------------------------ */

static void nodes(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };

	(void)state;
	fixture_cpus(&machine, 2, (const char *[]){ "0-3", "4-7" }, NULL, 0);
	fixture_nic(&machine, "eth0", "e1000e", -1);
	expect(&machine, NULL, "unknown-node",
	       "the kernel does not say which node the device is on: all CPUs count as local");
	machine.nics[0].node = 2; /* none of its CPUs is online */
	expect(&machine, NULL, "offline-node", "no CPU of node 2, where the device is, is online");
}

static void unknown_interrupts(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0-3" }, NULL, 0);
	nic = fixture_nic(&machine, "eth0", "fec", -1);
	fixture_irq(nic, 30, IRQ_UNKNOWN, 0, "0");
	fixture_irq(nic, 31, IRQ_UNKNOWN, 0, "0");
	expect(&machine, NULL, "unknown-irq", "what 2 of its interrupts serve is not known");
}

static void lro_on_a_router(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	struct nic *nic;

	(void)state;
	fixture_cpus(&machine, 1, (const char *[]){ "0" }, NULL, 0);
	nic = fixture_nic(&machine, "eth0", "mlx5_core", -1);
	nic->features = alloc_more(NULL, 0, sizeof *nic->features);
	nic->features[nic->nfeatures++] = (struct feature){ .name = alloc_string("rx-lro"), .active = true };
	expect(&machine, NULL, "lro-forwarding", NULL);
	machine.sysctls = alloc_more(NULL, 0, sizeof *machine.sysctls);
	machine.sysctls[machine.nsysctls++] =
		(struct sysctl){ .name = alloc_string("net.ipv4.ip_forward"), .value = alloc_string("1") };
	expect(&machine, NULL, "lro-forwarding", "merges received packets (LRO) on a host that forwards them");
}

static void drift_and_a_rival(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };

	(void)state;
	two_nodes(&machine, 4, "0");
	machine.irqbalance = alloc_string("active");
	expect(&machine, PLACED, "drift", "3 settings differ from the policy");
	expect(&machine, PLACED, "irqbalance-active",
	       "irqbalance is running and moves interrupts that the policy places");
	expect(&machine, "[nic x]\nrps = off\n", "irqbalance-active", NULL);
	expect(&machine, NULL, "irqbalance-active", NULL);
}

static void unmet_requirements_and_failures_come_last(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	CLEANUP(findings_clear) struct findings findings = { 0 };

	(void)state;
	two_nodes(&machine, 4, "4");
	fixture_plan(&machine, "[policy]\nrequire.cmdline = isolcpus=1\n" PLACED, &plan);
	plan.changes[0].state = CHANGE_FAILED;
	plan.changes[0].skipped = alloc_string("Input/output error");
	findings_make(&machine, NULL, &plan, &findings);
	for (size_t i = 1; i < findings.n; i++)
		assert_true(findings.items[i - 1].level <= findings.items[i].level);
	assert_string_equal(findings.items[findings.n - 1].code, "failed");
	assert_string_equal(findings.items[findings.n - 1].text,
			    "1 setting could not be applied, the first is irq: Input/output error");
	assert_int_equal(found(&findings, "unmet")->level, NOTE_WARNING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remote_interrupts),
		cmocka_unit_test(what_the_policy_wants_is_not_wrong),
		cmocka_unit_test(an_interrupt_runs_where_it_is_delivered),
		cmocka_unit_test(what_cannot_be_moved_is_not_held_against_it),
		cmocka_unit_test(stacked_queues),
		cmocka_unit_test(wrapping_is_not_stacking),
		cmocka_unit_test(rx_and_tx_of_one_queue_are_not_stacked),
		cmocka_unit_test(one_broken_affinity_among_pinned_ones),
		cmocka_unit_test(small_machines_give_no_noise),
		cmocka_unit_test(a_device_that_is_down_is_left_in_peace),
		cmocka_unit_test(rps_with_enough_queues),
		cmocka_unit_test(rps_to_the_cpu_of_the_interrupt),
		cmocka_unit_test(rps_to_isolated_cpus),
		cmocka_unit_test(two_queues_for_four_cores),
		cmocka_unit_test(more_queues_than_local_cpus),
		cmocka_unit_test(nodes),
		cmocka_unit_test(unknown_interrupts),
		cmocka_unit_test(lro_on_a_router),
		cmocka_unit_test(drift_and_a_rival),
		cmocka_unit_test(unmet_requirements_and_failures_come_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
