/* What a network device is, as read from files: kind, driver, place, link, neighbours, and what is near it. */
#include "tree.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_make, tree_unmake)

#define PCI "pci0000:00/0000:00:03.0"
#define DEVICE "sys/devices/" PCI

static unsigned nothing(const void *context, const struct machine *machine, const struct nic *nic)
{
	(void)context;
	(void)machine;
	(void)nic;
	return 0;
}

static struct nic *observe_nic(struct tree *tree, const char *name)
{
	const struct observe_scope scope = { .details = nothing };

	tree_observe(tree, &scope);
	return nic_of(tree, name);
}

/* Two nodes of two CPUs. */
static void two_nodes(struct tree *tree)
{
	put_cpus(tree, "0-3");
	put(tree, "sys/devices/system/node/node0/cpulist", "0-1");
	put(tree, "sys/devices/system/node/node1/cpulist", "2-3");
}

static void pci_nic(struct tree *tree, const char *node, const char *local)
{
	put_device(tree, PCI, "pci", "igb");
	put_nic(tree, "eth0", PCI, 2);
	if (node)
		put(tree, DEVICE "/numa_node", node);
	if (local)
		put(tree, DEVICE "/local_cpulist", local);
}

/* ---- identity ------------------------------------------------------------------------------------------------------
 */

static void a_pci_nic(void **state)
{
	struct nic *nic;

	two_nodes(*state);
	pci_nic(*state, "1", "2-3");
	put(*state, DEVICE "/uevent", "DRIVER=igb\nPCI_CLASS=20000\nPCI_ID=8086:10FB\nPCI_SLOT_NAME=0000:00:03.0");
	put(*state, DEVICE "/net/eth0/uevent", "INTERFACE=eth0\nIFINDEX=7");
	put(*state, DEVICE "/net/eth0/address", "02:00:00:00:00:01");
	put(*state, DEVICE "/net/eth0/operstate", "up");
	put(*state, DEVICE "/net/eth0/speed", "10000");
	nic = observe_nic(*state, "eth0");
	assert_int_equal(nic->ifindex, 7);
	assert_int_equal(nic->kind, NIC_PHYSICAL);
	assert_string_equal(nic->driver, "igb");
	assert_string_equal(nic->bus, "0000:00:03.0");
	assert_string_equal(nic->path, PCI);
	assert_string_equal(nic->pci_id, "8086:10fb");
	assert_string_equal(nic->mac, "02:00:00:00:00:01");
	assert_int_equal(nic->node, 1);
	assert_set(nic->local, "2-3");
	assert_int_equal(nic->link, LINK_UP);
	assert_int_equal(nic->speed.value, 10000);
}

/* The driver by its link, the identity by two files: captures without uevent files. */
static void a_pci_nic_without_uevent(void **state)
{
	struct nic *nic;

	pci_nic(*state, NULL, NULL);
	put(*state, DEVICE "/vendor", "0x15b3");
	put(*state, DEVICE "/device", "0x1017");
	nic = observe_nic(*state, "eth0");
	assert_string_equal(nic->driver, "igb");
	assert_string_equal(nic->pci_id, "15b3:1017");
	assert_int_equal(nic->ifindex, 2);
	assert_int_equal(nic->node, -1);
	assert_null(nic->local);
	assert_null(nic->mac);
	assert_int_equal(nic->link, LINK_UNKNOWN);
	assert_false(nic->speed.set);
}

static void a_virtual_function(void **state)
{
	pci_nic(*state, NULL, NULL);
	scratch_link(&((struct tree *)*state)->scratch, DEVICE "/physfn", "../0000:00:02.0");
	assert_int_equal(observe_nic(*state, "eth0")->kind, NIC_VF);
}

/* A class of directories instead of links, as captures made by hand have. */
static void a_class_of_directories(void **state)
{
	struct tree *tree = *state;

	put_device(tree, PCI, "pci", "igb");
	put(tree, "sys/class/net/eth0/ifindex", "2");
	scratch_link(&tree->scratch, "sys/class/net/eth0/device", "/" DEVICE);
	assert_string_equal(observe_nic(tree, "eth0")->bus, "0000:00:03.0");
}

static void kinds(void **state)
{
	static const struct {
		const char *name, *file, *text;
		enum nic_kind kind;
	} cases[] = {
		{ "br0", "bridge/stp_state", "0", NIC_BRIDGE },
		{ "br1", "uevent", "DEVTYPE=bridge\nIFINDEX=3", NIC_BRIDGE },
		{ "bond0", "bonding/mode", "802.3ad 4", NIC_BOND },
		{ "eth0.5", "uevent", "DEVTYPE=vlan", NIC_VLAN },
		{ "tap0", "tun_flags", "0x1002", NIC_TUN },
		{ "wg0", "uevent", "DEVTYPE=wireguard", NIC_WIREGUARD },
		{ "vx0", "uevent", "DEVTYPE=vxlan", NIC_VXLAN },
		{ "lo", "type", "772", NIC_LOOPBACK },
		{ "dummy0", "type", "1", NIC_DUMMY },
		{ "veth0", "type", "1", NIC_VETH },
		{ "gre0", "type", "778", NIC_OTHER },
	};
	struct tree *tree = *state;
	const struct observe_scope scope = { .details = nothing };

	put(tree, "ethtool.json", "{\"veth0\": {\"driver\": \"veth\"}, \"dummy0\": {\"driver\": \"dummy\"}}");
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(free_string)
		char *path = text_format("sys/devices/virtual/net/%s/%s", cases[i].name, cases[i].file);

		put_nic(tree, cases[i].name, NULL, (unsigned)i + 1);
		put(tree, path, cases[i].text);
	}
	tree_observe(tree, &scope);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct nic *nic = nic_of(tree, cases[i].name);

		if (nic->kind != cases[i].kind)
			fail_msg("%s is %s", nic->name, nic_kind_name(nic->kind));
		assert_null(nic->bus);
		assert_int_equal(nic->node, -1);
	}
	assert_string_equal(nic_of(tree, "br0")->path, "virtual/net/br0");
}

static void neighbours(void **state)
{
	struct tree *tree = *state;
	struct nic *nic;

	pci_nic(tree, NULL, NULL);
	scratch_link(&tree->scratch, DEVICE "/net/eth0/master", "../../../../virtual/net/br-lan");
	scratch_link(&tree->scratch, DEVICE "/net/eth0/upper_br-lan", "../../../../virtual/net/br-lan");
	scratch_link(&tree->scratch, DEVICE "/net/eth0/lower_x", "../x");
	nic = observe_nic(tree, "eth0");
	assert_string_equal(nic->master, "br-lan");
	assert_int_equal(nic->uppers.n, 1);
	assert_string_equal(nic->uppers.items[0], "br-lan");
	assert_string_equal(nic->lowers.items[0], "x");
}

/* Ports of one device are remembered apart. */
static void two_ports_of_a_device(void **state)
{
	struct tree *tree = *state;

	pci_nic(tree, NULL, NULL);
	put_nic(tree, "eth1", PCI, 3);
	assert_string_equal(observe_nic(tree, "eth0")->path, PCI "/net/eth0");
	assert_string_equal(nic_of(tree, "eth1")->path, PCI "/net/eth1");
	assert_string_equal(nic_of(tree, "eth1")->bus, "0000:00:03.0");
}

/* ---- link
 * ------------------------------------------------------------------------------------------------------------ */

static void links(void **state)
{
	static const struct {
		const char *name, *operstate, *flags, *carrier;
		enum link_state link;
	} cases[] = {
		{ "a", "up", "0x1003", "1", LINK_UP },
		{ "b", "down", "0x1003", "0", LINK_NO_CARRIER },
		{ "c", "down", "0x1002", NULL, LINK_DOWN },
		{ "d", "unknown", "0x1003", "1", LINK_UP },
		{ "e", "unknown", "0x1002", NULL, LINK_DOWN },
		{ "f", "lowerlayerdown", "0x1003", "0", LINK_NO_CARRIER },
		{ "g", NULL, NULL, NULL, LINK_UNKNOWN },
		{ "h", NULL, "0x1003", NULL, LINK_UNKNOWN },
	};
	struct tree *tree = *state;
	const struct observe_scope scope = { .details = nothing };

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(free_string) char *directory = text_format("sys/devices/virtual/net/%s", cases[i].name);
		CLEANUP(free_string) char *state_file = text_format("%s/operstate", directory);
		CLEANUP(free_string) char *flags = text_format("%s/flags", directory);
		CLEANUP(free_string) char *carrier = text_format("%s/carrier", directory);

		put_nic(tree, cases[i].name, NULL, (unsigned)i + 1);
		if (cases[i].operstate)
			put(tree, state_file, cases[i].operstate);
		if (cases[i].flags)
			put(tree, flags, cases[i].flags);
		if (cases[i].carrier)
			put(tree, carrier, cases[i].carrier);
	}
	tree_observe(tree, &scope);
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		if (nic_of(tree, cases[i].name)->link != cases[i].link)
			fail_msg("%s is %s", cases[i].name, link_state_name(nic_of(tree, cases[i].name)->link));
}

/* ---- what is near
 * ----------------------------------------------------------------------------------------------------- */

static void near(struct tree *tree, const char *node, const char *local, int expected_node, const char *expected)
{
	struct nic *nic;

	two_nodes(tree);
	pci_nic(tree, node, local);
	nic = observe_nic(tree, "eth0");
	assert_int_equal(nic->node, expected_node);
	assert_set(nic->local, expected);
}

static void all_cpus_without_a_node_is_unknown(void **state)
{
	near(*state, "-1", "0-3", -1, "?");
}

static void all_cpus_with_a_node_is_the_node(void **state)
{
	near(*state, "1", "0-3", 1, "2-3");
}

static void some_cpus_without_a_node(void **state)
{
	near(*state, "-1", "2-3", 1, "2-3");
}

static void some_cpus_against_the_node(void **state)
{
	struct tree *tree = *state;

	near(tree, "0", "2-3", 1, "2-3");
	assert_int_equal(tree->notes.n, 2); /* the other one is that the topology is flat */
	assert_string_equal(tree->notes.items[1].subject, "eth0");
}

static void a_node_alone(void **state)
{
	near(*state, "1", NULL, 1, "2-3");
}

static void offline_cpus_are_not_near(void **state)
{
	near(*state, "1", "2-7", 1, "2-3");
}

static void a_node_without_cpus(void **state)
{
	put(*state, "sys/devices/system/node/node8/cpulist", "");
	near(*state, "8", "", 8, "?");
}

/* numa_node -1 and one node: not known, which is the whole machine. */
static void one_node(void **state)
{
	put_cpus(*state, "0-3");
	put(*state, "sys/devices/system/node/node0/cpulist", "0-3");
	pci_nic(*state, "-1", "0-3");
	assert_null(observe_nic(*state, "eth0")->local);
}

/* An old kernel: a mask and no list. */
static void a_mask_alone(void **state)
{
	two_nodes(*state);
	pci_nic(*state, "1", NULL);
	put(*state, DEVICE "/local_cpus", "0000,0000000c");
	assert_set(observe_nic(*state, "eth0")->local, "2-3");
}

/* virtio: the PCI function knows; the root of the bus is not asked. */
static void what_the_parent_says(void **state)
{
	struct nic *nic;

	two_nodes(*state);
	put_device(*state, PCI "/virtio0", "virtio", "virtio_net");
	put_nic(*state, "eth0", PCI "/virtio0", 2);
	put(*state, DEVICE "/numa_node", "0");
	put(*state, DEVICE "/local_cpulist", "0-1");
	put(*state, "sys/devices/pci0000:00/local_cpulist", "2-3");
	nic = observe_nic(*state, "eth0");
	assert_string_equal(nic->bus, "virtio0");
	assert_int_equal(nic->node, 0);
	assert_set(nic->local, "0-1");
}

static void a_platform_device(void **state)
{
	struct nic *nic;

	two_nodes(*state);
	put_device(*state, "platform/soc/30be0000.ethernet", "platform", "fec");
	put_nic(*state, "eth0", "platform/soc/30be0000.ethernet", 2);
	nic = observe_nic(*state, "eth0");
	assert_string_equal(nic->bus, "30be0000.ethernet");
	assert_int_equal(nic->kind, NIC_PHYSICAL);
	assert_int_equal(nic->node, -1);
	assert_null(nic->local);
	assert_null(nic->pci_id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_pci_nic),
		TEST(a_pci_nic_without_uevent),
		TEST(a_virtual_function),
		TEST(a_class_of_directories),
		TEST(kinds),
		TEST(neighbours),
		TEST(two_ports_of_a_device),
		TEST(links),
		TEST(all_cpus_without_a_node_is_unknown),
		TEST(all_cpus_with_a_node_is_the_node),
		TEST(some_cpus_without_a_node),
		TEST(some_cpus_against_the_node),
		TEST(a_node_alone),
		TEST(offline_cpus_are_not_near),
		TEST(a_node_without_cpus),
		TEST(one_node),
		TEST(a_mask_alone),
		TEST(what_the_parent_says),
		TEST(a_platform_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
