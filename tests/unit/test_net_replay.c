/* A captured machine that is written to: values in the kernel's form, refusals with its words, and what a channel
 * change does to queues, interrupts and NAPI instances. The machine is an igb of tests/machines/snb32, cut to four
 * CPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scratch.h"
#include <steer/net.h>

#define PCI "sys/devices/pci0000:00/0000:02:00.0"
#define ETH0 PCI "/net/eth0"

static const char interrupts[] =
	"           CPU0       CPU1       CPU2       CPU3       \n"
	"  0:          7          0          0          0  IO-APIC    2-edge      timer\n"
	" 91:          3          0          0          0  PCI-MSIX-0000:02:00.0    0-edge      eth0\n"
	" 92:        100          0          0          0  PCI-MSIX-0000:02:00.0    1-edge      eth0-TxRx-0\n"
	" 93:          0        200          0          0  PCI-MSIX-0000:02:00.0    2-edge      eth0-TxRx-1\n"
	" 94:          0          0        300          0  PCI-MSIX-0000:02:00.0    3-edge      eth0-TxRx-2\n"
	" 95:          0          0          0        400  PCI-MSIX-0000:02:00.0    4-edge      eth0-TxRx-3\n"
	" 96:          0          0          0        500  PCI-MSIX-0000:03:00.0    0-edge      eth10-TxRx-0\n"
	"LOC:         12         12         12         12   Local timer interrupts\n";

static const char ethtool[] =
	"{\n \"eth0\": {\n  \"driver\": \"igb\",\n  \"channels\": {\n   \"other\": {\n    \"max\": 1,\n"
	"    \"count\": 1\n   },\n   \"combined\": {\n    \"max\": 8,\n    \"count\": 4\n   }\n  },\n"
	"  \"rings\": {\n   \"rx\": {\n    \"max\": 4096,\n    \"count\": 256\n   }\n  },\n"
	"  \"pause\": {\n   \"autoneg\": true,\n   \"rx\": true\n  },\n"
	"  \"features\": {\n   \"rx-lro\": {\n    \"active\": true,\n    \"fixed\": false\n   },\n"
	"   \"rx-gro-hw\": {\n    \"active\": false,\n    \"fixed\": true\n   }\n  }\n }\n}\n";

struct fixture {
	struct scratch scratch;
	struct host *host;
	struct nic nic;
};

static void file(struct fixture *it, const char *path, const char *text)
{
	scratch_file(&it->scratch, path, text);
}

static void make_queue(struct fixture *it, const char *prefix, unsigned index)
{
	CLEANUP(free_string) char *directory = text_format(ETH0 "/queues/%s%u", prefix, index);
	CLEANUP(free_string) char *rps = text_format("%s/rps_cpus", directory);
	CLEANUP(free_string) char *flows = text_format("%s/rps_flow_cnt", directory);
	CLEANUP(free_string) char *xps = text_format("%s/xps_cpus", directory);

	if (text_equal(prefix, "rx-")) {
		file(it, rps, "f\n");
		file(it, flows, "4096\n");
	} else {
		file(it, xps, "3\n");
	}
}

static void make_irq(struct fixture *it, unsigned irq, const char *action)
{
	CLEANUP(free_string) char *list = text_format("proc/irq/%u/smp_affinity_list", irq);
	CLEANUP(free_string) char *mask = text_format("proc/irq/%u/smp_affinity", irq);
	CLEANUP(free_string) char *effective = text_format("proc/irq/%u/effective_affinity_list", irq);
	CLEANUP(free_string) char *inside = text_format("proc/irq/%u/%s/x", irq, action);
	CLEANUP(free_string) char *msi = text_format(PCI "/msi_irqs/%u", irq);
	CLEANUP(free_string) char *cpu = text_format("%u\n", irq % 4);

	file(it, list, cpu);
	file(it, mask, "1\n");
	file(it, effective, cpu);
	file(it, inside, "");
	if (irq < 96)
		file(it, msi, "msix\n");
}

static void open_machine(struct fixture *it)
{
	char *problem = NULL;

	host_close(it->host);
	assert_int_equal(host_open(it->scratch.path, HOST_WRITABLE, &it->host, &problem), 0);
}

static int set_up(void **state)
{
	static const char *const actions[] = { "eth0",        "eth0-TxRx-0", "eth0-TxRx-1",
					       "eth0-TxRx-2", "eth0-TxRx-3", "eth10-TxRx-0" };
	struct fixture *it = alloc_zero(1, sizeof *it);

	scratch_make(&it->scratch);
	file(it, "ethtool.json", ethtool);
	file(it, "proc/interrupts", interrupts);
	file(it, "proc/irq/default_smp_affinity", "f\n");
	file(it, "sys/devices/system/cpu/online", "0-3\n");
	file(it, "sys/devices/system/cpu/possible", "0-3\n");
	file(it, ETH0 "/ifindex", "2\n");
	scratch_link(&it->scratch, "sys/class/net/eth0", "../../devices/pci0000:00/0000:02:00.0/net/eth0");
	scratch_link(&it->scratch, ETH0 "/device", "../../../0000:02:00.0");
	for (unsigned i = 0; i < 4; i++) {
		make_queue(it, "rx-", i);
		make_queue(it, "tx-", i);
	}
	for (unsigned i = 0; i < COUNT_OF(actions); i++)
		make_irq(it, 91 + i, actions[i]);
	open_machine(it);
	it->nic = (struct nic){ .name = alloc_string("eth0"), .ifindex = 2 };
	*state = it;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *it = *state;

	nic_clear(&it->nic);
	host_close(it->host);
	scratch_remove(&it->scratch);
	free(it);
	return 0;
}

static void is(struct fixture *it, const char *path, const char *expected)
{
	CLEANUP(free_string) char *text = scratch_text(&it->scratch, path);

	if (!text != !expected)
		print_error("%s\n", path);
	if (!expected)
		assert_null(text);
	else
		assert_string_equal(text, expected);
}

static void has(struct fixture *it, const char *path, const char *part)
{
	CLEANUP(free_string) char *text = scratch_text(&it->scratch, path);

	assert_non_null(text);
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in %s:\n%s", part, path, text);
}

static void lacks(struct fixture *it, const char *path, const char *part)
{
	CLEANUP(free_string) char *text = scratch_text(&it->scratch, path);

	assert_non_null(text);
	assert_null(strstr(text, part));
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

static void writes(struct fixture *it, const char *path, const char *value, const char *stored)
{
	assert_int_equal(host_write(it->host, path, value), 0);
	is(it, path, stored);
}

static void refuses(struct fixture *it, const char *path, const char *value, int error)
{
	CLEANUP(free_string) char *before = scratch_text(&it->scratch, path);

	assert_int_equal(host_write(it->host, path, value), error);
	is(it, path, before);
}

static void rps(void **state)
{
	struct fixture *it = *state;

	writes(it, ETH0 "/queues/rx-0/rps_cpus", "0", "0\n");
	writes(it, ETH0 "/queues/rx-0/rps_cpus", "0000000e\n", "e\n");
	refuses(it, ETH0 "/queues/rx-0/rps_cpus", "1f", -EOVERFLOW);
	refuses(it, ETH0 "/queues/rx-0/rps_cpus", "x", -EINVAL);
	refuses(it, ETH0 "/queues/rx-9/rps_cpus", "1", -ENOENT);
	file(it, "sys/devices/system/cpu/possible", "0-63\n");
	writes(it, ETH0 "/queues/rx-0/rps_cpus", "3", "00000000,00000003\n");
	writes(it, ETH0 "/queues/rx-0/rps_flow_cnt", "1000", "1024\n");
	writes(it, ETH0 "/queues/rx-0/rps_flow_cnt", "1024\n", "1024\n");
	writes(it, ETH0 "/queues/rx-0/rps_flow_cnt", "0", "0\n");
	refuses(it, ETH0 "/queues/rx-0/rps_flow_cnt", "-1", -EINVAL);
}

/* The kernel leaves out isolated and offline CPUs without a word. */
static void rps_left_out(void **state)
{
	struct fixture *it = *state;

	file(it, "sys/devices/system/cpu/isolated", "2-3\n");
	file(it, "sys/devices/system/cpu/online", "0,2-3\n");
	writes(it, ETH0 "/queues/rx-0/rps_cpus", "f", "1\n");
	refuses(it, ETH0 "/queues/rx-0/rps_cpus", "c", -EINVAL);
	writes(it, ETH0 "/queues/rx-0/rps_cpus", "0", "0\n");
}

static void xps(void **state)
{
	struct fixture *it = *state;

	writes(it, ETH0 "/queues/tx-1/xps_cpus", "8", "8\n");
	file(it, "sys/class/net/lan0/queues/tx-0/xps_cpus", "0\n");
	refuses(it, "sys/class/net/lan0/queues/tx-0/xps_cpus", "1", -ENOENT);
}

static void affinity(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *fixed = scratch_path(&it->scratch, "proc/irq/94/smp_affinity_list");

	writes(it, "proc/irq/92/smp_affinity_list", "2,3,0\n", "0,2-3\n");
	is(it, "proc/irq/92/smp_affinity", "d\n");
	writes(it, "proc/irq/92/smp_affinity", "2", "2\n");
	is(it, "proc/irq/92/smp_affinity_list", "1\n");
	refuses(it, "proc/irq/92/smp_affinity_list", "4", -ERANGE);
	refuses(it, "proc/irq/92/smp_affinity_list", "", -EINVAL);
	file(it, "sys/devices/system/cpu/online", "0-1\n");
	refuses(it, "proc/irq/92/smp_affinity_list", "2-3", -EINVAL);
	assert_int_equal(chmod(fixed, 0444), 0);
	refuses(it, "proc/irq/94/smp_affinity_list", "1", -EPERM);
}

/* A value put back is the same file as before, with or without a line end. */
static void other_values(void **state)
{
	struct fixture *it = *state;

	file(it, "proc/sys/net/ipv4/ip_forward", "0\n");
	file(it, "proc/sys/net/core/by_hand", "1 2");
	writes(it, "proc/sys/net/ipv4/ip_forward", "1", "1\n");
	writes(it, "proc/sys/net/core/by_hand", "3 4\n", "3 4");
}

/* ---- channels -------------------------------------------------------------------------------------------------- */

static int set(struct fixture *it, enum channel_kind kind, uint32_t count, char **ret_said)
{
	struct channels want = { 0 };

	want.count[kind] = SOME_U32(count);
	return net_set_channels(it->host, &it->nic, &want, ret_said);
}

static void set_combined(struct fixture *it, uint32_t count)
{
	CLEANUP(free_string) char *said = NULL;

	assert_int_equal(set(it, CHANNEL_COMBINED, count, &said), 0);
	assert_null(said);
}

static void too_many(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *said = NULL, *rx = NULL, *none = NULL;

	assert_int_equal(set(it, CHANNEL_COMBINED, 9, &said), -EINVAL);
	assert_string_equal(said, "requested channel count exceeds maximum");
	assert_int_equal(set(it, CHANNEL_RX, 1, &rx), -EINVAL);
	assert_string_equal(rx, "requested channel count exceeds maximum");
	assert_int_equal(set(it, CHANNEL_COMBINED, 0, &none), -EINVAL);
	assert_string_equal(none, "requested channel counts would result in no RX or TX channel being configured");
	is(it, "ethtool.json", ethtool);
	is(it, "proc/interrupts", interrupts);
}

static void no_difference(void **state)
{
	struct fixture *it = *state;

	set_combined(it, 4);
	is(it, "ethtool.json", ethtool);
	is(it, "proc/irq/94/smp_affinity_list", "2\n"); /* nothing was made anew */
}

static void fewer(void **state)
{
	struct fixture *it = *state;

	set_combined(it, 2);
	has(it, "ethtool.json", "    \"max\": 8,\n    \"count\": 2\n");
	is(it, ETH0 "/queues/rx-1/rps_cpus", "f\n"); /* kept */
	is(it, ETH0 "/queues/rx-2/rps_cpus", NULL);
	is(it, ETH0 "/queues/tx-3/xps_cpus", NULL);
	has(it, "proc/interrupts", "  2-edge      eth0-TxRx-1\n 96: ");
	lacks(it, "proc/interrupts", "eth0-TxRx-2");
	has(it, "proc/interrupts", "Local timer interrupts\n");
	is(it, PCI "/msi_irqs/93", "msix\n");
	is(it, PCI "/msi_irqs/94", NULL);
	is(it, "proc/irq/95/smp_affinity_list", NULL);
	is(it, "proc/irq/93/smp_affinity_list", "0-3\n"); /* made anew: the default */
	is(it, "proc/irq/93/smp_affinity", "f\n");
	is(it, "proc/irq/91/smp_affinity_list", "3\n"); /* no queue */
	is(it, "proc/irq/96/smp_affinity_list", "0\n"); /* another device's */
}

static void more(void **state)
{
	struct fixture *it = *state;

	set_combined(it, 6);
	is(it, ETH0 "/queues/rx-5/rps_cpus", "0\n");
	is(it, ETH0 "/queues/rx-5/rps_flow_cnt", "0\n");
	is(it, ETH0 "/queues/tx-5/xps_cpus", "0\n");
	is(it, ETH0 "/queues/rx-6/rps_cpus", NULL);
	/* 96 is taken */
	has(it, "proc/interrupts",
	    " 97:          0          0          0          0  PCI-MSIX-0000:02:00.0    5-edge      eth0-TxRx-4\n"
	    " 98:          0          0          0          0  PCI-MSIX-0000:02:00.0    6-edge      eth0-TxRx-5\n"
	    "LOC:");
	is(it, PCI "/msi_irqs/98", "msix\n");
	is(it, "proc/irq/98/smp_affinity_list", "0-3\n");
	is(it, "proc/irq/98/eth0-TxRx-5/x", "");
	is(it, "proc/irq/98/eth0-TxRx-3/x", NULL);
}

/* Vectors that are allocated only, for a port that is down, are known from its msi_irqs alone. */
static void allocated_elsewhere(void **state)
{
	struct fixture *it = *state;

	file(it, "sys/devices/pci0000:00/0000:04:00.0/msi_irqs/97", "msix\n");
	file(it, "sys/devices/pci0000:00/0000:04:00.0/net/eth4/ifindex", "5\n");
	scratch_link(&it->scratch, "sys/devices/pci0000:00/0000:04:00.0/net/eth4/device", "../../../0000:04:00.0");
	scratch_link(&it->scratch, "sys/class/net/eth4", "../../devices/pci0000:00/0000:04:00.0/net/eth4");
	set_combined(it, 5);
	has(it, "proc/interrupts", " 98: ");
	lacks(it, "proc/interrupts", " 97: ");
}

/* Without a list of its own, a device has the rows that bear its name; the list of the bridge before it is not its. */
static void no_list_of_its_own(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *list = scratch_path(&it->scratch, PCI "/msi_irqs");
	CLEANUP(free_string) char *aside = scratch_path(&it->scratch, "aside");

	assert_int_equal(rename(list, aside), 0);
	file(it, "sys/devices/pci0000:00/msi_irqs/24", "msi\n");
	set_combined(it, 2);
	lacks(it, "proc/interrupts", "eth0-TxRx-2");
	has(it, "proc/interrupts", "eth0-TxRx-1");
	has(it, "proc/interrupts", "eth10-TxRx-0");
	is(it, "proc/irq/96/smp_affinity_list", "0\n");
	set_combined(it, 5);
	has(it, "proc/interrupts", " 97: ");
	is(it, "sys/devices/pci0000:00/msi_irqs/97", NULL);
}

static void there_and_back(void **state)
{
	struct fixture *it = *state;

	set_combined(it, 1);
	set_combined(it, 3);
	set_combined(it, 4);
	is(it, "ethtool.json", ethtool);
	is(it, "proc/interrupts", interrupts);
	is(it, "proc/irq/95/effective_affinity_list", "3\n");
	is(it, "proc/irq/95/smp_affinity_list", "0-3\n"); /* the default, not what was there */
	is(it, ETH0 "/queues/rx-3/rps_cpus", "0\n");
	set_combined(it, 8);
	set_combined(it, 4);
	is(it, "ethtool.json", ethtool);
	is(it, "proc/interrupts", interrupts);
	is(it, "proc/irq/97/smp_affinity_list", NULL);
}

static void default_affinity(void **state)
{
	struct fixture *it = *state;

	file(it, "proc/irq/default_smp_affinity", "c\n");
	set_combined(it, 2);
	is(it, "proc/irq/92/smp_affinity_list", "2-3\n");
}

/* A pool of vectors for the maximum: queues come and go, interrupts do not. */
static void driver_keeps_vectors(void **state)
{
	struct fixture *it = *state;

	file(it, "ethtool.json",
	     "{\"eth0\": {\"driver\": \"mlx5_core\", \"channels\": {\"combined\": {\"max\": 8, \"count\": 4}}}}");
	open_machine(it);
	set_combined(it, 2);
	is(it, ETH0 "/queues/rx-2/rps_cpus", NULL);
	is(it, "proc/interrupts", interrupts);
	is(it, "proc/irq/95/smp_affinity_list", "3\n");
	is(it, "ethtool.json",
	   "{\"eth0\": {\"driver\": \"mlx5_core\", \"channels\": {\"combined\": {\"max\": 8, \"count\": 2}}}}");
}

static void rows_are(struct fixture *it, const char *const *actions, size_t n)
{
	CLEANUP(free_string) char *text = alloc_string("");

	for (size_t i = 0; i < n; i++) {
		char *longer =
			text_format("%s%3zu:  1 0 0 0 PCI-MSI %zu-edge  %s\n", text, 91 + i, 1000 + i, actions[i]);

		free(text);
		text = longer;
	}
	file(it, "proc/interrupts", text);
}

/* tg3 counts from 1, with one vector for transmission (tests/corpus, 09-tg3-mlx4old). */
static void names_from_one(void **state)
{
	static const char *const actions[] = { "eth0-tx-0", "eth0-rx-1", "eth0-rx-2", "eth0-rx-3" };
	struct fixture *it = *state;
	CLEANUP(free_string) char *said = NULL;

	rows_are(it, actions, COUNT_OF(actions));
	file(it, "ethtool.json",
	     "{\"eth0\": {\"driver\": \"tg3\", \"channels\": {\"rx\": {\"max\": 4, \"count\": 3}, "
	     "\"tx\": {\"max\": 1, \"count\": 1}}}}");
	open_machine(it);
	assert_int_equal(set(it, CHANNEL_RX, 2, &said), 0);
	has(it, "proc/interrupts", "eth0-tx-0\n 92:  1 0 0 0 PCI-MSI 1001-edge  eth0-rx-1\n");
	has(it, "proc/interrupts", "eth0-rx-2\n");
	lacks(it, "proc/interrupts", "eth0-rx-3");
	is(it, ETH0 "/queues/rx-2/rps_cpus", NULL);
	is(it, ETH0 "/queues/tx-0/xps_cpus", "3\n");
	assert_int_equal(set(it, CHANNEL_RX, 4, &said), 0);
	has(it, "proc/interrupts", "1003-edge  eth0-rx-3\n");
	has(it, "proc/interrupts", "1004-edge  eth0-rx-4\n");
}

/* ---- NAPI ------------------------------------------------------------------------------------------------------ */

static void napis_follow(void **state)
{
	struct fixture *it = *state;

	file(it, "ethtool.json",
	     "{\"eth0\": {\"channels\": {\"combined\": {\"max\": 8, \"count\": 3}}, \"napi\": ["
	     "{\"id\": 8193, \"irq\": 92, \"rx\": [0], \"tx\": [0]}, {\"id\": 8194, \"irq\": 93, \"rx\": [1], \"tx\": "
	     "[1]}, "
	     "{\"id\": 8195, \"irq\": 94, \"rx\": [2], \"tx\": [2]}]}}\n");
	open_machine(it);
	set_combined(it, 1);
	has(it, "ethtool.json", "\"napi\": [{\"id\": 8193, \"irq\": 92, \"rx\": [0], \"tx\": [0]}]}}\n");
	set_combined(it, 2);
	has(it, "ethtool.json", "[0]}, {\"id\": 8194, \"irq\": 93, \"rx\": [1], \"tx\": [1]}]}}\n");
	assert_int_equal(net_read(it->host, &it->nic, DETAIL_NAPI), 0);
	assert_int_equal(it->nic.nnapis, 2);
	assert_int_equal(it->nic.napis[1].irq.value, 93);
}

/* virtio_net in 6.18 tells of the instances that receive, and of no interrupt. */
static void napis_that_receive(void **state)
{
	struct fixture *it = *state;

	file(it, "ethtool.json",
	     "{\"eth0\": {\"driver\": \"virtio_net\", \"channels\": {\"combined\": {\"max\": 4, \"count\": 2}}, "
	     "\"napi\": [{\"id\": 257, \"rx\": [0]}, {\"id\": 258, \"rx\": [1]}]}}\n");
	open_machine(it);
	set_combined(it, 3);
	has(it, "ethtool.json", "[{\"id\": 257, \"rx\": [0]}, {\"id\": 258, \"rx\": [1]}, {\"id\": 259, \"rx\": [2]}]");
	set_combined(it, 1);
	has(it, "ethtool.json", "\"napi\": [{\"id\": 257, \"rx\": [0]}]");
}

/* ---- other settings -------------------------------------------------------------------------------------------- */

static void pause_and_rings(void **state)
{
	struct fixture *it = *state;
	const struct pause off = { .autoneg = SOME_BOOL(false), .rx = SOME_BOOL(false) };
	const struct pause on = { .autoneg = SOME_BOOL(true), .rx = SOME_BOOL(true) };
	const struct rings large = { .rx = SOME_U32(4096) }, small = { .rx = SOME_U32(256) };
	const struct rings huge = { .rx = SOME_U32(4097) };
	CLEANUP(free_string) char *said = NULL;

	assert_int_equal(net_set_pause(it->host, &it->nic, &off, &said), 0);
	has(it, "ethtool.json", "\"autoneg\": false,\n   \"rx\": false\n");
	assert_int_equal(net_set_rings(it->host, &it->nic, &large, &said), 0);
	has(it, "ethtool.json", "\"count\": 4096\n");
	assert_int_equal(net_set_pause(it->host, &it->nic, &on, &said), 0);
	assert_int_equal(net_set_rings(it->host, &it->nic, &small, &said), 0);
	is(it, "ethtool.json", ethtool);
	assert_null(said);
	assert_int_equal(net_set_rings(it->host, &it->nic, &huge, &said), -EINVAL);
	assert_string_equal(said, "requested ring size exceeds maximum");
}

static void features(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *said = NULL;

	assert_int_equal(net_set_feature(it->host, &it->nic, "rx-gro-hw", true, &said),
			 0); /* fixed: no error, no change */
	is(it, "ethtool.json", ethtool);
	assert_int_equal(net_set_feature(it->host, &it->nic, "rx-lro", false, &said), 0);
	has(it, "ethtool.json", "\"rx-lro\": {\n    \"active\": false,\n");
	assert_null(said);
	assert_int_equal(net_set_feature(it->host, &it->nic, "rx-nothing", true, &said), -EOPNOTSUPP);
	assert_string_equal(said, "bit name not found");
}

static void link_up(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *said = NULL;

	file(it, ETH0 "/flags", "0x1002\n");
	file(it, ETH0 "/operstate", "down\n");
	assert_int_equal(net_set_up(it->host, &it->nic, &said), 0);
	is(it, ETH0 "/flags", "0x1003\n");
	is(it, ETH0 "/operstate", "up\n");
	is(it, ETH0 "/carrier", "1\n");
	assert_int_equal(net_wait_carrier(it->host, &it->nic, 0), 0);
}

static void refusals(void **state)
{
	struct fixture *it = *state;
	const struct pause off = { .rx = SOME_BOOL(false) };
	struct nic gone = { .name = (char *)(uintptr_t) "eth7" };
	CLEANUP(free_string) char *said = NULL;

	assert_int_equal(net_set_pause(it->host, &gone, &off, &said), -ENODEV);
	assert_int_equal(net_set_up(it->host, &gone, &said), -ENODEV);
	file(it, "ethtool.json", "{}\n");
	open_machine(it);
	assert_int_equal(net_set_pause(it->host, &it->nic, &off, &said), -EOPNOTSUPP);
	assert_int_equal(set(it, CHANNEL_COMBINED, 2, &said), -EOPNOTSUPP);
	assert_null(said);
}

/* Half of the tree is missing: what is there changes, and nothing fails. */
static void ruins(void **state)
{
	struct fixture *it = *state;

	scratch_remove(&it->scratch);
	assert_int_equal(mkdir(it->scratch.path, 0755), 0);
	file(it, "ethtool.json", "{\"eth0\": {\"channels\": {\"combined\": {\"max\": 8, \"count\": 4}}}}\n");
	file(it, "sys/class/net/eth0/ifindex", "2\n");
	open_machine(it);
	set_combined(it, 2);
	file(it, "proc/interrupts", " 92: eth0-TxRx-0\n 93: eth0-TxRx-1\nnonsense\n:\n\n 94:");
	set_combined(it, 3);
	has(it, "proc/interrupts", "nonsense\n:\n 94:\n 95: eth0-TxRx-2");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rps),
		TEST(rps_left_out),
		TEST(xps),
		TEST(affinity),
		TEST(other_values),
		TEST(too_many),
		TEST(no_difference),
		TEST(fewer),
		TEST(more),
		TEST(allocated_elsewhere),
		TEST(no_list_of_its_own),
		TEST(there_and_back),
		TEST(default_affinity),
		TEST(driver_keeps_vectors),
		TEST(names_from_one),
		TEST(napis_follow),
		TEST(napis_that_receive),
		TEST(pause_and_rings),
		TEST(features),
		TEST(link_up),
		TEST(refusals),
		TEST(ruins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
