/* The plan as a whole: the laws that hold on every machine, requirements, and what was tried before. */
#include <errno.h>

#include "fixture_apply.h"

#define UPLINKS                                                                                                        \
	"[nic uplinks]\nmatch.driver = mlx5_core\ncpus = cores(local)\nchannels = per-cpu\nirq = spread\n"             \
	"xps = follow-irq\nrps = off\npause = off\nlink = up\n"
#define SHARED                                                                                                         \
	"[nic all]\nmatch.kind = physical\ncpus = cores(local)\nshare = partition\nchannels = per-cpu\nirq = spread\n" \
	"xps = follow-irq\nrps = local - irq-cpus\nrps.flows = 1000\n"

/* Two packages of 20 cores, both ports on node 0 with a queue for each of the 40 CPUs. */
static void c240(struct machine *machine)
{
	fixture_cpus(machine, 2, (const char *[]){ "0-19", "20-39" }, NULL, 0);
	for (unsigned port = 0; port < 2; port++) {
		struct nic *nic = fixture_nic(machine, port ? "ens2f1np1" : "ens2f0np0", "mlx5_core", 0);

		fixture_combined(nic, 63, 40, 100 * (port + 1), "0-39");
		nic->pause = (struct pause){ SOME_BOOL(false), SOME_BOOL(true), SOME_BOOL(true) };
	}
}

static void the_c240_job(void **state)
{
	static const char *const ports[] = { "ens2f0np0", "ens2f1np1" };
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	c240(&machine);
	fixture_plan(&machine, UPLINKS, &plan);
	for (size_t port = 0; port < COUNT_OF(ports); port++) {
		fixture_expect(&plan, ports[port], SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "20");
		assert_string_equal(fixture_expect(&plan, ports[port], SETTING_PAUSE, NULL, CHANGE_TODO, "off")->from,
				    "on");
		fixture_expect(&plan, ports[port], SETTING_LINK, NULL, CHANGE_SAME, "up");
		for (unsigned i = 0; i < 20; i++) {
			CLEANUP(free_string) char *queue = text_format("combined-%u", i);
			CLEANUP(free_string) char *cpu = text_format("%u", i);

			fixture_expect(&plan, ports[port], SETTING_IRQ, queue, CHANGE_TODO, cpu);
		}
		assert_null(fixture_find(&plan, ports[port], SETTING_IRQ, "combined-20"));
	}
	assert_int_equal(plan_todo(&plan, 1), 4);
	assert_int_equal(plan_todo(&plan, 2), 2 * (20 + 20));
	assert_int_equal(plan_todo(&plan, 0), 4 + 2 * (20 + 20));
}

/* ---- laws ------------------------------------------------------------------------------------------------------- */

/* An awkward machine: SMT, four nodes, a hole, an isolated CPU, devices of many makes. */
static void zoo(struct machine *machine)
{
	struct nic *nic;

	fixture_cpus(machine, 4, (const char *[]){ "0,4,8", "1,5,9", "2,6", "3,7,11" },
		     (const char *[]){ "12,16,20", "13,17,21", "14,18", "15,19,23" }, 0);
	fixture_isolate(machine, "8", true);
	fixture_combined(fixture_nic(machine, "eth10", "ixgbe", 0), 63, 24, 100, "0-23");
	fixture_combined(fixture_nic(machine, "eth9", "ixgbe", 0), 63, 1, 200, "0-23");
	fixture_combined(fixture_nic(machine, "eth2", "mlx5_core", 3), 8, 8, 300, "0");
	nic = fixture_nic(machine, "eth1", "tg3", 1);
	fixture_channels(nic, CHANNEL_RX, 4, 1);
	fixture_channels(nic, CHANNEL_TX, 4, 4);
	fixture_queues(nic, 1, 4);
	fixture_irq(nic, 400, IRQ_RX, 0, "0-23");
	for (unsigned i = 0; i < 4; i++)
		fixture_irq(nic, 401 + i, IRQ_TX, i, "0-23");
	nic = fixture_nic(machine, "eth0", "r8169", -1);
	fixture_queues(nic, 1, 1);
	fixture_irq(nic, 500, IRQ_COMBINED, 0, "0-23");
	nic = fixture_nic(machine, "br0", "bridge", -1);
	nic->kind = NIC_BRIDGE;
	fixture_queues(nic, 1, 1);
}

static void shuffle(struct machine *machine, unsigned seed)
{
	for (size_t i = machine->nnics; i > 1; i--) {
		size_t j = (seed = seed * 1103515245u + 12345u) / 65536 % i;
		struct nic nic = machine->nics[j];

		machine->nics[j] = machine->nics[i - 1];
		machine->nics[i - 1] = nic;
	}
	for (size_t n = 0; n < machine->nnics; n++) {
		struct nic *nic = &machine->nics[n];

		for (size_t i = nic->nirqs; i > 1; i--) {
			size_t j = (seed = seed * 1103515245u + 12345u) / 65536 % i;
			struct irq irq = nic->irqs[j];

			nic->irqs[j] = nic->irqs[i - 1];
			nic->irqs[i - 1] = irq;
		}
		for (size_t i = nic->nqueues; i > 1; i--) {
			size_t j = (seed = seed * 1103515245u + 12345u) / 65536 % i;
			struct queue queue = nic->queues[j];

			nic->queues[j] = nic->queues[i - 1];
			nic->queues[i - 1] = queue;
		}
	}
}

static void the_order_of_lists_changes_nothing(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan first = { 0 };
	CLEANUP(free_string) char *expected = NULL;

	(void)state;
	zoo(&machine);
	fixture_plan(&machine, SHARED, &first);
	expected = fixture_text(&first);
	assert_true(first.nchanges > 20);
	for (unsigned seed = 1; seed <= 20; seed++) {
		CLEANUP(plan_clear) struct plan again = { 0 };
		CLEANUP(free_string) char *text = NULL;

		shuffle(&machine, seed);
		fixture_plan(&machine, SHARED, &again);
		text = fixture_text(&again);
		assert_string_equal(text, expected);
	}
}

static void the_plan_after_applying_it_is_empty(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };

		if (i)
			zoo(&machine);
		else
			c240(&machine);
		assert_in_range(fixture_settle(&machine, i ? SHARED : UPLINKS), 2, 3);
		assert_int_equal(fixture_settle(&machine, i ? SHARED : UPLINKS), 0);
	}
}

static void the_list_is_in_order(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	zoo(&machine);
	fixture_plan(&machine, SHARED, &plan);
	for (size_t i = 1; i < plan.nchanges; i++) {
		const struct change *a = &plan.changes[i - 1], *b = &plan.changes[i];
		int device = text_natural(a->device, b->device);

		assert_true(a->stage <= b->stage);
		if (a->stage != b->stage)
			continue;
		assert_true(device <= 0);
		if (device == 0)
			assert_true(a->setting <= b->setting);
		if (device == 0 && a->setting == b->setting)
			assert_true(a->index <= b->index);
	}
}

/* ---- requirements, attempts, choosing --------------------------------------------------------------------------- */

static void an_unmet_requirement_may_refuse(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan warned = { 0 }, refused = { 0 }, met = { 0 };
	static const char require[] = "[policy]\nrequire.cmdline = iommu.passthrough=1\n";
	CLEANUP(free_string) char *warn = text_format("%s%s", require, UPLINKS);
	CLEANUP(free_string) char *refuse = text_format("%son-unmet = refuse\n%s", require, UPLINKS);

	(void)state;
	c240(&machine);
	strings_add(&machine.cmdline, "iommu.passthrough=10");
	fixture_plan(&machine, warn, &warned);
	assert_int_equal(warned.unmet.n, 1);
	assert_non_null(strstr(warned.unmet.items[0], "iommu.passthrough=1"));
	assert_int_not_equal(plan_todo(&warned, 0), 0);
	fixture_plan(&machine, refuse, &refused);
	assert_true(refused.refused);
	assert_int_equal(plan_todo(&refused, 0), 0);
	fixture_expect(&refused, "ens2f0np0", SETTING_PAUSE, NULL, CHANGE_SKIPPED, "off");
	strings_add(&machine.cmdline, "iommu.passthrough=1");
	fixture_plan(&machine, refuse, &met);
	assert_int_equal(met.unmet.n, 0);
	assert_false(met.refused);
}

static void what_failed_is_not_planned_again(void **state)
{
	static const struct {
		enum change_state was, is;
	} cases[] = {
		{ CHANGE_FAILED, CHANGE_FAILED },   { CHANGE_DEFERRED, CHANGE_DEFERRED },
		{ CHANGE_SKIPPED, CHANGE_SKIPPED }, { CHANGE_DONE, CHANGE_TODO },
		{ CHANGE_GONE, CHANGE_TODO },
	};
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(policy_freep) struct policy *policy = fixture_policy(UPLINKS);
	CLEANUP(plan_clear) struct plan first = { 0 };

	(void)state;
	c240(&machine);
	plan_make(&machine, policy, NULL, &first);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(plan_clear) struct plan second = { 0 };
		struct change tried =
			*fixture_expect(&first, "ens2f0np0", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "20");
		struct attempts attempts = { .items = &tried, .n = 1 };

		tried.state = cases[i].was;
		tried.skipped = (char *)"Device or resource busy";
		tried.error = -EBUSY;
		plan_make(&machine, policy, &attempts, &second);
		fixture_expect(&second, "ens2f0np0", SETTING_CHANNELS_COMBINED, NULL, cases[i].is, "20");
		fixture_expect(&second, "ens2f1np1", SETTING_CHANNELS_COMBINED, NULL, CHANGE_TODO, "20");
		/* with the channels there are, all 40 queues get their CPU, now */
		assert_int_equal(fixture_find(&second, "ens2f0np0", SETTING_IRQ, "combined-39") != NULL,
				 cases[i].is != CHANGE_TODO);
	}
}

/* CPU 1 had no free vector, so the interrupt of queue 1 went to CPU 2. */
static void xps_follows_where_an_interrupt_could_go(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(policy_freep) struct policy *policy = fixture_policy("[nic x]\nirq = spread\nxps = follow-irq\n");
	CLEANUP(plan_clear) struct plan first = { 0 }, second = { 0 };
	struct change elsewhere;
	struct irq *irq;

	(void)state;
	c240(&machine);
	irq = nic_irq_of(&machine.nics[0], QUEUE_TX, 1);
	cpuset_free(irq->affinity);
	irq->affinity = cpuset_one(2);
	plan_make(&machine, policy, NULL, &first);
	fixture_expect(&first, "ens2f0np0", SETTING_XPS, "tx-1", CHANGE_TODO, "1");
	elsewhere = *fixture_expect(&first, "ens2f0np0", SETTING_IRQ, "combined-1", CHANGE_TODO, "1");
	elsewhere.state = CHANGE_DONE;
	elsewhere.skipped = (char *)"CPU 1 has no free interrupt vector";
	plan_make(&machine, policy, &(struct attempts){ .items = &elsewhere, .n = 1 }, &second);
	fixture_expect(&second, "ens2f0np0", SETTING_IRQ, "combined-1", CHANGE_DONE, "1");
	fixture_expect(&second, "ens2f0np0", SETTING_XPS, "tx-1", CHANGE_TODO, "2");
}

static void a_failure_is_of_one_queue(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(policy_freep) struct policy *policy = fixture_policy("[nic x]\nxps = 0\n");
	CLEANUP(plan_clear) struct plan first = { 0 }, second = { 0 };
	struct change failed;

	(void)state;
	c240(&machine);
	plan_make(&machine, policy, NULL, &first);
	failed = *fixture_expect(&first, "ens2f0np0", SETTING_XPS, "tx-7", CHANGE_TODO, "0");
	failed.state = CHANGE_FAILED;
	plan_make(&machine, policy, &(struct attempts){ .items = &failed, .n = 1 }, &second);
	fixture_expect(&second, "ens2f0np0", SETTING_XPS, "tx-7", CHANGE_FAILED, "0");
	assert_int_equal(plan_todo(&second, 0), plan_todo(&first, 0) - 1);
}

static void only_the_devices_that_are_named(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	CLEANUP(strings_clear) struct strings devices = { 0 };
	size_t all;

	(void)state;
	c240(&machine);
	fixture_plan(&machine, UPLINKS, &plan);
	all = plan.nchanges;
	plan_only(&plan, &devices);
	assert_int_equal(plan.nchanges, all);
	strings_add(&devices, "ens2f1np1");
	plan_only(&plan, &devices);
	assert_int_equal(plan.nchanges, all / 2);
	assert_string_equal(plan.changes[0].device, "ens2f1np1");
}

static void a_device_without_section_is_not_spoken_of(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	zoo(&machine);
	fixture_plan(&machine, UPLINKS, &plan);
	for (size_t i = 0; i < plan.nchanges; i++)
		assert_string_equal(plan.changes[i].device, "eth2");
}

static void nothing_known_is_no_crash(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	struct nic nic = { .name = (char *)"eth0", .node = -1 };

	(void)state;
	fixture_plan(&machine, "[nic x]\nirq = spread\n", &plan);
	assert_int_equal(plan.nchanges, 0);
	plan_clear(&plan);
	machine.nics = &nic;
	machine.nnics = 1;
	fixture_plan(
		&machine,
		"[nic x]\nchannels = per-cpu\nirq = spread\nirq.control = 0\nrps = all\nrps.flows = 1\nxps = rxqs\n"
		"pause = off\nring.rx = max\nlink = up\n[sysctl]\nnet.ipv4.ip_forward = 1\n",
		&plan);
	assert_int_equal(plan_todo(&plan, 0), 0);
	machine.nics = NULL;
	machine.nnics = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_c240_job),
		cmocka_unit_test(the_order_of_lists_changes_nothing),
		cmocka_unit_test(the_plan_after_applying_it_is_empty),
		cmocka_unit_test(the_list_is_in_order),
		cmocka_unit_test(an_unmet_requirement_may_refuse),
		cmocka_unit_test(what_failed_is_not_planned_again),
		cmocka_unit_test(xps_follows_where_an_interrupt_could_go),
		cmocka_unit_test(a_failure_is_of_one_queue),
		cmocka_unit_test(only_the_devices_that_are_named),
		cmocka_unit_test(a_device_without_section_is_not_spoken_of),
		cmocka_unit_test(nothing_known_is_no_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
