/* The machine model: every enum has a word for each value and the word leads back; clearing leaves nothing. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/machine.h>

static void kinds_have_words(void **state)
{
	(void)state;
	for (enum nic_kind kind = 0; kind < NIC_KINDS; kind++) {
		enum nic_kind back;

		assert_non_null(nic_kind_name(kind));
		assert_int_equal(nic_kind_parse(nic_kind_name(kind), &back), 0);
		assert_int_equal(back, kind);
	}
	for (enum irq_role role = 0; role < IRQ_ROLES; role++)
		assert_non_null(irq_role_name(role));
	for (enum channel_kind kind = 0; kind < CHANNEL_KINDS; kind++)
		assert_non_null(channel_kind_name(kind));
}

static void order_is_the_topology_s(void **state)
{
	struct cpu cpus[] = { { .id = 2 }, { .id = 0 }, { .id = 3 }, { .id = 1 } };
	struct topology topology = { .cpus = cpus, .ncpus = 4 };
	CLEANUP(cpuset_freep) cpuset *set = cpuset_one(3);
	unsigned *ids;

	(void)state;
	cpuset_add(set, 0);
	cpuset_add(set, 7); /* not online: not in the order */
	assert_int_equal(topology_order(&topology, set, &ids), 2);
	assert_int_equal(ids[0], 0);
	assert_int_equal(ids[1], 3);
	assert_null(topology_cpu(&topology, 7));
	assert_int_equal(topology_cpu(&topology, 3)->id, 3);
	free(ids);
}

static void interrupts_are_found_by_queue(void **state)
{
	struct irq irqs[] = {
		{ .number = 40, .role = IRQ_CONTROL },
		{ .number = 41, .role = IRQ_COMBINED, .rx = SOME_U32(0), .tx = SOME_U32(0) },
		{ .number = 42, .role = IRQ_RX, .rx = SOME_U32(1) },
		{ .number = 43, .role = IRQ_TX, .tx = SOME_U32(1) },
	};
	struct nic nic = { .irqs = irqs, .nirqs = 4 };

	(void)state;
	assert_int_equal(nic_irq_of(&nic, QUEUE_RX, 0)->number, 41);
	assert_int_equal(nic_irq_of(&nic, QUEUE_TX, 0)->number, 41);
	assert_int_equal(nic_irq_of(&nic, QUEUE_RX, 1)->number, 42);
	assert_int_equal(nic_irq_of(&nic, QUEUE_TX, 1)->number, 43);
	assert_null(nic_irq_of(&nic, QUEUE_RX, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_have_words),
		cmocka_unit_test(order_is_the_topology_s),
		cmocka_unit_test(interrupts_are_found_by_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
