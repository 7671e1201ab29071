/* What names of interrupts say: the table of rules, and the truths that are published with names alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>

#include "observe/irq_names.h"

#define NONE (-1)

struct row {
	const char *action;
	int index; /* MSI-X index, NONE: not known */
	enum irq_role role;
	int rx, tx;
};

struct subject {
	const char *driver, *name, *bus;
	unsigned rx, tx;    /* queues that exist; 0: not known */
	const char *kernel; /* release; NULL: not known */
	bool listed;        /* the rows are known to be the device's */
};

static struct opt_u32 option(int value)
{
	return value < 0 ? (struct opt_u32){ 0 } : SOME_U32((uint32_t)value);
}

static void add_queues(struct nic *nic, enum queue_type type, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		nic->queues = alloc_more(nic->queues, nic->nqueues, sizeof *nic->queues);
		nic->queues[nic->nqueues++] = (struct queue){ .type = type, .index = i };
	}
}

static void match_rows(const struct subject *subject, const struct row *rows, struct vectors *vectors)
{
	const struct irq_identity identity = { .nic = subject->name,
					       .buses = { subject->bus },
					       .any_nic = subject->listed,
					       .template = true,
					       .nameless = true };
	const struct irq_rule **rules;
	size_t n = irq_rules_of(subject->driver, &rules);

	for (size_t i = 0; i < vectors->n; i++) {
		vectors->items[i] = (struct vector){ .irq = 100 + (unsigned)i,
						     .action = rows[i].action,
						     .index = option(rows[i].index),
						     .line = option(rows[i].index),
						     .fired = true,
						     .times = 1 };
		vectors->items[i].match = irq_match(rules, n, &identity, rows[i].action);
	}
	free(rules);
}

static bool is_option(struct opt_u32 found, int expected)
{
	return found.set == (expected >= 0) && (!found.set || found.value == (uint32_t)expected);
}

static void check(const struct subject *subject, const struct row *rows, size_t n)
{
	CLEANUP(nic_clear)
	struct nic nic = { .name = alloc_string(subject->name), .driver = alloc_string(subject->driver), .node = -1 };
	struct vectors vectors = { .nic = &nic, .kernel = subject->kernel, .n = n };

	add_queues(&nic, QUEUE_RX, subject->rx);
	add_queues(&nic, QUEUE_TX, subject->tx);
	vectors.items = alloc_zero(n, sizeof *vectors.items);
	match_rows(subject, rows, &vectors);
	for (size_t i = 0; i < n; i++) {
		struct irq irq = { 0 };

		irq_judge(&vectors, i, &irq);
		if (irq.role != rows[i].role || !is_option(irq.rx, rows[i].rx) || !is_option(irq.tx, rows[i].tx))
			fail_msg("%s %s: %s rx %d tx %d by \"%s\"", subject->driver, rows[i].action,
				 irq_role_name(irq.role), irq.rx.set ? (int)irq.rx.value : NONE,
				 irq.tx.set ? (int)irq.tx.value : NONE, irq.rule ? irq.rule : "no rule");
	}
	free(vectors.items);
}

#define CHECK(of, ...)                                                                                                 \
	do {                                                                                                           \
		static const struct row rows_[] = { __VA_ARGS__ };                                                     \
		check(of, rows_, COUNT_OF(rows_));                                                                     \
	} while (0)

/* clang-format off */
#define S(of, named, at) &(const struct subject){ .driver = of, .name = named, .bus = at }
#define SX(of, named, at, ...) &(const struct subject){ .driver = of, .name = named, .bus = at, __VA_ARGS__ }
#define BOTH(action, queue) { action, NONE, IRQ_COMBINED, queue, queue }
#define RX(action, queue) { action, NONE, IRQ_RX, queue, NONE }
#define TX(action, queue) { action, NONE, IRQ_TX, NONE, queue }
#define CONTROL(action) { action, NONE, IRQ_CONTROL, NONE, NONE }
#define UNKNOWN(action) { action, NONE, IRQ_UNKNOWN, NONE, NONE }
/* clang-format on */

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* A text that fits a format: each place filled with something. */
static char *instance(const char *format)
{
	static const struct {
		const char *place, *text;
	} places[] = { { "<nic>", "eth0" }, { "<bus>", "0000:01:00.0" },
		       { "<dev>", "eth0" }, { "<n>", "5" },
		       { "<m>", "7" },      { "<x>", "zzz" } };
	char *text = alloc_zero(128, 1), *end = text;

	while (*format) {
		size_t i = 0;

		while (i < COUNT_OF(places) && !text_starts(format, places[i].place))
			i++;
		if (i < COUNT_OF(places)) {
			end = stpcpy(end, places[i].text);
			format += strlen(places[i].place);
		} else {
			*end++ = *format++;
		}
	}
	return text;
}

/* No row is hidden by one before it: a text made from its format finds the row. */
static void each_row_is_reached(void **state)
{
	const struct irq_identity identity = {
		.nic = "eth0", .buses = { "0000:01:00.0" }, .template = true, .nameless = true
	};

	(void)state;
	for (size_t i = 0; i < n_irq_rules; i++) {
		const struct irq_rule *rule = &irq_rules[i];
		CLEANUP(free_string) char *action = instance(rule->format), *driver = NULL;
		const struct irq_rule **rules;
		size_t n;

		driver = rule->drivers ? text_format("%.*s", (int)strcspn(rule->drivers, " "), rule->drivers) : NULL;
		n = irq_rules_of(driver, &rules);
		if (irq_match(rules, n, &identity, action).rule != rule)
			fail_msg("\"%s\" of %s is not found as \"%s\"", action, driver ? driver : "any driver",
				 rule->format);
		free(rules);
	}
}

static void rows_are_well_formed(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_irq_rules; i++) {
		const struct irq_rule *rule = &irq_rules[i];

		assert_true(*rule->format);
		if (rule->role == IRQ_CONTROL)
			assert_null(rule->layout);
		if (i && !irq_rules[i - 1].drivers)
			assert_null(rule->drivers); /* the general ones are last */
	}
}

/* ---- Intel ------------------------------------------------------------------------------------------------------- */

static void bare_name_is_control_beside_queues(void **state)
{
	(void)state;
	CHECK(S("igb", "eth0", "0000:01:00.0"), CONTROL("eth0"), BOTH("eth0-TxRx-0", 0), BOTH("eth0-TxRx-1", 1));
	CHECK(S("ixgbe", "eth0", "0000:01:00.0"), BOTH("eth0-TxRx-0", 0), BOTH("eth0-TxRx-10", 10), CONTROL("eth0"));
	CHECK(S("igb", "eth0", "0000:01:00.0"), BOTH("eth0", 0));
	CHECK(SX("igb", "eth0", "0000:01:00.0", .rx = 4, .tx = 4), BOTH("eth0", NONE)); /* one vector for four queues */
	CHECK(S("igb", "enp2s0", "0000:02:00.0"), BOTH("enp2s0-TxRx-0", 0));
}

static void fewer_vectors_than_queues(void **state)
{
	(void)state;
	CHECK(SX("i40e", "eth0", "0000:01:00.0", .rx = 8, .tx = 8), CONTROL("i40e-0000:01:00.0:misc"),
	      BOTH("i40e-eth0-TxRx-0", NONE), BOTH("i40e-eth0-TxRx-1", NONE));
	CHECK(SX("i40e", "eth0", "0000:01:00.0", .rx = 2, .tx = 2), CONTROL("i40e-0000:01:00.0:misc"),
	      BOTH("i40e-eth0-TxRx-0", 0), BOTH("i40e-eth0-TxRx-1", 1), CONTROL("i40e-0000:01:00.0:fdir-TxRx-0"));
}

static void ice_names(void **state)
{
	(void)state;
	CHECK(S("ice", "ens2f1", "0000:c4:00.0"), BOTH("ice-ens2f1-TxRx-0-1", NONE), BOTH("ice-ens2f1-TxRx-2-3", NONE),
	      BOTH("ice-ens2f1-TxRx-4-4", 4), CONTROL("ice-0000:c4:00.0:ctrl-TxRx-0"), CONTROL("ice-0000:c4:00.0:misc"),
	      CONTROL("ice-0000:c4:00.0:ll_ts"));
	CHECK(S("ice", "em3", "0000:01:00.0"), BOTH("ice-em3-TxRx-126", 126));
	CHECK(S("ice", "eno12399np0", "0000:01:00.0"), BOTH("ice-eno12399np0-TxRx-0", 0),
	      BOTH("ice-eno12399np0-TxRx-58", 58), UNKNOWN("ice-eno12409np1-TxRx-0"));
	CHECK(S("iavf", "sriov_4", "0000:01:02.0"), BOTH("iavf-sriov_4-TxRx-0", 0), CONTROL("iavf-0000:01:02.0:mbx"));
}

static void e1000e_with_a_long_name(void **state)
{
	(void)state;
	CHECK(S("e1000e", "enp130s0f0x", "0000:82:00.0"), RX("enp130s0f0x", 0), TX("enp130s0f0x", 0),
	      CONTROL("enp130s0f0x"));
	CHECK(S("e1000e", "eth2", "0000:01:00.0"), RX("eth2-rx-0", 0), TX("eth2-tx-0", 0), CONTROL("eth2"));
	CHECK(S("e1000e", "eth2", "0000:01:00.0"), BOTH("eth2", 0));
}

/* ---- numbers that are no queues ---------------------------------------------------------------------------------- */

static void tg3_vectors(void **state)
{
	(void)state;
	CHECK(S("tg3", "eth0", "0000:03:00.0"), TX("eth0-tx-0", 0), RX("eth0-rx-1", 0), RX("eth0-rx-2", 1),
	      RX("eth0-rx-3", 2), RX("eth0-rx-4", 3));
	CHECK(S("tg3", "eth0", "0000:03:00.0"), CONTROL("eth0-0"), BOTH("eth0-txrx-1", 0), BOTH("eth0-txrx-2", 1),
	      BOTH("eth0-txrx-3", 2), BOTH("eth0-txrx-4", 3));
}

static void tg3_of_old_kernels(void **state)
{
	(void)state;
	CHECK(S("tg3", "eth0", "0000:03:00.0"), UNKNOWN("eth0-0"), UNKNOWN("eth0-1"), UNKNOWN("eth0-2"));
}

static void tg3_names_cut_at_fifteen(void **state)
{
	(void)state;
	CHECK(SX("tg3", "enp130s0f0", "0000:82:00.0", .rx = 2, .tx = 2), { "enp130s0f0-0", 0, IRQ_CONTROL, NONE, NONE },
	      { "enp130s0f0-txrx", 1, IRQ_COMBINED, 0, 0 }, { "enp130s0f0-txrx", 2, IRQ_COMBINED, 1, 1 });
	CHECK(SX("tg3", "enp130s0f0np", "0000:82:00.0", .rx = 2, .tx = 1), { "enp130s0f0np-tx", 0, IRQ_TX, NONE, 0 },
	      { "enp130s0f0np-rx", 1, IRQ_RX, 0, NONE }, { "enp130s0f0np-rx", 2, IRQ_RX, 1, NONE });
	CHECK(SX("tg3", "enp130s0f0", "0000:82:00.0", .rx = 2, .tx = 2),
	      UNKNOWN("enp130s0f0-txrx")); /* no index, no queue */
}

static void bnxt_counts_rx_first(void **state)
{
	(void)state;
	CHECK(S("bnxt_en", "eth0", "0000:03:00.0"), RX("eth0-rx-0", 0), RX("eth0-rx-1", 1), TX("eth0-tx-2", 0),
	      TX("eth0-tx-3", 1), CONTROL("bnxt_re-nq-0@pci:0000:03:00.0"));
	CHECK(S("bnxt_en", "eth0", "0000:03:00.0"), BOTH("eth0-TxRx-0", 0), BOTH("eth0-TxRx-1", 1));
}

static void gve_halves(void **state)
{
	(void)state;
	CHECK(S("gve", "eth0", "0000:00:04.0"), TX("gve-ntfy-blk0@pci:0000:00:04.0", 0),
	      TX("gve-ntfy-blk1@pci:0000:00:04.0", 1), RX("gve-ntfy-blk2@pci:0000:00:04.0", 0),
	      RX("gve-ntfy-blk3@pci:0000:00:04.0", 1), CONTROL("gve-mgmnt@pci:0000:00:04.0"));
	CHECK(S("gve", "ens4", "0000:00:04.0"), TX("eth%d-ntfy-block.0", 0), RX("eth%d-ntfy-block.1", 0),
	      CONTROL("eth%d-mgmnt"));
	CHECK(S("gve", "eth0", "0000:00:04.0"),
	      UNKNOWN("gve-ntfy-blk0@pci:0000:00:04.0")); /* not all blocks are seen */
}

static void vmxnet3_counts_tx_first(void **state)
{
	(void)state;
	CHECK(S("vmxnet3", "eth0", "0000:0b:00.0"), TX("eth0-tx-0", 0), TX("eth0-tx-1", 1), RX("eth0-rx-2", 0),
	      RX("eth0-rx-3", 1), CONTROL("eth0-event-4"));
	CHECK(S("vmxnet3", "direct", "0000:0b:00.0"), BOTH("direct-rxtx-0", 0), CONTROL("direct-event-8"));
}

static void hns3_steps_by_two(void **state)
{
	(void)state;
	CHECK(S("hns3", "eth0", "0000:7d:00.0"), CONTROL("hclge-misc-0000:7d:00.0"),
	      BOTH("hns3-0000:7d:00.0-TxRx-0", 0), BOTH("hns3-0000:7d:00.0-TxRx-2", 1),
	      BOTH("hns3-0000:7d:00.0-TxRx-4", 2));
	CHECK(S("hns3", "eth1", "0000:7d:00.1"), BOTH("hns3-0000:7d:00.1-TxRx-0", 0));
	CHECK(SX("hns3", "eth0", "0000:7d:00.0", .rx = 16, .tx = 16), BOTH("hns3-0000:7d:00.0-TxRx-0", NONE),
	      BOTH("hns3-0000:7d:00.0-TxRx-2", NONE));
}

static void mlx5_numbers(void **state)
{
	(void)state;
	CHECK(S("mlx5_core", "eth2", "0000:01:00.0"), BOTH("mlx5_comp0@pci:0000:01:00.0", 0),
	      BOTH("mlx5_comp1@pci:0000:01:00.0", 1), CONTROL("mlx5_async63@pci:0000:01:00.0"),
	      CONTROL("mlx5_pages_eq@pci:0000:01:00.0"));
	CHECK(S("mlx5_core", "eth2", "0000:81:00.0"), BOTH("mlx5_comp10@pci:0000:81:00.0", 10),
	      BOTH("mlx5_comp26@pci:0000:81:00.0", 26)); /* not all of them are seen */
	/* kernels that name a vector by its index: the first one is 1 */
	CHECK(S("mlx5_core", "eth2", "0000:08:00.0"), { "mlx5_async0@pci:0000:08:00.0", 0, IRQ_CONTROL, NONE, NONE },
	      { "mlx5_comp1@pci:0000:08:00.0", 1, IRQ_COMBINED, 0, 0 },
	      { "mlx5_comp2@pci:0000:08:00.0", 2, IRQ_COMBINED, 1, 1 });
	CHECK(S("mlx5_core", "eth2", "0000:08:00.0"), { "mlx5_async0@pci:0000:08:00.0", NONE, IRQ_CONTROL, NONE, NONE },
	      { "mlx5_comp1@pci:0000:08:00.0", NONE, IRQ_COMBINED, NONE, NONE });
}

static void mlx4_event_queues_are_no_rings(void **state)
{
	(void)state;
	CHECK(S("mlx4_core", "eth0", "0001:00:02.0"), CONTROL("mlx4-async@pci:0001:00:02.0"),
	      BOTH("mlx4-1@0001:00:02.0", NONE), BOTH("mlx4-2@0001:00:02.0", NONE));
	CHECK(S("mlx4_en", "eth6", "0000:04:00.0"), CONTROL("mlx4-comp-0@pci:0000:04:00.0"), BOTH("eth6-0", 0));
}

static void r8125_messages(void **state)
{
	(void)state;
	CHECK(S("r8125", "eth0", "0000:01:00.0"), RX("eth0-0", 0), RX("eth0-3", 3), UNKNOWN("eth0-4"), TX("eth0-16", 0),
	      TX("eth0-18", 1), CONTROL("eth0-21"));
	CHECK(S("r8125", "eth0", "0000:01:00.0"), TX("eth0-16", 0), TX("eth0-17", 1));
	CHECK(S("r8125", "eth0", "0000:01:00.0"), TX("eth0-16", 0), UNKNOWN("eth0-17"), UNKNOWN("eth0-18"));
}

static void numbers_that_begin_elsewhere(void **state)
{
	(void)state;
	CHECK(S("ngbe", "eth0", "0000:01:00.0"), BOTH("eth0-TxRx-1", 0), BOTH("eth0-TxRx-2", 1), CONTROL("eth0"));
	CHECK(S("cxgb3", "eth1", "0000:01:00.0"), RX("eth1-8", 0), RX("eth1-9", 1));
	CHECK(S("qede", "eth0", "0000:01:00.0"), BOTH("eth0-fp-0", 0), BOTH("eth0-fp-1", 1), CONTROL("sp-0-01:00.00"));
	CHECK(S("ionic", "eth0", "0000:01:00.0"), CONTROL("ionic-0000:01:00.0-L0-admin"), BOTH("ionic-eth0-L0-rx0", 0));
	CHECK(S("ionic", "eth0", "0000:01:00.0"), RX("ionic-eth0-L0-rx0", 0), TX("ionic-eth0-L0-tx0", 0));
	CHECK(S("netxen_nic", "eth0", "0000:01:00.0"), BOTH("eth0[0]", 0), RX("eth0[1]", 1));
}

static void two_numbers(void **state)
{
	static const struct row rows[] = { { "eth0-rx-2", NONE, IRQ_RX, 2, NONE },
					   { "eth0-tx-0-rx-3", NONE, IRQ_COMBINED, 3, 0 } };

	(void)state;
	check(S("qlcnic", "eth0", "0000:05:00.0"), rows, COUNT_OF(rows));
	CHECK(S("cxgb4", "enp5s0f4d1", "0000:05:00.4"), RX("enp5s0f4d1 (queue 12)", 12), CONTROL("0000:05:00.4"),
	      CONTROL("0000:05:00.4-FWeventq"));
}

/* ---- names without a number ---------------------------------------------------------------------------------------
 */

static void control_that_ends_in_a_number(void **state)
{
	(void)state;
	CHECK(S("nicvf", "enp5s0f1", "0000:05:00.1"), BOTH("enp5s0f1-rxtx-0", 0), CONTROL("enp5s0f1-rbdr-0"),
	      CONTROL("enp5s0f1-qset-err-0"), CONTROL("NICVF Mbox"));
	CHECK(S("octeon_ep", "eth0", "0000:05:00.1"), BOTH("eth0-q3", 3), CONTROL("eth0-epf_oei_rint"));
}

static void rows_of_one_name(void **state)
{
	(void)state;
	CHECK(S("fec", "eth0", "30be0000.ethernet"), { "30be0000.ethernet", 150, IRQ_COMBINED, 1, 1 },
	      { "30be0000.ethernet", 151, IRQ_COMBINED, 2, 2 }, { "30be0000.ethernet", 152, IRQ_COMBINED, 0, 0 },
	      { "30be0000.ethernet", 153, IRQ_CONTROL, NONE, NONE });
	CHECK(S("fec", "eth0", "30be0000.ethernet"), UNKNOWN("30be0000.ethernet"), UNKNOWN("30be0000.ethernet"),
	      UNKNOWN("30be0000.ethernet"));
	CHECK(S("mvpp2", "eth0", "f2000000.ethernet"), UNKNOWN("eth0"), UNKNOWN("eth0"), UNKNOWN("eth0"));
	CHECK(SX("atlantic", "eth0", "0000:01:00.0", .rx = 4, .tx = 4), BOTH("eth0", 0), BOTH("eth0", 1),
	      BOTH("eth0", 2), BOTH("eth0", 3), CONTROL("eth0"));
	CHECK(S("atlantic", "eth0", "0000:01:00.0"), UNKNOWN("eth0"), UNKNOWN("eth0"), UNKNOWN("eth0"),
	      UNKNOWN("eth0"));
	CHECK(SX("xilinx_axienet", "eth0", "40c00000.ethernet", .rx = 1, .tx = 1), TX("eth0", 0), RX("eth0", 0),
	      CONTROL("eth0"));
}

/* The change of genet's lines came to long-term kernels in mid-series: there it is not known. */
static void genet_by_kernel(void **state)
{
	(void)state;
	CHECK(SX("bcmgenet", "eth0", "fd580000.ethernet", .kernel = "5.15.80"), BOTH("eth0", 0), TX("eth0", NONE));
	CHECK(SX("bcmgenet", "eth0", "fd580000.ethernet", .kernel = "6.12.117"), UNKNOWN("eth0"), UNKNOWN("eth0"));
	CHECK(SX("bcmgenet", "eth0", "fd580000.ethernet", .kernel = "6.16.0"), CONTROL("eth0"), BOTH("eth0", NONE));
}

static void names_of_devices(void **state)
{
	(void)state;
	CHECK(S("ibmvnic", "eth0", "30000003"), TX("ibmvnic-30000003-tx0", 0), TX("ibmvnic-30000003-tx1", 1),
	      RX("ibmvnic-30000003-rx0", 0), RX("ibmvnic-30000003-rx1", 1), CONTROL("ibmvnic-30000003"));
	CHECK(S("virtio_net", "eth0", "virtio1"), CONTROL("virtio1-config"), RX("virtio1-input.0", 0),
	      TX("virtio1-output.0", 0), UNKNOWN("virtio10-input.0"));
	CHECK(S("am65-cpsw-nuss", "eth0", "8000000.ethernet"), TX("8000000.ethernet-tx7", 7),
	      RX("8000000.ethernet-rx0", 0), CONTROL("8000000.ethernet"));
	CHECK(S("mana", "eth0", "7870:00:00.0"), CONTROL("mana_hwc@pci:7870:00:00.0"),
	      BOTH("mana_q0@pci:7870:00:00.0", 0));
	CHECK(S("ravb", "eth0", "e6800000.ethernet"), CONTROL("e6800000.ethernet:ch22:multi"),
	      RX("e6800000.ethernet:ch1:rx_nc", 1), TX("eth0:ch18:tx_be", 0));
}

/* ---- netdev names -------------------------------------------------------------------------------------------------
 */

static void names_are_compared_whole(void **state)
{
	(void)state;
	CHECK(S("igb", "eth1", "0000:01:00.0"), UNKNOWN("eth10-TxRx-0"), UNKNOWN("eth10"), BOTH("eth1-TxRx-10", 10),
	      UNKNOWN("xeth1-TxRx-0"));
	CHECK(S("igb", "enp1s0-1", "0000:01:00.0"), BOTH("enp1s0-1-TxRx-0", 0), UNKNOWN("enp1s0-TxRx-0"));
	CHECK(S("i40e", "eth1", "0000:01:00.0"), BOTH("i40e-eth1-TxRx-0", 0), UNKNOWN("i40e-eth10-TxRx-0"));
}

/* The device's own vectors keep the name they were requested under. */
static void an_earlier_name(void **state)
{
	(void)state;
	CHECK(SX("igb", "lan0", "0000:01:00.0", .listed = true), CONTROL("eth0"), BOTH("eth0-TxRx-0", 0),
	      BOTH("eth0-TxRx-1", 1));
	CHECK(SX("tg3", "lan0", "0000:01:00.0", .listed = true), TX("eth0-tx-0", 0), RX("eth0-rx-1", 0));
}

/* ---- drivers that the table does not have --------------------------------------------------------------------------
 */

static void unknown_driver(void **state)
{
	(void)state;
	CHECK(S(NULL, "eth0", NULL), BOTH("eth0", NONE));
	CHECK(SX("newnic", "eth0", NULL, .rx = 1, .tx = 1), BOTH("eth0", 0));
	CHECK(SX("newnic", "eth0", NULL, .rx = 2, .tx = 2), CONTROL("eth0"), BOTH("eth0-TxRx-0", 0),
	      BOTH("eth0-TxRx-1", 1));
	CHECK(S("newnic", "eth0", NULL), UNKNOWN("eth0-TxRx-0"), UNKNOWN("eth0-TxRx-2"));                 /* a gap */
	CHECK(S("newnic", "eth0", NULL), TX("eth0-tx-0", 0), UNKNOWN("eth0-rx-1"), UNKNOWN("eth0-rx-2")); /* as tg3 */
	CHECK(SX("newnic", "eth0", NULL, .rx = 4, .tx = 4), UNKNOWN("eth0-TxRx-0"),
	      UNKNOWN("eth0-TxRx-1")); /* fewer than queues */
	CHECK(S("newnic", "eth0", NULL), UNKNOWN("eth0-fdir-TxRx-0"), UNKNOWN("eth0-0"));
	CHECK(S("mlx5_core", "eth0", "0000:00:04.0"), UNKNOWN("gve-ntfy-blk0@pci:0000:00:04.0")); /* another's layout */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_is_reached),
		cmocka_unit_test(rows_are_well_formed),
		cmocka_unit_test(bare_name_is_control_beside_queues),
		cmocka_unit_test(fewer_vectors_than_queues),
		cmocka_unit_test(ice_names),
		cmocka_unit_test(e1000e_with_a_long_name),
		cmocka_unit_test(tg3_vectors),
		cmocka_unit_test(tg3_of_old_kernels),
		cmocka_unit_test(tg3_names_cut_at_fifteen),
		cmocka_unit_test(bnxt_counts_rx_first),
		cmocka_unit_test(gve_halves),
		cmocka_unit_test(vmxnet3_counts_tx_first),
		cmocka_unit_test(hns3_steps_by_two),
		cmocka_unit_test(mlx5_numbers),
		cmocka_unit_test(mlx4_event_queues_are_no_rings),
		cmocka_unit_test(r8125_messages),
		cmocka_unit_test(numbers_that_begin_elsewhere),
		cmocka_unit_test(two_numbers),
		cmocka_unit_test(control_that_ends_in_a_number),
		cmocka_unit_test(rows_of_one_name),
		cmocka_unit_test(genet_by_kernel),
		cmocka_unit_test(names_of_devices),
		cmocka_unit_test(names_are_compared_whole),
		cmocka_unit_test(an_earlier_name),
		cmocka_unit_test(unknown_driver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
