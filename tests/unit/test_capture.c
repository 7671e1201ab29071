/* Capturing: a replay observes the same machine, of captured machines bit for bit; what names people's machines stays
 * behind. */
#include <dirent.h>

#include "observe/capture_tree.h"
#include "tree.h"
#include <steer/capture.h>

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_make, tree_unmake)

#define DEVICE "pci0000:00/0000:00:03.0"

/* ---- a machine as text ----------------------------------------------------------------------------------------------
 */

static void print_set(FILE *out, const char *name, const cpuset *set)
{
	CLEANUP(free_string) char *list = set ? cpuset_list(set) : alloc_string("?");

	fprintf(out, " %s=%s", name, list);
}

static void print_u32(FILE *out, const char *name, struct opt_u32 value)
{
	if (value.set)
		fprintf(out, " %s=%u", name, value.value);
}

static void print_bool(FILE *out, const char *name, struct opt_bool value)
{
	if (value.set)
		fprintf(out, " %s=%d", name, value.value);
}

static void print_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, " %s=%s", name, text ? text : "?");
}

static void print_strings(FILE *out, const char *name, const struct strings *list)
{
	CLEANUP(free_string) char *text = strings_join(list, ",");

	fprintf(out, " %s=%s", name, text);
}

static void print_topology(FILE *out, const struct topology *topology)
{
	print_set(out, "online", topology->online);
	print_set(out, "possible", topology->possible);
	print_set(out, "isolated", topology->isolated);
	print_set(out, "rps_excluded", topology->rps_excluded);
	fprintf(out, " %u %d\n", topology->nr_cpu_ids, topology->flat);
	for (size_t i = 0; i < topology->nnodes; i++) {
		fprintf(out, "node %d", topology->nodes[i].id);
		print_set(out, "cpus", topology->nodes[i].cpus);
		fputc('\n', out);
	}
	for (size_t i = 0; i < topology->ncpus; i++) {
		const struct cpu *cpu = &topology->cpus[i];

		fprintf(out, "cpu %u: %d %u %u %u %u\n", cpu->id, cpu->node, cpu->package, cpu->llc, cpu->core,
			cpu->rank);
	}
}

static void print_settings(FILE *out, const struct nic *nic)
{
	for (enum channel_kind kind = 0; kind < CHANNEL_KINDS; kind++) {
		print_u32(out, channel_kind_name(kind), nic->channels.count[kind]);
		print_u32(out, "of", nic->channels.max[kind]);
	}
	print_bool(out, "autoneg", nic->pause.autoneg);
	print_bool(out, "rx", nic->pause.rx);
	print_bool(out, "tx", nic->pause.tx);
	print_u32(out, "ring-rx", nic->rings.rx);
	print_u32(out, "of", nic->rings.rx_max);
	print_u32(out, "ring-tx", nic->rings.tx);
	print_u32(out, "of", nic->rings.tx_max);
	for (size_t i = 0; i < nic->nfeatures; i++)
		if (*nic->features[i].name) /* some kernels have bits without a name */
			fprintf(out, " %s=%d%d", nic->features[i].name, nic->features[i].active,
				nic->features[i].fixed);
	for (size_t i = 0; i < nic->nnapis; i++) {
		fprintf(out, " napi-%u", nic->napis[i].id);
		print_u32(out, "irq", nic->napis[i].irq);
		for (size_t j = 0; j < nic->napis[i].nrx; j++)
			fprintf(out, " rx-%u", nic->napis[i].rx[j]);
		for (size_t j = 0; j < nic->napis[i].ntx; j++)
			fprintf(out, " tx-%u", nic->napis[i].tx[j]);
	}
	fputc('\n', out);
}

static void print_queues(FILE *out, const struct nic *nic)
{
	for (size_t i = 0; i < nic->nqueues; i++) {
		const struct queue *queue = &nic->queues[i];

		fprintf(out, " %s-%u", queue_type_name(queue->type), queue->index);
		print_set(out, "rps", queue->rps);
		print_set(out, "xps", queue->xps);
		print_set(out, "rxqs", queue->xps_rxqs);
		print_u32(out, "flows", queue->rps_flows);
		print_u32(out, "napi", queue->napi);
	}
	for (size_t i = 0; i < nic->nirqs; i++) {
		const struct irq *irq = &nic->irqs[i];

		fprintf(out, "\n irq %u %s %d%d%d", irq->number, irq_role_name(irq->role), irq->fixed, irq->shared,
			irq->requested);
		print_text(out, "name", irq->name);
		print_text(out, "rule", irq->rule);
		print_u32(out, "vector", irq->vector);
		print_u32(out, "rx", irq->rx);
		print_u32(out, "tx", irq->tx);
		print_set(out, "affinity", irq->affinity);
		print_set(out, "effective", irq->effective);
	}
	fputc('\n', out);
}

static void print_nic(FILE *out, const struct nic *nic)
{
	fprintf(out, "%s %u %s %d %s %d", nic->name, nic->ifindex, nic_kind_name(nic->kind), nic->node,
		link_state_name(nic->link), nic->xdp);
	print_text(out, "driver", nic->driver);
	print_text(out, "bus", nic->bus);
	print_text(out, "path", nic->path);
	print_text(out, "pci-id", nic->pci_id);
	print_text(out, "master", nic->master);
	print_set(out, "local", nic->local);
	print_u32(out, "speed", nic->speed);
	print_strings(out, "uppers", &nic->uppers);
	print_strings(out, "lowers", &nic->lowers);
	print_settings(out, nic);
	print_queues(out, nic);
}

/* Everything that a capture keeps: no MAC address, no host name. */
static char *machine_text(const struct machine *machine)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	print_text(out, "arch", machine->arch);
	print_text(out, "kernel", machine->kernel);
	print_text(out, "irqbalance", machine->irqbalance);
	for (size_t i = 0; i < machine->nsysctls; i++)
		print_text(out, machine->sysctls[i].name, machine->sysctls[i].value);
	print_topology(out, &machine->topology);
	for (size_t i = 0; i < machine->nnics; i++)
		print_nic(out, &machine->nics[i]);
	fclose(out);
	return text;
}

/* ---- comparing
 * -------------------------------------------------------------------------------------------------------- */

static char *observe_text(struct host *host)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(strings_clear) struct strings names = { 0 };
	const struct observe_scope scope = { .sysctls = &names };

	strings_add(&names, "net.core.rps_sock_flow_entries");
	strings_add(&names, "net.ipv4.conf.*.rp_filter");
	assert_int_equal(observe(host, &scope, &machine, &notes), 0);
	return machine_text(&machine);
}

/* Captures a machine to "copy" in the tree's directory and compares what is observed of both. */
static void assert_replay(struct tree *tree, const char *root)
{
	CLEANUP(free_string) char *copy = scratch_path(&tree->scratch, "copy"), *problem = NULL;
	CLEANUP(free_string) char *before = NULL, *after = NULL;
	CLEANUP(host_closep) struct host *host = NULL, *replay = NULL;

	assert_int_equal(host_open(root, HOST_READ_ONLY, &host, &problem), 0);
	assert_int_equal(capture(host, copy, &tree->notes), 0);
	assert_int_equal(host_open(copy, HOST_READ_ONLY, &replay, &problem), 0);
	before = observe_text(host);
	after = observe_text(replay);
	assert_string_equal(before, after);
}

static void a_machine(struct tree *tree)
{
	put_cpus(tree, "0-3");
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		CLEANUP(free_string)
		char *core = text_format("%u", cpu % 2), *siblings = text_format("%u,%u", cpu % 2, cpu % 2 + 2);

		put_cpu(tree, cpu, "0", core, siblings);
	}
	put(tree, "sys/devices/system/node/node0/cpulist", "0-3");
	put(tree, "sys/devices/system/node/node4/cpulist", "");
	put(tree, "sys/devices/system/cpu/isolated", "3");
	put(tree, "sys/fs/cgroup/cgroup.subtree_control", "cpuset");
	put(tree, "sys/fs/cgroup/a.slice/cpuset.cpus.partition", "isolated");
	put(tree, "sys/fs/cgroup/a.slice/cpuset.cpus.effective", "2");
	put(tree, "proc/cmdline", "root=UUID=0fc63daf-8483-4772-8e79-3d69d8477de4 iommu.passthrough=1");
	put(tree, "proc/sys/kernel/osrelease", "6.12.1");
	put(tree, "proc/sys/kernel/arch", "x86_64");
	put(tree, "proc/sys/net/core/rps_sock_flow_entries", "0");
	put(tree, "proc/sys/net/ipv4/conf/all/rp_filter", "1");
	put(tree, "proc/sys/net/core/netdev_rss_key", "6d:5a");
	put(tree, "proc/sys/net/ipv6/conf/all/stable_secret", "2001:db8::1");
	put(tree, "run/irqbalance/irqbalance5.sock", "");
	put_device(tree, DEVICE, "pci", "igb");
	put_nic(tree, "eth0", DEVICE, 2);
	put_nic(tree, "br0", NULL, 3);
	put(tree, "sys/devices/virtual/net/br0/bridge/stp_state", "0");
	scratch_link(&tree->scratch, "sys/devices/virtual/net/br0/lower_eth0", "../../../" DEVICE "/net/eth0");
	scratch_link(&tree->scratch, "sys/devices/" DEVICE "/net/eth0/upper_br0", "../../../../virtual/net/br0");
	scratch_link(&tree->scratch, "sys/devices/" DEVICE "/net/eth0/master", "../../../../virtual/net/br0");
	scratch_link(&tree->scratch, "sys/devices/" DEVICE "/physfn", "../0000:00:02.0");
	put(tree, "sys/devices/" DEVICE "/uevent", "DRIVER=igb\nPCI_ID=8086:1521");
	put(tree, "sys/devices/" DEVICE "/numa_node", "0");
	put(tree, "sys/devices/" DEVICE "/local_cpulist", "0-3");
	put(tree, "sys/devices/" DEVICE "/msi_irqs/30", "msix");
	put(tree, "sys/devices/" DEVICE "/msi_irqs/31", "msix");
	put(tree, "sys/devices/" DEVICE "/net/eth0/address", "02:00:5e:10:00:01");
	put(tree, "sys/devices/" DEVICE "/net/eth0/uevent", "INTERFACE=eth0\nIFINDEX=2\nMAC=02:00:5e:10:00:01");
	put(tree, "sys/devices/" DEVICE "/net/eth0/operstate", "up");
	put(tree, "sys/devices/" DEVICE "/net/eth0/speed", "1000");
	put(tree, "sys/devices/" DEVICE "/net/eth0/queues/rx-0/rps_cpus", "3");
	put(tree, "sys/devices/" DEVICE "/net/eth0/queues/tx-0/xps_cpus", "c");
	put(tree, "proc/interrupts",
	    "          CPU0\n 30: 1  PCI-MSI-edge      eth0\n 31: 1  PCI-MSI-edge      eth0-TxRx-0");
	put(tree, "proc/irq/31/smp_affinity_list", "2");
	put(tree, "proc/irq/31/effective_affinity_list", "2");
	put(tree, "etc/steerd/steerd.ini", "[nic a]\nmatch.mac = 02:00:5e:10:00:01");
	put(tree, "ethtool.json",
	    "{\"eth0\": {\"driver\": \"igb\", \"channels\": {\"combined\": {\"max\": 8, \"count\": 1},"
	    " \"other\": {\"max\": 1, \"count\": 1}}, \"pause\": {\"autoneg\": true, \"rx\": false, \"tx\": false},"
	    " \"rings\": {\"rx\": {\"max\": 4096, \"count\": 256}, \"tx\": {\"max\": 4096, \"count\": 256}},"
	    " \"features\": {\"rx-lro\": {\"active\": false, \"fixed\": true}},"
	    " \"napi\": [{\"id\": 8193, \"irq\": 31, \"rx\": [0], \"tx\": [0]}, {\"id\": 8194}]},"
	    " \"br0\": {\"driver\": \"bridge\"}}");
}

/* ---- tests
 * -------------------------------------------------------------------------------------------------------------- */

static void a_replay_is_the_same(void **state)
{
	struct tree *tree = *state;
	CLEANUP(free_string) char *fixed = scratch_path(&tree->scratch, "proc/irq/31/smp_affinity_list");

	a_machine(tree);
	assert_int_equal(chmod(fixed, 0444), 0);
	assert_replay(tree, tree->scratch.path);
}

static void next_to_nothing(void **state)
{
	struct tree *tree = *state;

	put(tree, "sys/class/net/eth0/ifindex", "1");
	assert_replay(tree, tree->scratch.path);
}

/* This machine, read only: queues, interrupts and settings do not change by themselves; where an interrupt fires does.
 */
static void this_machine(void **state)
{
	struct tree *tree = *state;

	assert_replay(tree, "/");
}

/* No file of the copy holds the address, the disk or a secret. */
static void search(const char *directory, const char *const *texts, size_t n)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		CLEANUP(free_string) char *path = text_format("%s/%s", directory, entry->d_name);
		char text[4096] = "";
		FILE *file;

		if (entry->d_name[0] == '.')
			continue;
		if (entry->d_type == DT_DIR)
			search(path, texts, n);
		if (entry->d_type != DT_REG)
			continue;
		file = fopen(path, "r");
		assert_non_null(file);
		text[fread(text, 1, sizeof text - 1, file)] = 0;
		fclose(file);
		for (size_t i = 0; i < n; i++)
			if (strstr(text, texts[i]))
				fail_msg("%s holds %s", path, texts[i]);
	}
	closedir(dir);
}

static void identities_stay_behind(void **state)
{
	static const char *const texts[] = { "02:00:5e", "0fc63daf", "6d:5a", "2001:db8" };
	struct tree *tree = *state;
	CLEANUP(free_string) char *copy = scratch_path(&tree->scratch, "copy"), *cmdline = NULL;

	a_machine(tree);
	tree_open(tree);
	assert_int_equal(capture(tree->host, copy, &tree->notes), 0);
	search(copy, texts, COUNT_OF(texts));
	cmdline = scratch_text(&tree->scratch, "copy/proc/cmdline");
	assert_string_equal(cmdline, "root=... iommu.passthrough=1\n");
}

/* Links of the copy are relative and lead to something in it. */
static void links_stay_inside(void **state)
{
	static const char *const paths[] = { "copy/sys/class/net/eth0/ifindex",
					     "copy/sys/class/net/br0/lower_eth0/uevent",
					     "copy/sys/class/net/eth0/upper_br0/ifindex" };
	struct tree *tree = *state;
	CLEANUP(free_string) char *copy = scratch_path(&tree->scratch, "copy");

	a_machine(tree);
	tree_open(tree);
	assert_int_equal(capture(tree->host, copy, &tree->notes), 0);
	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		CLEANUP(free_string) char *text = scratch_text(&tree->scratch, paths[i]);

		assert_non_null(text);
	}
}

static void only_an_empty_directory(void **state)
{
	struct tree *tree = *state;
	CLEANUP(free_string)
	char *full = scratch_path(&tree->scratch, "full"), *empty = scratch_path(&tree->scratch, "empty");
	CLEANUP(free_string) char *deep = scratch_path(&tree->scratch, "no/such/parent");

	put(tree, "proc/cmdline", "");
	put(tree, "full/x", "");
	assert_int_equal(mkdir(empty, 0755), 0);
	tree_open(tree);
	assert_int_equal(capture(tree->host, full, &tree->notes), -ENOTEMPTY);
	assert_int_equal(capture(tree->host, deep, &tree->notes), -ENOENT);
	assert_int_equal(capture(tree->host, empty, &tree->notes), 0);
	assert_int_equal(capture(tree->host, empty, &tree->notes), -ENOTEMPTY);
}

/* ---- scrubbing
 * ------------------------------------------------------------------------------------------------------------ */

static void addresses(void **state)
{
	static const char *const pairs[][2] = {
		{ "a 02:00:5e:10:00:ff b", "a 00:00:00:00:00:00 b" },
		{ "BOOTIF=01-02-00-5E-10-00-01", "BOOTIF=01-00-00-00-00-00-00" },
		{ "02-00-5E-10-00-01", "00-00-00-00-00-00" },
		{ "0000:81:00.0", "0000:81:00.0" },
		{ "pci:0000:3b:00.0 mlx5_comp0@pci:0000:3b:00.0", "pci:0000:3b:00.0 mlx5_comp0@pci:0000:3b:00.0" },
		{ "00000000,00000000,0000000f", "00000000,00000000,0000000f" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		CLEANUP(free_string) char *text = alloc_string(pairs[i][0]);

		scrub_addresses(text);
		assert_string_equal(text, pairs[i][1]);
	}
}

static void command_lines(void **state)
{
	CLEANUP(strings_clear) struct strings tokens = { 0 };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	strings_split(&tokens,
		      "BOOT_IMAGE=/vmlinuz-6.1 root=/dev/sda2 ro ip=192.0.2.1::192.0.2.254 BOOTIF=01-02-00-5e-10-00-01 "
		      "isolcpus=managed_irq,domain,2-7 nohz_full=2-7 systemd.hostname=db1 console=ttyS0,115200n8 "
		      "x=0fc63daf-8483-4772-8e79-3d69d8477de4 log=198.51.100.7 a.b=1.2.3 intel_iommu=on",
		      " ");
	text = scrub_cmdline(&tokens);
	assert_string_equal(text,
			    "BOOT_IMAGE=/vmlinuz-6.1 root=... ro ip=... BOOTIF=... isolcpus=managed_irq,domain,2-7 "
			    "nohz_full=2-7 systemd.hostname=... console=ttyS0,115200n8 x=... log=... a.b=1.2.3 "
			    "intel_iommu=on");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_replay_is_the_same),   TEST(next_to_nothing),           TEST(this_machine),
		TEST(identities_stay_behind), TEST(links_stay_inside),         TEST(only_an_empty_directory),
		cmocka_unit_test(addresses),  cmocka_unit_test(command_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
