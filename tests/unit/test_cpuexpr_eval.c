/* CPU expressions on small machines made by hand: what comes out, and what is said about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/policy.h>

struct shape {
	struct machine machine;
	struct nic nic;
};

static cpuset *set_of(const char *list)
{
	cpuset *set = NULL;

	assert_int_equal(cpuset_parse_list(list, &set), 0);
	return set;
}

/* A machine of these CPUs, in topology order; nodes are collected from them. */
static struct shape *shape_new(const struct cpu *cpus, size_t n)
{
	struct shape *shape = alloc_zero(1, sizeof *shape);
	struct topology *topology = &shape->machine.topology;

	topology->cpus = alloc_zero(n, sizeof *cpus);
	memcpy(topology->cpus, cpus, n * sizeof *cpus);
	topology->ncpus = n;
	topology->online = cpuset_new();
	topology->isolated = cpuset_new();
	for (size_t i = 0; i < n; i++) {
		struct node *node;

		cpuset_add(topology->online, cpus[i].id);
		if (cpus[i].node < 0)
			continue;
		node = (struct node *)topology_node(topology, cpus[i].node);
		if (!node) {
			topology->nodes = alloc_more(topology->nodes, topology->nnodes, sizeof *topology->nodes);
			node = &topology->nodes[topology->nnodes++];
			*node = (struct node){ .id = cpus[i].node, .cpus = cpuset_new() };
		}
		cpuset_add(node->cpus, cpus[i].id);
	}
	shape->nic = (struct nic){ .name = alloc_string("eth0"), .bus = alloc_string("0000:5e:00.0"), .node = -1 };
	return shape;
}

static void shape_free(struct shape *shape)
{
	machine_clear(&shape->machine);
	nic_clear(&shape->nic);
	free(shape);
}

/* Two packages of two cores and two threads, CPUs dealt out in turn: node 0 is 0,2,4,6 and CPU n's sibling n+4. */
static struct shape *interleaved(void)
{
	static const struct cpu cpus[] = {
		{ 0, 0, 0, 0, 0, 0 }, { 2, 0, 0, 0, 1, 0 }, { 1, 1, 1, 1, 2, 0 }, { 3, 1, 1, 1, 3, 0 },
		{ 4, 0, 0, 0, 0, 1 }, { 6, 0, 0, 0, 1, 1 }, { 5, 1, 1, 1, 2, 1 }, { 7, 1, 1, 1, 3, 1 },
	};
	struct shape *shape = shape_new(cpus, COUNT_OF(cpus));

	shape->nic.node = 1;
	shape->nic.local = set_of("1,3,5,7");
	return shape;
}

/* One package, one node, two caches of three cores each; CPU 4 is offline. */
static struct shape *two_caches(void)
{
	static const struct cpu cpus[] = { { 0, 0, 0, 0, 0, 0 },
					   { 1, 0, 0, 0, 1, 0 },
					   { 2, 0, 0, 0, 2, 0 },
					   { 3, 0, 0, 1, 3, 0 },
					   { 5, 0, 0, 1, 5, 0 } };

	return shape_new(cpus, COUNT_OF(cpus));
}

/* A router without NUMA. */
static struct shape *router(void)
{
	static const struct cpu cpus[] = { { 0, -1, 0, 0, 0, 0 }, { 1, -1, 0, 0, 1, 0 } };

	return shape_new(cpus, COUNT_OF(cpus));
}

static void gives(const struct shape *shape, const char *text, const char *list, const char *why)
{
	struct cpuexpr *expr = NULL;
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	CLEANUP(free_string) char *problem = NULL, *got = NULL, *got_why = NULL;
	unsigned column;

	assert_int_equal(cpuexpr_parse(text, &expr, &problem, &column), 0);
	cpuexpr_eval(expr, &shape->machine, &shape->nic, &set, &got_why);
	cpuexpr_free(expr);
	got = cpuset_list(set);
	if (strcmp(got, list) != 0)
		fail_msg("'%s' is '%s', not '%s' (%s)", text, got, list, got_why);
	if (why)
		assert_string_equal(got_why, why);
}

static void on_interleaved_threads(void **state)
{
	struct shape *shape = interleaved();

	(void)state;
	gives(shape, "all", "0-7", "all online CPUs (0-7)");
	gives(shape, "local", "1,3,5,7", "node 1 (1,3,5,7), local to 0000:5e:00.0");
	gives(shape, "remote", "0,2,4,6", "CPUs not local to 0000:5e:00.0 (0,2,4,6)");
	gives(shape, "cores(local)", "1,3", "cores of node 1 (1,3,5,7), local to 0000:5e:00.0");
	gives(shape, "cores(5,7)", "5,7", "cores of CPUs 5,7"); /* of what there is, not of what there might be */
	gives(shape, "cores(1,5,7)", "1,7", NULL);
	gives(shape, "threads(1)", "1,5", "all threads of CPU 1");
	gives(shape, "first(3, local)", "1,3,5", "first 3 of node 1 (1,3,5,7), local to 0000:5e:00.0");
	gives(shape, "last(1, local)", "7", NULL);
	gives(shape, "skip(1, local)", "3,5,7", NULL);
	gives(shape, "skip(0, local)", "1,3,5,7", NULL);
	gives(shape, "skip(9, local)", "", NULL);
	gives(shape, "first(3, all)", "0-2", NULL); /* 0, 2 and 1: both cores of node 0 come first */
	gives(shape, "first(9, 0-1)", "0-1", "first 9 of CPUs 0-1; there are only 2");
	gives(shape, "node:0", "0,2,4,6", "node 0 (0,2,4,6)");
	gives(shape, "package:1 & 0-3", "1,3", "package 1 (1,3,5,7) within CPUs 0-3");
	gives(shape, "node:7", "", "node 7 (no CPU); node 7 has no CPU online here");
	gives(shape, "llc:1 + 0", "0-1,3,5,7", "llc 1 (1,3,5,7) and CPU 0");
	gives(shape, "all - local - 0", "2,4,6", NULL);
	gives(shape, "all - (local - 1)", "0-2,4,6", NULL);
	gives(shape, "mask:f0", "4-7", "CPUs 4-7");
	gives(shape, "none", "", "no CPU");
	gives(shape, "0-7:1/2", "0,2,4,6", NULL);
	gives(shape, "4-N", "4-7", NULL);
	gives(shape, "N", "7", "CPU 7");
	shape_free(shape);
}

static void lacking_what_it_can_have(void **state)
{
	struct shape *shape = interleaved();
	struct nic *nic = &shape->nic;

	(void)state;
	gives(shape, "lacking(local)", "", "no CPU that lacks a queue"); /* how many it has is not known */
	nic->queues = alloc_zero(1, sizeof *nic->queues);
	nic->queues[nic->nqueues++] = (struct queue){ .type = QUEUE_RX };
	gives(shape, "lacking(1,3)", "1,3", "CPUs 1,3 (eth0 has at most 1 receive queue)");
	gives(shape, "lacking(1)", "", NULL);
	nic->channels.max[CHANNEL_COMBINED] = SOME_U32(2);
	nic->channels.count[CHANNEL_COMBINED] = SOME_U32(1);
	gives(shape, "lacking(1,3)", "", NULL); /* it has one, and could have two */
	gives(shape, "lacking(local) - 1", "3,5,7", NULL);
	shape_free(shape);
}

static void spread_goes_far(void **state)
{
	struct shape *shape = interleaved();

	(void)state;
	gives(shape, "spread(1, all)", "0", NULL);
	gives(shape, "spread(2, all)", "0-1", NULL); /* one a package */
	gives(shape, "spread(3, all)", "0-2", NULL);
	gives(shape, "spread(4, all)", "0-3", NULL); /* each core before any sibling */
	gives(shape, "spread(5, all)", "0-4", NULL);
	gives(shape, "spread(9, all)", "0-7", NULL);
	gives(shape, "spread(2, local)", "1,3", "most distant 2 of node 1 (1,3,5,7), local to 0000:5e:00.0");
	shape_free(shape);
	shape = two_caches();
	gives(shape, "spread(2, all)", "0,3", NULL); /* one a cache */
	gives(shape, "spread(3, all)", "0-1,3", NULL);
	gives(shape, "spread(2, 1-2)", "1-2", NULL);
	shape_free(shape);
}

static void offline_is_left_out(void **state)
{
	struct shape *shape = two_caches();

	(void)state;
	gives(shape, "3-5", "3,5", "CPUs 3,5; CPU 4 is not online");
	gives(shape, "4", "", "no CPU; CPU 4 is not online");
	gives(shape, "0,6-9", "0", "CPU 0; CPUs 6-9 are not online");
	gives(shape, "mask:30", "5", "CPU 5; CPU 4 is not online");
	gives(shape, "llc:1", "3,5", "llc 1 (3,5)");
	gives(shape, "3-N", "3,5", NULL);
	gives(shape, "9-N", "", NULL); /* a machine that is smaller */
	shape_free(shape);
}

static void locality_may_be_unknown(void **state)
{
	struct shape *shape = interleaved();

	(void)state;
	shape->nic.node = -1;
	gives(shape, "local", "1,3,5,7", "CPUs (1,3,5,7), local to 0000:5e:00.0"); /* known all the same */
	cpuset_freep(&shape->nic.local);
	gives(shape, "local", "0-7", "all online CPUs (0-7); node unknown: all CPUs count as local");
	gives(shape, "remote", "", NULL);
	shape->nic.local = set_of("0-7"); /* the kernel's word when it does not know */
	gives(shape, "cores(local)", "0-3", "cores of all online CPUs (0-7); node unknown: all CPUs count as local");
	cpuset_freep(&shape->nic.local);
	gives(shape, "local", "0-7", NULL);
	shape->nic.node = 0; /* no local_cpulist, but a node */
	gives(shape, "local", "0,2,4,6", "node 0 (0,2,4,6), local to 0000:5e:00.0");
	shape->nic.local = set_of("16-23"); /* near CPUs that are all offline */
	gives(shape, "local & 0-3", "0-3",
	      "all online CPUs (0-7) within CPUs 0-3; "
	      "no CPU near 0000:5e:00.0 is online: all CPUs count as local");
	gives(shape, "remote", "", NULL);
	shape_free(shape);
	shape = router();
	gives(shape, "local", "0-1", "all online CPUs (0-1)"); /* without NUMA there is nothing to wonder about */
	gives(shape, "all - 0", "1", "all online CPUs (0-1) without CPU 0");
	gives(shape, "cores(local & housekeeping)", "0-1", NULL);
	shape_free(shape);
}

static void isolation(void **state)
{
	struct shape *shape = interleaved();

	(void)state;
	cpuset_freep(&shape->machine.topology.isolated);
	shape->machine.topology.isolated = set_of("3,7,9");
	gives(shape, "isolated", "3,7", "isolated CPUs (3,7)");
	gives(shape, "housekeeping", "0-2,4-6", "housekeeping CPUs (0-2,4-6)");
	gives(shape, "cores(local & housekeeping)", "1", NULL);
	gives(shape, "all-isolated", "0-2,4-6", NULL);
	cpuset_freep(&shape->machine.topology.isolated); /* not known */
	gives(shape, "isolated", "", NULL);
	gives(shape, "housekeeping", "0-7", NULL);
	shape_free(shape);
}

static void interrupts_of_queues(void **state)
{
	struct shape *shape = interleaved();

	(void)state;
	gives(shape, "irq-cpus", "0-7",
	      "CPUs of the queue interrupts of eth0 (0-7); "
	      "the queue interrupts of eth0 are not known: any CPU may serve them");
	shape->nic.irqs = alloc_zero(3, sizeof *shape->nic.irqs);
	shape->nic.nirqs = 3;
	shape->nic.irqs[0] = (struct irq){ .role = IRQ_CONTROL, .affinity = set_of("7") };
	shape->nic.irqs[1] = (struct irq){ .role = IRQ_COMBINED, .affinity = set_of("1") };
	shape->nic.irqs[2] = (struct irq){ .role = IRQ_UNKNOWN, .affinity = set_of("3") };
	gives(shape, "irq-cpus", "1,3", "CPUs of the queue interrupts of eth0 (1,3)");
	gives(shape, "local - irq-cpus", "5,7", NULL);
	cpuset_freep(&shape->nic.irqs[1].affinity);
	gives(shape, "all - irq-cpus", "", NULL);
	shape_free(shape);
}

static void words_of_the_section_and_of_no_device(void **state)
{
	struct shape *shape = interleaved();
	CLEANUP(cpuset_freep) cpuset *own = set_of("1,3"), *set = NULL, *without = NULL;
	CLEANUP(free_string) char *problem = NULL, *why = NULL, *list = NULL, *again = NULL;
	struct cpuexpr *expr;
	unsigned column;

	(void)state;
	assert_int_equal(cpuexpr_parse("cpus - 1 + local + irq-cpus", &expr, &problem, &column), 0);
	cpuexpr_eval_within(expr, &shape->machine, NULL, own, &set, &why);
	list = cpuset_list(set);
	assert_string_equal(list, "3");
	assert_string_equal(why, "the section's CPUs (1,3) without CPU 1 and CPUs local to no device and CPUs of no "
				 "device's interrupts");
	cpuexpr_eval(expr, &shape->machine, NULL, &without, NULL);
	again = cpuset_list(without);
	assert_string_equal(again, "");
	cpuexpr_free(expr);
	shape_free(shape);
}

static void nothing_is_online(void **state)
{
	static const char *const texts[] = { "all",          "local",        "N",
					     "0-N",          "node:0",       "cores(all)",
					     "remote",       "irq-cpus",     "spread(2, all)",
					     "housekeeping", "first(1, 0-3)" };
	struct shape shape = { .nic = { .name = (char *)"eth0", .node = -1 } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		gives(&shape, texts[i], "", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_interleaved_threads),  cmocka_unit_test(lacking_what_it_can_have),
		cmocka_unit_test(spread_goes_far),         cmocka_unit_test(offline_is_left_out),
		cmocka_unit_test(locality_may_be_unknown), cmocka_unit_test(isolation),
		cmocka_unit_test(interrupts_of_queues),    cmocka_unit_test(words_of_the_section_and_of_no_device),
		cmocka_unit_test(nothing_is_online),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
