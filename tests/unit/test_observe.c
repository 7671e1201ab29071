/* The wiring of observe: order, scope, host facts, sysctls, queues. */
#include "tree.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_make, tree_unmake)

#define DEVICE "pci0000:00/0000:00:03.0"

struct asked { /* what the details function saw */
	unsigned details;
	size_t calls;
};

static unsigned give(const void *context, const struct machine *machine, const struct nic *nic)
{
	struct asked *asked = *(struct asked *const *)context;

	assert_non_null(nic->name);
	assert_non_null(nic->path);
	assert_true(machine->nnics > 0);
	asked->calls++;
	return asked->details;
}

static void look(struct tree *tree, unsigned details)
{
	struct asked asked = { .details = details }, *context = &asked;
	const struct observe_scope scope = { .details = give, .context = &context };

	tree_observe(tree, &scope);
	assert_int_equal(asked.calls, tree->machine.nnics);
}

static void a_nic_with_queues(struct tree *tree)
{
	put_cpus(tree, "0-7");
	put_device(tree, DEVICE, "pci", "igb");
	put_nic(tree, "eth0", DEVICE, 2);
	for (unsigned i = 0; i < 12; i++) {
		CLEANUP(free_string)
		char *rps = text_format("sys/devices/" DEVICE "/net/eth0/queues/rx-%u/rps_cpus", i);
		CLEANUP(free_string)
		char *flows = text_format("sys/devices/" DEVICE "/net/eth0/queues/rx-%u/rps_flow_cnt", i);
		CLEANUP(free_string)
		char *xps = text_format("sys/devices/" DEVICE "/net/eth0/queues/tx-%u/xps_cpus", i);
		CLEANUP(free_string)
		char *rxqs = text_format("sys/devices/" DEVICE "/net/eth0/queues/tx-%u/xps_rxqs", i);

		put(tree, rps, "0000,0000000f");
		put(tree, flows, "4096");
		if (i < 11) /* the last one has none, as a single queue has */
			put(tree, xps, "10");
		put(tree, rxqs, "1");
	}
	put(tree, "sys/devices/" DEVICE "/msi_irqs/30", "msix");
	put(tree, "proc/interrupts", "          CPU0\n 30: 1  PCI-MSI-edge      eth0");
	put(tree, "proc/irq/30/effective_affinity_list", "0");
	put(tree, "ethtool.json",
	    "{\"eth0\": {\"channels\": {\"combined\": {\"max\": 16, \"count\": 12}},"
	    " \"pause\": {\"rx\": true}, \"rings\": {\"rx\": {\"max\": 4096, \"count\": 256}},"
	    " \"features\": {\"rx-lro\": {\"active\": false, \"fixed\": true}},"
	    " \"napi\": [{\"id\": 8193, \"irq\": 30, \"rx\": [10], \"tx\": [2]}]}}");
}

static void everything(void **state)
{
	const struct nic *nic;

	a_nic_with_queues(*state);
	tree_observe(*state, NULL);
	nic = nic_of(*state, "eth0");
	assert_int_equal(nic->details, DETAIL_ALL);
	assert_int_equal(nic->nqueues, 24);
	for (unsigned i = 0; i < 24; i++) { /* numeric order, rx first */
		assert_int_equal(nic->queues[i].type, i < 12 ? QUEUE_RX : QUEUE_TX);
		assert_int_equal(nic->queues[i].index, i % 12);
	}
	assert_set(nic->queues[3].rps, "0-3");
	assert_int_equal(nic->queues[3].rps_flows.value, 4096);
	assert_set(nic->queues[12].xps, "4");
	assert_set(nic->queues[12].xps_rxqs, "0");
	assert_null(nic->queues[23].xps);
	assert_int_equal(nic->queues[10].napi.value, 8193);
	assert_false(nic->queues[9].napi.set);
	assert_int_equal(nic->queues[14].napi.value, 8193);
	assert_int_equal(nic->channels.max[CHANNEL_COMBINED].value, 16);
	assert_true(nic->pause.rx.set);
	assert_int_equal(nic->rings.rx.value, 256);
	assert_int_equal(nic->nfeatures, 1);
	assert_int_equal(nic->nirqs, 1);
	assert_set(nic->irqs[0].effective, "0");
}

/* What is not asked for is not read. */
static void nothing_but_identity(void **state)
{
	const struct nic *nic;

	a_nic_with_queues(*state);
	look(*state, 0);
	nic = nic_of(*state, "eth0");
	assert_string_equal(nic->driver, "igb");
	assert_int_equal(nic->details, 0);
	assert_int_equal(nic->nqueues, 0);
	assert_int_equal(nic->nirqs, 0);
	assert_int_equal(nic->nnapis, 0);
	assert_int_equal(nic->nfeatures, 0);
	assert_false(nic->channels.max[CHANNEL_COMBINED].set);
}

static void some_details(void **state)
{
	const struct nic *nic;

	a_nic_with_queues(*state);
	look(*state, DETAIL_XPS | DETAIL_IRQS);
	nic = nic_of(*state, "eth0");
	assert_int_equal(nic->nqueues, 24);
	assert_null(nic->queues[0].rps);
	assert_false(nic->queues[0].rps_flows.set);
	assert_set(nic->queues[12].xps, "4");
	assert_null(nic->queues[12].xps_rxqs);
	assert_int_equal(nic->nirqs, 1);
	assert_null(nic->irqs[0].effective);
}

static void natural_order_of_names(void **state)
{
	static const char *const names[] = { "eth10", "eth2", "eth1", "br0", "bonding_masters" };
	struct tree *tree = *state;

	put(tree, "sys/class/net/bonding_masters", "bond0");
	for (unsigned i = 0; i < 4; i++)
		put_nic(tree, names[i], NULL, i + 1);
	look(tree, 0);
	assert_int_equal(tree->machine.nnics, 4);
	assert_string_equal(tree->machine.nics[0].name, "br0");
	assert_string_equal(tree->machine.nics[1].name, "eth1");
	assert_string_equal(tree->machine.nics[3].name, "eth10");
}

static void a_topology_that_is_given(void **state)
{
	struct tree *tree = *state, other = { 0 };
	struct observe_scope scope = { .topology = &other.machine.topology };

	scratch_make(&other.scratch);
	put_cpus(&other, "0-5");
	tree_open(&other);
	observe_topology(other.host, &other.machine.topology, &other.notes);
	put_cpus(tree, "0-1");
	tree_observe(tree, &scope);
	assert_set(tree->machine.topology.online, "0-5");
	assert_int_equal(tree->notes.n, 0); /* nothing was read that could be odd */
	machine_clear(&other.machine);
	notes_clear(&other.notes);
	host_close(other.host);
	scratch_remove(&other.scratch);
}

/* ---- the host
 * ----------------------------------------------------------------------------------------------------------- */

static void facts(void **state)
{
	struct tree *tree = *state;

	put(tree, "proc/cmdline", "BOOT_IMAGE=/vmlinuz isolcpus=2-3  quiet -- --init-option");
	put(tree, "proc/sys/kernel/osrelease", "6.1.0-28-amd64");
	put(tree, "proc/sys/kernel/arch", "aarch64");
	put(tree, "proc/sys/kernel/hostname", "secret");
	tree_observe(tree, NULL);
	assert_string_equal(tree->machine.kernel, "6.1.0-28-amd64");
	assert_string_equal(tree->machine.arch, "aarch64");
	assert_null(tree->machine.hostname); /* a capture has none */
	assert_int_equal(tree->machine.cmdline.n, 3);
	assert_string_equal(tree->machine.cmdline.items[1], "isolcpus=2-3");
	assert_null(tree->machine.irqbalance);
}

static void irqbalance_by_its_socket(void **state)
{
	put(*state, "run/irqbalance/irqbalance812.sock", "");
	put(*state, "proc/cmdline", "");
	tree_observe(*state, NULL);
	assert_string_equal(((struct tree *)*state)->machine.irqbalance, "active");
}

static void irqbalance_without_a_socket(void **state)
{
	put(*state, "run/irqbalance/other", "");
	put(*state, "proc/cmdline", "");
	tree_observe(*state, NULL);
	assert_string_equal(((struct tree *)*state)->machine.irqbalance, "inactive");
}

static void sysctls(void **state)
{
	struct tree *tree = *state;
	CLEANUP(strings_clear) struct strings names = { 0 };
	const struct observe_scope scope = { .sysctls = &names };

	strings_add(&names, "net.core.rps_sock_flow_entries");
	strings_add(&names, "net.ipv4.no_such_name");
	strings_add(&names, "net.ipv4.conf.eth0/5.rp_filter");
	strings_add(&names, "net.ipv6.conf.*.forwarding");
	put(tree, "proc/sys/net/core/rps_sock_flow_entries", "32768");
	put(tree, "proc/sys/net/ipv4/conf/eth0.5/rp_filter", "2");
	put(tree, "proc/sys/net/ipv6/conf/all/forwarding", "1");
	put(tree, "proc/sys/net/ipv6/conf/eth0.5/forwarding", "0");
	tree_observe(tree, &scope);
	assert_string_equal(machine_sysctl(&tree->machine, "net.core.rps_sock_flow_entries"), "32768");
	assert_null(machine_sysctl(&tree->machine, "net.ipv4.no_such_name"));
	assert_string_equal(machine_sysctl(&tree->machine, "net.ipv4.conf.eth0/5.rp_filter"), "2");
	assert_string_equal(machine_sysctl(&tree->machine, "net.ipv6.conf.all.forwarding"), "1");
	assert_string_equal(machine_sysctl(&tree->machine, "net.ipv6.conf.eth0/5.forwarding"), "0");
	assert_int_equal(tree->machine.nsysctls, 5);
}

static void no_machine_at_all(void **state)
{
	struct tree *tree = *state;

	tree_open(tree);
	assert_int_equal(observe(tree->host, NULL, &tree->machine, &tree->notes), -ENOENT);
	assert_int_equal(tree->machine.nnics, 0);
}

/* A tree with next to nothing: all is unknown, nothing fails. */
static void next_to_nothing(void **state)
{
	struct tree *tree = *state;

	put(tree, "sys/class/net/eth0/x", "");
	put(tree, "proc/interrupts", "garbage\n:\n 5:\n99999999999: 1 x\n -1: 2");
	tree_observe(tree, NULL);
	assert_int_equal(tree->machine.nnics, 1);
	assert_int_equal(tree->machine.nics[0].ifindex, 0);
	assert_int_equal(tree->machine.nics[0].nirqs, 0);
	assert_int_equal(tree->machine.topology.ncpus, 1);
}

/* ---- again ------------------------------------------------------------------------------------------------------- */

#define NETDEV "sys/devices/" DEVICE "/net/eth0"

/* What a device is is asked once, what is set and how the link is each time. */
static void again(void **state)
{
	struct tree *tree = *state;
	struct asked asked = { .details = DETAIL_RPS | DETAIL_CHANNELS }, *context = &asked;
	const struct observe_scope scope = { .details = give, .context = &context };
	const struct nic *nic;

	a_nic_with_queues(tree);
	put(tree, NETDEV "/uevent", "IFINDEX=2");
	put(tree, NETDEV "/operstate", "up");
	look(tree, DETAIL_ALL);
	put(tree, NETDEV "/operstate", "down");
	put(tree, NETDEV "/address", "02:00:00:00:00:07");
	put(tree, NETDEV "/queues/rx-3/rps_cpus", "0000,000000ff");
	put(tree, "sys/devices/system/cpu/online", "0-3");
	put(tree, "sys/class/net/eth1/uevent", "IFINDEX=3");
	assert_int_equal(observe_again(tree->host, &scope, &tree->machine, &tree->notes), 0);
	assert_int_equal(tree->machine.nnics, 2);
	assert_int_equal(cpuset_count(tree->machine.topology.online), 8);
	nic = &tree->machine.nics[0];
	assert_string_equal(nic->name, "eth0");
	assert_string_equal(nic->driver, "igb");
	assert_string_equal(nic->path, DEVICE);
	assert_null(nic->mac); /* there was none */
	assert_int_equal(nic->link, LINK_DOWN);
	assert_int_equal(nic->nqueues, 24);
	assert_int_equal(nic->nirqs, 0); /* not asked for this time */
	assert_null(nic_queue(nic, QUEUE_TX, 0)->xps);
	assert_int_equal(cpuset_count(nic_queue(nic, QUEUE_RX, 3)->rps), 8);
	assert_int_equal(nic->channels.count[CHANNEL_COMBINED].value, 12);
	assert_int_equal(tree->machine.nics[1].ifindex, 3);
}

/* Another device by the same name. */
static void again_with_another_ifindex(void **state)
{
	struct tree *tree = *state;

	a_nic_with_queues(tree);
	put(tree, NETDEV "/uevent", "IFINDEX=2");
	look(tree, DETAIL_ALL);
	put(tree, NETDEV "/uevent", "IFINDEX=9");
	put(tree, NETDEV "/address", "02:00:00:00:00:07");
	assert_int_equal(observe_again(tree->host, NULL, &tree->machine, &tree->notes), 0);
	assert_int_equal(tree->machine.nics[0].ifindex, 9);
	assert_string_equal(tree->machine.nics[0].mac, "02:00:00:00:00:07");
}

static void more_of_one_nic(void **state)
{
	struct tree *tree = *state;
	struct nic *nic;

	a_nic_with_queues(tree);
	look(tree, DETAIL_RPS);
	nic = &tree->machine.nics[0];
	put(tree, NETDEV "/queues/rx-0/rps_cpus", "0000,000000ff");
	observe_more(tree->host, &tree->machine, nic, DETAIL_RPS | DETAIL_XPS | DETAIL_IRQS, &tree->notes);
	assert_int_equal(nic->nqueues, 24);
	assert_int_equal(cpuset_count(nic_queue(nic, QUEUE_RX, 0)->rps), 4); /* known already, so not read again */
	assert_non_null(nic_queue(nic, QUEUE_TX, 0)->xps);
	assert_null(nic_queue(nic, QUEUE_TX, 0)->xps_rxqs);
	assert_int_equal(nic->nirqs, 1);
	assert_true(nic->channels.count[CHANNEL_COMBINED].set); /* by which vectors are judged */
	assert_true(nic->details & DETAIL_IRQS && nic->details & DETAIL_RPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(everything),
		TEST(nothing_but_identity),
		TEST(some_details),
		TEST(natural_order_of_names),
		TEST(a_topology_that_is_given),
		TEST(facts),
		TEST(irqbalance_by_its_socket),
		TEST(irqbalance_without_a_socket),
		TEST(sysctls),
		TEST(no_machine_at_all),
		TEST(next_to_nothing),
		TEST(again),
		TEST(again_with_another_ifindex),
		TEST(more_of_one_nic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
