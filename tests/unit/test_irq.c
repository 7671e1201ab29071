/* Which interrupts are a NIC's, and what they serve: the parser of /proc/interrupts, and small machines that show each
 * way to get it wrong. */
#include "observe/proc_interrupts.h"
#include "tree.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_make, tree_unmake)

#define SLOT(n) "pci0000:00/0000:00:0" #n ".0"

/* "36 combined 0/0, 37 control": number, role, queues of each interrupt; "!" fixed, "+" shared, "~" not requested. */
static void assert_irqs(struct tree *tree, const char *name, const char *expected)
{
	CLEANUP(strings_clear) struct strings words = { 0 };
	CLEANUP(free_string) char *text = NULL;
	const struct nic *nic = nic_of(tree, name);

	for (size_t i = 0; i < nic->nirqs; i++) {
		const struct irq *irq = &nic->irqs[i];
		CLEANUP(free_string) char *rx = irq->rx.set ? text_format("%u", irq->rx.value) : alloc_string("-");
		CLEANUP(free_string) char *tx = irq->tx.set ? text_format("%u", irq->tx.value) : alloc_string("-");
		bool queue = irq->rx.set || irq->tx.set;

		strings_take(&words,
			     text_format("%u%s%s%s %s%s%s%s%s", irq->number, irq->fixed ? "!" : "",
					 irq->shared ? "+" : "", irq->requested ? "" : "~", irq_role_name(irq->role),
					 queue ? " " : "", queue ? rx : "", queue ? "/" : "", queue ? tx : ""));
	}
	text = strings_join(&words, ", ");
	assert_string_equal(text, expected);
}

static void list(struct tree *tree, const char *device, unsigned first, unsigned last)
{
	for (unsigned irq = first; irq <= last; irq++) {
		CLEANUP(free_string) char *file = text_format("sys/devices/%s/msi_irqs/%u", device, irq);

		put(tree, file, "msix");
	}
}

static void pci_nic(struct tree *tree, const char *name, const char *device, const char *driver)
{
	put_device(tree, device, "pci", driver);
	put_nic(tree, name, device, 2);
}

/* ---- the parser
 * ------------------------------------------------------------------------------------------------------ */

static const char rows_of_all_kinds[] =
	"           CPU0       CPU2\n"
	"  0:        140          0   IO-APIC   2-edge      timer\n"
	" 35:          2          0  IR-PCI-MSI-edge      eth0\n"
	" 36:          0          0  IR-PCI-MSIX-0000:01:00.0    3-edge      eth0-TxRx-2\n"
	" 43:          1          0   ITS-MSI 16384 Edge      PCIe PME, aerdrv, pciehp\n"
	" 44:          0          0  Hyper-V PCIe MSI 2701534461953-edge      mlx5_comp0@pci:4ea0:00:02.0\n"
	" 45:          0          0     GICv3 142 Level     mmci-pl18x (cmd)\n"
	" 46:          0          0  MSI-INTA 1970707 Level     8000000.ethernet-tx0\n"
	" 47:          9          1  PCI-MSIX-0000:27:00.0   2-edge\n"
	" 48:          7          1  xen-dyn-event     vif0-q0-tx\n"
	" 49:          7          1  GICv2 93 Level eth%d:ch22:multi\n"
	" 50:          7          1  GIC  40  eth7\n"
	" 51:          7\n"
	"NMI:      13601      15930   Non-maskable interrupts\n"
	"IPI0:     13601      15930   Rescheduling interrupts\n"
	"ERR:          0\n"
	"MIS:          0\n";

static void actions_of(const struct interrupts *rows, unsigned irq, const char *expected)
{
	const struct interrupt *row = interrupts_find(rows, irq);
	CLEANUP(free_string) char *text = NULL;

	assert_non_null(row);
	text = strings_join(&row->actions, "|");
	assert_string_equal(text, expected);
}

static void rows(void **state)
{
	CLEANUP(interrupts_clear) struct interrupts rows = { 0 };

	(void)state;
	interrupts_parse(rows_of_all_kinds, &rows);
	assert_int_equal(rows.n, 12);
	actions_of(&rows, 0, "timer");
	actions_of(&rows, 35, "eth0");
	actions_of(&rows, 36, "eth0-TxRx-2");
	actions_of(&rows, 43, "PCIe PME|aerdrv|pciehp");
	actions_of(&rows, 44, "mlx5_comp0@pci:4ea0:00:02.0");
	actions_of(&rows, 45, "mmci-pl18x (cmd)");
	actions_of(&rows, 46, "8000000.ethernet-tx0");
	actions_of(&rows, 47, "");
	actions_of(&rows, 48, "vif0-q0-tx");
	actions_of(&rows, 49, "eth%d:ch22:multi");
	actions_of(&rows, 50, "eth7");
	actions_of(&rows, 51, "");
	assert_true(interrupts_find(&rows, 35)->fired);
	assert_false(interrupts_find(&rows, 36)->fired);
	assert_null(interrupts_find(&rows, 1));
}

static void functions(void **state)
{
	CLEANUP(interrupts_clear) struct interrupts rows = { 0 };

	(void)state;
	interrupts_parse(rows_of_all_kinds, &rows);
	assert_true(interrupt_is_of(interrupts_find(&rows, 36), "0000:01:00.0"));
	assert_false(interrupt_is_of(interrupts_find(&rows, 36), "0000:01:00.1"));
	assert_int_equal(interrupt_vector(interrupts_find(&rows, 36)).value, 3);
	assert_true(interrupt_is_of(interrupts_find(&rows, 44), "4ea0:00:02.0"));
	assert_int_equal(interrupt_vector(interrupts_find(&rows, 44)).value, 1);
	assert_true(interrupt_is_of(interrupts_find(&rows, 43), "0000:00:01.0"));
	assert_false(interrupt_has_function(interrupts_find(&rows, 46))); /* that number is none of PCI's */
	assert_false(interrupt_has_function(interrupts_find(&rows, 35)));
	assert_false(interrupt_vector(interrupts_find(&rows, 35)).set);
	assert_int_equal(interrupts_find(&rows, 45)->line.value, 142);
}

/* Some kernels cut the number to 32 bits; the domain is lost with it. */
static void a_number_that_is_cut(void **state)
{
	CLEANUP(interrupts_clear) struct interrupts rows = { 0 };

	(void)state;
	interrupts_parse(" 33: 0 0  Hyper-V PCIe MSI 65538-edge      x\n", &rows);
	assert_true(interrupt_is_of(interrupts_find(&rows, 33), "0020:00:04.0"));
	assert_int_equal(interrupt_vector(interrupts_find(&rows, 33)).value, 2);
}

/* ---- whose
 * ------------------------------------------------------------------------------------------------------------ */

/* eth1 is in eth10, and their numbers are anywhere: the device's list decides, the name gives the queue. */
static void eth1_and_eth10(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth1", SLOT(1), "i40e");
	pci_nic(tree, "eth10", SLOT(2), "i40e");
	list(tree, SLOT(1), 382, 382);
	list(tree, SLOT(1), 445, 446);
	list(tree, SLOT(2), 447, 448);
	put(tree, "proc/interrupts",
	    "           CPU0\n"
	    "382: 1  IR-PCI-MSI-edge      i40e-eth1-TxRx-1\n"
	    "445: 1  IR-PCI-MSI-edge      i40e-eth1-TxRx-0\n"
	    "446: 1  IR-PCI-MSI-edge      i40e-0000:00:01.0:misc\n"
	    "447: 1  IR-PCI-MSI-edge      i40e-eth10-TxRx-0\n"
	    "448: 1  IR-PCI-MSI-edge      i40e-eth10-TxRx-1");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth1", "382 combined 1/1, 445 combined 0/0, 446 control");
	assert_irqs(tree, "eth10", "447 combined 0/0, 448 combined 1/1");
}

/* The same without lists: names are compared whole, the longest known one is meant. */
static void names_without_lists(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth1", SLOT(1), "sfc");
	pci_nic(tree, "eth10", SLOT(2), "sfc");
	pci_nic(tree, "eth1-1", SLOT(3), "sfc");
	put(tree, "proc/interrupts",
	    "           CPU0\n"
	    " 30: 1  IR-PCI-MSI-edge      eth1-0\n"
	    " 31: 1  IR-PCI-MSI-edge      eth10-0\n"
	    " 32: 1  IR-PCI-MSI-edge      eth1-1-0\n"
	    " 33: 1  IR-PCI-MSI-edge      eth1-1-1");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth1", "30 combined 0/0");
	assert_irqs(tree, "eth10", "31 combined 0/0");
	assert_irqs(tree, "eth1-1", "32 combined 0/0, 33 combined 1/1");
}

/* msi_irqs is there, but empty: the rows say whose they are by number and by name. */
static void an_empty_list(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth0", "pci0000:00/0000:00:05.0", "ena");
	scratch_parents(&tree->scratch, "sys/devices/pci0000:00/0000:00:05.0/msi_irqs/x");
	put(tree, "proc/interrupts",
	    "          CPU0       CPU1\n"
	    " 56: 0 0   ITS-MSI 507906 Edge      eth0-Tx-Rx-7\n"
	    " 57: 0 0   ITS-MSI 81920 Edge      ena-mgmnt@pci:0000:00:05.0\n"
	    " 58: 0 5   ITS-MSI 81921 Edge      eth0-Tx-Rx-0\n"
	    " 59: 0 5   ITS-MSI 81922 Edge      eth0-Tx-Rx-1");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "57 control, 58 combined 0/0, 59 combined 1/1");
	assert_int_equal(nic_of(tree, "eth0")->irqs[2].vector.value, 2);
}

/* Control vectors, a chip of three words, and numbers that begin at 1 (Azure's older VF). */
static void control_is_no_queue(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth0", "pci0001:00/0001:00:02.0", "mlx4_core");
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 24: 1  Hyper-V PCIe MSI 134250496-edge      mlx4-async@pci:0001:00:02.0\n"
	    " 25: 1  Hyper-V PCIe MSI 134250497-edge      mlx4-1@0001:00:02.0\n"
	    " 26: 1  Hyper-V PCIe MSI 134250498-edge      mlx4-2@0001:00:02.0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "24 control, 25 combined, 26 combined");
}

/* Two NICs of one driver whose names hold their virtio numbers. */
static void two_virtio_nics(void **state)
{
	struct tree *tree = *state;

	put_device(tree, SLOT(1) "/virtio1", "virtio", "virtio_net");
	put_nic(tree, "eth0", SLOT(1) "/virtio1", 2);
	put_device(tree, SLOT(2) "/virtio10", "virtio", "virtio_net");
	put_nic(tree, "eth1", SLOT(2) "/virtio10", 3);
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 24: 1  PCI-MSI-edge      virtio1-config\n"
	    " 25: 1  PCI-MSI-edge      virtio1-input.0\n"
	    " 26: 1  PCI-MSI-edge      virtio1-output.0\n"
	    " 27: 1  PCI-MSI-edge      virtio10-config\n"
	    " 28: 1  PCI-MSI-edge      virtio10-input.0\n"
	    " 29: 1  PCI-MSI-edge      virtio10-output.0\n"
	    " 30: 1  PCI-MSI-edge      virtio2-req.0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "24 control, 25 rx 0/-, 26 tx -/0");
	assert_irqs(tree, "eth1", "27 control, 28 rx 0/-, 29 tx -/0");
}

/* The list is the PCI function's that the virtio device sits on. */
static void the_list_of_the_parent(void **state)
{
	struct tree *tree = *state;

	put_device(tree, SLOT(1) "/virtio3", "virtio", "virtio_net");
	put_nic(tree, "eth0", SLOT(1) "/virtio3", 2);
	list(tree, SLOT(1), 24, 26);
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 24: 1  PCI-MSIX-0000:00:01.0   0-edge      virtio3-config\n"
	    " 25: 1  PCI-MSIX-0000:00:01.0   1-edge      virtio3-input.0\n"
	    " 26: 1  PCI-MSIX-0000:00:01.0   2-edge      virtio3-output.0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "24 control, 25 rx 0/-, 26 tx -/0");
	assert_int_equal(nic_of(tree, "eth0")->irqs[1].vector.value, 1);
}

/* A VF of the same name in another namespace has its own list, but is not to be seen here. */
static void a_twin_in_another_namespace(void **state)
{
	struct tree *tree = *state;
	static const char rows[] = "          CPU0\n"
				   " 41: 1  IR-PCI-MSI-edge      iavf-net1-TxRx-0\n"
				   " 42: 1  IR-PCI-MSI-edge      iavf-net1-TxRx-1\n"
				   " 61: 1  IR-PCI-MSI-edge      iavf-net1-TxRx-0\n"
				   " 62: 1  IR-PCI-MSI-edge      iavf-net1-TxRx-1";

	pci_nic(tree, "net1", SLOT(1), "iavf");
	list(tree, SLOT(1), 41, 42);
	put(tree, "proc/interrupts", rows);
	tree_observe(tree, NULL);
	assert_irqs(tree, "net1", "41 combined 0/0, 42 combined 1/1");
}

/* Without a list nobody knows which of the two it is: none is touched. */
static void twins_without_a_list(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "net1", SLOT(1), "iavf");
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 40: 1  IR-PCI-MSI-edge      iavf-0000:00:01.0:mbx\n"
	    " 41: 1  IR-PCI-MSI-edge      iavf-net1-TxRx-0\n"
	    " 61: 1  IR-PCI-MSI-edge      iavf-net1-TxRx-0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "net1", "40 control");
}

/* A rename while up leaves the old name in the rows. */
static void a_renamed_nic(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "lan0", SLOT(1), "igb");
	pci_nic(tree, "eth0", SLOT(2), "igb");
	list(tree, SLOT(1), 40, 42);
	list(tree, SLOT(2), 50, 51);
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 40: 1  IR-PCI-MSI-edge      lan0\n"
	    " 41: 1  IR-PCI-MSI-edge      eth0-TxRx-0\n"
	    " 42: 1  IR-PCI-MSI-edge      eth0-TxRx-1\n"
	    " 50: 1  IR-PCI-MSI-edge      eth0\n"
	    " 51: 1  IR-PCI-MSI-edge      eth0-TxRx-0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "lan0", "40 control, 41 combined 0/0, 42 combined 1/1");
	assert_irqs(tree, "eth0", "50 control, 51 combined 0/0");
}

/* Two ports of one function: the list is of both, names tell them apart, control vectors serve both. */
static void two_ports_of_one_function(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth6", SLOT(4), "mlx4_en");
	put_nic(tree, "eth7", SLOT(4), 3);
	list(tree, SLOT(4), 112, 114);
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    "112: 1  PCI-MSI-edge      mlx4-async@pci:0000:00:04.0\n"
	    "113: 1  PCI-MSI-edge      eth6-0\n"
	    "114: 1  PCI-MSI-edge      eth7-0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth6", "112 control, 113 combined 0/0");
	assert_irqs(tree, "eth7", "112 control, 114 combined 0/0");
}

static void a_shared_line(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth0", SLOT(3), "e1000");
	pci_nic(tree, "eth1", SLOT(4), "e1000");
	put(tree, "sys/devices/" SLOT(3) "/irq", "11");
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 11: 1   IO-APIC-fasteoi   uhci_hcd:usb1, eth0, eth1\n"
	    " 12: 1   IO-APIC-edge      i8042");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "11+ combined 0/0");
	assert_irqs(tree, "eth1", "11+ combined 0/0");
}

/* One line for all queues stands there once a queue: that is not sharing. */
static void one_line_requested_twice(void **state)
{
	struct tree *tree = *state;

	put_device(tree, "platform/ff0c0000.ethernet", "platform", "macb");
	put_nic(tree, "eth0", "platform/ff0c0000.ethernet", 2);
	put(tree, "proc/interrupts", "          CPU0\n 30: 1  GICv3  88 Level     eth0, eth0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "30 combined");
}

/* A device line with an old name, and nothing else on it. */
static void an_intx_line_by_its_number(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "lan0", SLOT(3), "e1000");
	put(tree, "sys/devices/" SLOT(3) "/irq", "11");
	put(tree, "proc/interrupts",
	    "          CPU0\n 11: 1   IO-APIC  11-fasteoi   eth0\n 12: 1  IO-APIC  12-edge  eth1");
	tree_observe(tree, NULL);
	assert_irqs(tree, "lan0", "11 combined 0/0");
}

/* USB: the work is done on the controller's interrupt, which is not the NIC's. */
static void a_usb_nic_has_none(void **state)
{
	struct tree *tree = *state;

	put_device(tree, SLOT(1) "/usb1/1-1/1-1:1.0", "usb", "r8152");
	put_nic(tree, "eth0", SLOT(1) "/usb1/1-1/1-1:1.0", 2);
	list(tree, SLOT(1), 25, 25);
	put(tree, "proc/interrupts", "          CPU0\n 25: 1  PCI-MSI-edge      xhci-hcd:usb1");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "");
}

/* Vectors without an action: freed by fewer channels (with a row), or only allocated (without one). */
static void vectors_without_an_action(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth0", SLOT(1), "ena");
	list(tree, SLOT(1), 65, 68);
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 65: 1  PCI-MSIX-0000:00:01.0   0-edge      ena-mgmnt@pci:0000:00:01.0\n"
	    " 66: 1  PCI-MSIX-0000:00:01.0   1-edge      eth0-Tx-Rx-0\n"
	    " 67: 9  PCI-MSIX-0000:00:01.0   2-edge");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "65 control, 66 combined 0/0, 67~ control, 68~ control");
	assert_null(nic_of(tree, "eth0")->irqs[3].name);
}

/* A vector of the device whose name says nothing is unknown, not some queue. */
static void a_name_that_no_row_fits(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth0", SLOT(1), "igb");
	list(tree, SLOT(1), 30, 31);
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 30: 1  PCI-MSI-edge      eth0-TxRx-0\n"
	    " 31: 1  PCI-MSI-edge      something else 0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "30 combined 0/0, 31 unknown");
	assert_null(nic_of(tree, "eth0")->irqs[1].rule);
}

/* Two vectors of one device that both claim queue 0: neither is believed. */
static void two_vectors_of_one_queue(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth0", SLOT(1), "igb");
	list(tree, SLOT(1), 30, 32);
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 30: 1  PCI-MSI-edge      eth0-TxRx-0\n"
	    " 31: 1  PCI-MSI-edge      old0-TxRx-0\n"
	    " 32: 1  PCI-MSI-edge      eth0-TxRx-1");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "30 unknown, 31 unknown, 32 combined 1/1");
}

/* ---- netdev-genl
 * ------------------------------------------------------------------------------------------------------ */

/* What the kernel says of a queue goes before the name; what it does not say is told by the name. */
static void the_kernel_knows_better(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth0", SLOT(1), "mlx4_core");
	list(tree, SLOT(1), 30, 33);
	put(tree, "ethtool.json",
	    "{\"eth0\": {\"napi\": [{\"id\": 8193, \"irq\": 32, \"rx\": [0], \"tx\": [0]},"
	    " {\"id\": 8194, \"irq\": 31, \"rx\": [1], \"tx\": [1, 3]},"
	    " {\"id\": 8195, \"irq\": 33}, {\"id\": 8196, \"irq\": 77, \"rx\": [9]}]}}");
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 30: 1  PCI-MSI-edge      mlx4-async@pci:0000:00:01.0\n"
	    " 31: 1  PCI-MSI-edge      mlx4-1@0000:00:01.0\n"
	    " 32: 1  PCI-MSI-edge      mlx4-2@0000:00:01.0\n"
	    " 33: 1  PCI-MSI-edge      mlx4-3@0000:00:01.0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "30 control, 31 combined 1/-, 32 combined 0/0, 33 combined");
	assert_string_equal(nic_of(tree, "eth0")->irqs[2].rule, "netdev-genl");
}

/* One netdev over two PCI functions: the second one's vectors are found by netdev-genl alone. */
static void a_nic_of_two_functions(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth2", SLOT(8), "mlx5_core");
	pci_nic(tree, "eth3", SLOT(7), "mlx5_core");
	list(tree, SLOT(8), 36, 36);
	list(tree, SLOT(7), 50, 50);
	put(tree, "ethtool.json",
	    "{\"eth2\": {\"napi\": [{\"id\": 539, \"irq\": 36, \"rx\": [0], \"tx\": [0]},"
	    " {\"id\": 540, \"irq\": 39, \"rx\": [1], \"tx\": [1]}, {\"id\": 541, \"irq\": 50, \"rx\": [2]}]}}");
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 36: 1  PCI-MSI-edge      mlx5_comp0@pci:0000:00:08.0\n"
	    " 39: 1  PCI-MSI-edge      mlx5_comp0@pci:0000:00:09.0\n"
	    " 50: 1  PCI-MSI-edge      mlx5_comp0@pci:0000:00:07.0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth2", "36 combined 0/0, 39 combined 1/1");
	assert_irqs(tree, "eth3", "50 combined 0/0");
}

/* A sub-function has its share of the function's vectors in a list of its own; the function leaves them to it. */
static void a_sub_function(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, "eth0", SLOT(8), "mlx5_core");
	put_device(tree, SLOT(8) "/mlx5_core.sf.2", "auxiliary", "mlx5_core.sf");
	put_nic(tree, "sf0", SLOT(8) "/mlx5_core.sf.2", 3);
	list(tree, SLOT(8), 30, 32);
	put(tree, "sys/devices/" SLOT(8) "/mlx5_core.sf.2/irqs/32", "");
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 30: 1  PCI-MSI-edge      mlx5_async0@pci:0000:00:08.0\n"
	    " 31: 1  PCI-MSI-edge      mlx5_comp0@pci:0000:00:08.0\n"
	    " 32: 1  PCI-MSI-edge      mlx5_sf_comp0@pci:0000:00:08.0");
	tree_observe(tree, NULL);
	assert_irqs(tree, "sf0", "32 combined 0/0");
	assert_irqs(tree, "eth0", "30 control, 31 combined 0/0");
}

/* ---- where they go
 * ---------------------------------------------------------------------------------------------------- */

static void affinity(void **state)
{
	struct tree *tree = *state;
	CLEANUP(free_string) char *file = scratch_path(&tree->scratch, "proc/irq/31/smp_affinity_list");

	pci_nic(tree, "eth0", SLOT(1), "igb");
	list(tree, SLOT(1), 30, 31);
	put(tree, "proc/interrupts",
	    "          CPU0\n"
	    " 30: 1  PCI-MSI-edge      eth0-TxRx-0\n"
	    " 31: 1  PCI-MSI-edge      eth0-TxRx-1");
	put(tree, "proc/irq/30/smp_affinity_list", "0-3,8");
	put(tree, "proc/irq/30/effective_affinity_list", "8");
	put(tree, "proc/irq/31/smp_affinity_list", "1");
	assert_int_equal(chmod(file, 0444), 0);
	tree_observe(tree, NULL);
	assert_irqs(tree, "eth0", "30 combined 0/0, 31! combined 1/1");
	assert_set(nic_of(tree, "eth0")->irqs[0].affinity, "0-3,8");
	assert_set(nic_of(tree, "eth0")->irqs[0].effective, "8");
	assert_set(nic_of(tree, "eth0")->irqs[1].effective, "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows),
		cmocka_unit_test(functions),
		cmocka_unit_test(a_number_that_is_cut),
		TEST(eth1_and_eth10),
		TEST(names_without_lists),
		TEST(an_empty_list),
		TEST(control_is_no_queue),
		TEST(two_virtio_nics),
		TEST(the_list_of_the_parent),
		TEST(a_twin_in_another_namespace),
		TEST(twins_without_a_list),
		TEST(a_renamed_nic),
		TEST(two_ports_of_one_function),
		TEST(a_shared_line),
		TEST(one_line_requested_twice),
		TEST(an_intx_line_by_its_number),
		TEST(a_usb_nic_has_none),
		TEST(vectors_without_an_action),
		TEST(a_name_that_no_row_fits),
		TEST(two_vectors_of_one_queue),
		TEST(the_kernel_knows_better),
		TEST(a_nic_of_two_functions),
		TEST(a_sub_function),
		TEST(affinity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
