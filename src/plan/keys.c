/* The table of keys: one row a key of the policy language, which drives reading, checking, printing back and the test
 * of the manual. A new setting begins here. Reads no value itself; its type does.
 */
#include <string.h>

#include <steer/cleanup.h>

#include "keys.h"

static const struct word no_words[] = { { NULL, 0 } };
static const struct word off[] = { { "off", CPUS_OFF }, { "none", CPUS_OFF }, { NULL, 0 } };
static const struct word irq_words[] = { { "spread", CPUS_SPREAD }, { "all", CPUS_ALL }, { NULL, 0 } };
static const struct word xps_words[] = {
	{ "follow-irq", CPUS_FOLLOW_IRQ }, { "off", CPUS_OFF }, { "none", CPUS_OFF }, { "rxqs", CPUS_RXQS }, { NULL, 0 }
};
static const struct word channels_words[] = { { "per-cpu", COUNT_PER_CPU }, { "max", COUNT_MAX }, { NULL, 0 } };
static const struct word max_word[] = { { "max", COUNT_MAX }, { NULL, 0 } };
static const struct word share_words[] = { { "overlap", SHARE_OVERLAP },
					   { "partition", SHARE_PARTITION },
					   { NULL, 0 } };
static const struct word pause_words[] = { { "off", PAUSE_OFF }, { "on", PAUSE_ON },           { "rx", PAUSE_RX },
					   { "tx", PAUSE_TX },   { "autoneg", PAUSE_AUTONEG }, { NULL, 0 } };
static const struct word on_off_words[] = { { "on", 1 }, { "off", 0 }, { NULL, 0 } };
static const struct word link_word[] = { { "up", 1 }, { NULL, 0 } };
static const struct word link_words[] = { { "up", 1 }, { "down", 0 }, { NULL, 0 } };
static const struct word flow_words[] = { { "off", FLOW_OFFLOAD_OFF },
					  { "software", FLOW_OFFLOAD_SOFTWARE },
					  { "hardware", FLOW_OFFLOAD_HARDWARE },
					  { NULL, 0 } };
static const struct word disruptive_words[] = { { "always", DISRUPTIVE_ALWAYS },
						{ "link-down", DISRUPTIVE_LINK_DOWN },
						{ "never", DISRUPTIVE_NEVER },
						{ NULL, 0 } };
static const struct word off_word[] = { { "off", 0 }, { NULL, 0 } };
static const struct word fmc_words[] = {
	{ "single", FMC_SINGLE }, { "spread", FMC_SPREAD }, { "files", FMC_FILES }, { "off", FMC_OFF }, { NULL, 0 }
};
static const struct word hash_words[] = { { "l4", FMC_L4 }, { "l3", FMC_L3 }, { "l3l4-v4", FMC_L3L4_V4 }, { NULL, 0 } };
static const struct word yes_no_words[] = { { "yes", true }, { "no", false }, { NULL, 0 } };
static const struct word change_words[] = { { "reboot", false }, { "reapply", true }, { NULL, 0 } };
static const struct word auto_word[] = { { "auto", COUNT_ABSENT }, { NULL, 0 } };
static const struct word unmet_words[] = { { "warn", false }, { "refuse", true }, { NULL, 0 } };

enum {
	QUEUES_MAX = 65535,
	RING_MAX = 1 << 20,
	FLOWS_MAX = 1 << 29,
	AUDIT_MAX = 24 * 60 * 60,
	FMC_MAX = 10 * 60,
	DETAILS_QUEUES = DETAIL_CHANNELS | DETAIL_NAPI | DETAIL_IRQS,
};

#define POLICY(name_, type_) .section = "policy", .name = (name_), .type = &(type_)
#define NIC(name_, type_, field_)                                                                                      \
	.section = "nic", .name = (name_), .type = &(type_), .offset = offsetof(struct section, field_)

#define FMC(name_, type_, field_)                                                                                      \
	.section = "fmc", .name = (name_), .type = &(type_), .offset = offsetof(struct policy, fmc.field_)

/* clang-format off */
static const struct key keys[] = {
	{ POLICY("description", description_type),
	  .values = "any text", .help = "what the policy is for",
	  .example = "C240 M5: 2 x 20 cores, the NIC on node 0" },
	{ POLICY("require.cmdline", cmdline_type),
	  .values = "words", .help = "words that the kernel command line must have",
	  .example = "iommu.passthrough=1" },
	{ POLICY("on-unmet", unmet_type), .words = unmet_words,
	  .values = "warn or refuse", .help = "what to do when a requirement is not met",
	  .example = "refuse" },

	{ NIC("match.name", names_type, match_name),
	  .values = "patterns", .help = "its name", .example = "ens2f?np? !ens2f1np1" },
	{ NIC("match.driver", patterns_type, match_driver),
	  .values = "patterns", .help = "its driver", .example = "mlx5_core" },
	{ NIC("match.mac", macs_type, match_mac),
	  .values = "patterns", .help = "its hardware address", .example = "00:1b:21:*" },
	{ NIC("match.path", patterns_type, match_path),
	  .values = "patterns", .help = "its address on the bus, or its path below /sys/devices",
	  .example = "0000:81:00.?" },
	{ NIC("match.kind", kinds_type, match_kind),
	  .values = "kinds of device", .help = "what kind of device it is", .example = "physical vf" },
	{ NIC("match.node", nodes_type, match_node),
	  .values = "numbers of nodes or none", .help = "its NUMA node", .example = "0" },
	{ NIC("match.pci-id", pci_ids_type, match_pci_id),
	  .values = "patterns", .help = "its PCI vendor and device", .example = "8086:15*" },
	{ NIC("match.host", patterns_type, match_host),
	  .values = "patterns", .help = "the name of the machine", .example = "lab-*" },
	{ NIC("match.arch", patterns_type, match_arch),
	  .values = "patterns", .help = "the architecture of the machine, as uname -m", .example = "aarch64" },
	{ NIC("match.master", patterns_type, match_master),
	  .values = "patterns", .help = "the bridge, bond or team it belongs to", .example = "br-lan" },
	{ NIC("match.cpus", number_match_type, match_cpus), .least = 1, .most = CPUSET_MAX,
	  .values = "a number, with =, <, <=, > or >= before it", .help = "how many CPUs are online",
	  .example = ">=4" },
	{ NIC("when.link", word_type, when_link), .words = link_words,
	  .values = "up or down", .help = "whether it has a link now", .example = "up" },

	{ NIC("when.flow-offload", word_type, when_flow), .words = flow_words,
	  .values = "off, software or hardware", .help = "how its flows are offloaded now, by nftables",
	  .example = "software" },

	{ NIC("cpus", cpus_type, cpus), .words = no_words,
	  .values = "a CPU expression", .help = "the CPUs that the section works with",
	  .example = "cores(local)" },
	{ NIC("share", word_type, share), .words = share_words,
	  .values = "overlap or partition", .help = "whether devices of the section divide the CPUs among them",
	  .example = "partition" },
	{ NIC("channels", count_type, channels), .words = channels_words, .least = 1, .most = QUEUES_MAX,
	  .details = DETAIL_CHANNELS,
	  .values = "per-cpu, max or a number", .help = "how many queues", .example = "per-cpu" },
	{ NIC("channels.combined", count_type, channels_kind[CHANNEL_COMBINED]), .words = channels_words,
	  .least = 0, .most = QUEUES_MAX, .details = DETAIL_CHANNELS,
	  .values = "per-cpu, max or a number", .help = "how many combined channels alone", .example = "8" },
	{ NIC("channels.rx", count_type, channels_kind[CHANNEL_RX]), .words = channels_words,
	  .least = 0, .most = QUEUES_MAX, .details = DETAIL_CHANNELS,
	  .values = "per-cpu, max or a number", .help = "how many receive channels alone", .example = "4" },
	{ NIC("channels.tx", count_type, channels_kind[CHANNEL_TX]), .words = channels_words,
	  .least = 0, .most = QUEUES_MAX, .details = DETAIL_CHANNELS,
	  .values = "per-cpu, max or a number", .help = "how many transmit channels alone", .example = "1" },
	{ NIC("irq", cpus_type, irq), .words = irq_words, .details = DETAILS_QUEUES,
	  .values = "spread, all or a CPU expression", .help = "the CPUs of queue interrupts",
	  .example = "spread" },
	{ NIC("irq.control", cpus_type, irq_control), .words = no_words, .details = DETAILS_QUEUES,
	  .values = "a CPU expression", .help = "the CPUs of interrupts that serve no queue",
	  .example = "housekeeping" },
	{ NIC("rps", cpus_type, rps), .words = off, .details = DETAIL_RPS,
	  .values = "off or a CPU expression", .help = "the CPUs of receive packet steering",
	  .example = "cpus - irq-cpus" },
	{ NIC("rps.flows", count_type, rps_flows), .words = no_words, .least = 0, .most = FLOWS_MAX,
	  .details = DETAIL_RPS_FLOWS,
	  .values = "a number", .help = "entries of the flow table of a receive queue", .example = "4096" },
	{ NIC("xps", cpus_type, xps), .words = xps_words, .details = DETAIL_XPS | DETAIL_XPS_RXQS | DETAILS_QUEUES,
	  .values = "follow-irq, off, rxqs or a CPU expression", .help = "the CPUs of transmit packet steering",
	  .example = "follow-irq" },
	{ NIC("pause", word_type, pause), .words = pause_words, .details = DETAIL_PAUSE,
	  .values = "off, on, rx, tx or autoneg", .help = "Ethernet flow control", .example = "off" },
	{ NIC("ring.rx", count_type, ring_rx), .words = max_word, .least = 1, .most = RING_MAX,
	  .details = DETAIL_RINGS,
	  .values = "max or a number", .help = "descriptors of a receive ring", .example = "max" },
	{ NIC("ring.tx", count_type, ring_tx), .words = max_word, .least = 1, .most = RING_MAX,
	  .details = DETAIL_RINGS,
	  .values = "max or a number", .help = "descriptors of a transmit ring", .example = "1024" },
	{ NIC("offload.rx", word_type, offloads[OFFLOAD_RX]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "checksums of what is received", .example = "off" },
	{ NIC("offload.tx", word_type, offloads[OFFLOAD_TX]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "checksums of what is sent", .example = "off" },
	{ NIC("offload.sg", word_type, offloads[OFFLOAD_SG]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "sending from several pieces of memory", .example = "off" },
	{ NIC("offload.tso", word_type, offloads[OFFLOAD_TSO]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "cutting large TCP segments up in the device", .example = "off" },
	{ NIC("offload.gso", word_type, offloads[OFFLOAD_GSO]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "cutting large packets up just before the driver", .example = "off" },
	{ NIC("offload.gro", word_type, offloads[OFFLOAD_GRO]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "joining received packets of a flow in the stack", .example = "off" },
	{ NIC("offload.gro-hw", word_type, offloads[OFFLOAD_GRO_HW]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "the same in the device", .example = "off" },
	{ NIC("offload.lro", word_type, offloads[OFFLOAD_LRO]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "joining received packets without a way back, which a router must not do", .example = "off" },
	{ NIC("offload.rxvlan", word_type, offloads[OFFLOAD_RXVLAN]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "taking VLAN tags off in the device", .example = "off" },
	{ NIC("offload.txvlan", word_type, offloads[OFFLOAD_TXVLAN]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "putting VLAN tags on in the device", .example = "off" },
	{ NIC("offload.rxhash", word_type, offloads[OFFLOAD_RXHASH]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "the hash of a flow by the device, for RPS", .example = "off" },
	{ NIC("offload.ntuple", word_type, offloads[OFFLOAD_NTUPLE]), .words = on_off_words, .details = DETAIL_FEATURES,
	  .values = "on or off", .help = "filters that lead flows to queues", .example = "off" },
	{ NIC("link", word_type, link), .words = link_word,
	  .values = "up", .help = "whether the device is set up", .example = "up" },
	{ NIC("disruptive", word_type, disruptive), .words = disruptive_words,
	  .values = "always, link-down or never", .help = "when a change that resets the link may be made",
	  .example = "link-down" },

	{ .section = "sysctl", .name = "net.*",
	  .values = "the value to write", .help = "a kernel setting under net.; one component may be *",
	  .example = "net.ipv4.conf.*.send_redirects = 0" },

	{ FMC("mode", word_type, mode), .words = fmc_words,
	  .values = "single, spread, files or off", .help = "what fmc has the Frame Manager do with frames",
	  .example = "single" },
	{ FMC("ports", ports_type, ports),
	  .values = "names like mac9 or eth4", .help = "the ports it is about", .example = "mac9 mac10" },
	{ FMC("cpus", cpus_type, cpus), .words = no_words,
	  .values = "a CPU expression", .help = "the CPUs that receive", .example = "0-3" },
	{ FMC("hash", word_type, hash), .words = hash_words,
	  .values = "l4, l3 or l3l4-v4", .help = "what of a frame decides the CPU", .example = "l3" },
	{ FMC("symmetric", word_type, symmetric), .words = yes_no_words,
	  .values = "yes or no", .help = "both directions of a flow on one CPU", .example = "yes" },
	{ FMC("queues", count_type, queues), .words = auto_word, .least = 2, .most = 128,
	  .values = "auto or a power of two up to 128", .help = "frame queues of a port", .example = "128" },
	{ FMC("config", path_type, config),
	  .values = "a path", .help = "with mode = files: what uses which policy",
	  .example = "/etc/fmc/config.xml" },
	{ FMC("policy", path_type, policy),
	  .values = "a path", .help = "with mode = files: the policies of fmc", .example = "/etc/fmc/policy.xml" },
	{ FMC("program", program_type, program),
	  .values = "a name or a path", .help = "the program fmc", .example = "/opt/bsp/bin/fmc" },
	{ FMC("pdl", path_type, pdl),
	  .values = "a path", .help = "the description of protocols that fmc reads",
	  .example = "/etc/fmc/config/hxs_pdl_v3.xml" },
	{ FMC("timeout", seconds_type, timeout), .words = NULL, .least = 1, .most = FMC_MAX,
	  .values = "a time such as 30s", .help = "how long fmc may take", .example = "30s" },
	{ FMC("on-change", word_type, reapply), .words = change_words,
	  .values = "reboot or reapply", .help = "what another policy does after fmc has run in this boot",
	  .example = "reapply" },
	{ FMC("share-state", word_type, share_state), .words = yes_no_words,
	  .values = "yes or no", .help = "fmc's state stays in /tmp, where DPDK reads it", .example = "yes" },

	{ .section = "daemon", .name = "audit", .type = &seconds_type, .offset = offsetof(struct policy, audit),
	  .words = off_word, .least = 1, .most = AUDIT_MAX,
	  .values = "off or a time such as 60s, 5min or 1h", .help = "how often everything is looked at without an event",
	  .example = "60s" },
};
/* clang-format on */

/* Keys and sections that the language has, but not this version. */
static const char *const later_keys[] = { "when.xdp", "when.driver-version", "coalesce.*", "rss", "napi.*",
					  "arfs",     "rfs.entries" };
static const char *const later_sections[] = { "irqbalance" };
static const char *const sections[] = { "policy", "nic", "sysctl", "fmc", "daemon" };

/* What other tools call it. */
static const struct {
	const char *theirs, *ours;
} aliases[] = {
	{ "queues", "channels" },
	{ "combined", "channels.combined" },
	{ "rx-queues", "channels.rx" },
	{ "tx-queues", "channels.tx" },
	{ "CombinedChannels", "channels.combined" },
	{ "RxChannels", "channels.rx" },
	{ "TxChannels", "channels.tx" },
	{ "ReceiveQueues", "channels.rx" },
	{ "TransmitQueues", "channels.tx" },
	{ "rings", "ring.rx and ring.tx" },
	{ "ring", "ring.rx and ring.tx" },
	{ "RxBufferSize", "ring.rx" },
	{ "TxBufferSize", "ring.tx" },
	{ "affinity", "irq" },
	{ "irq-affinity", "irq" },
	{ "IRQAffinity", "irq" },
	{ "IRQAffinityPolicy", "irq" },
	{ "flow-control", "pause" },
	{ "RxFlowControl", "pause" },
	{ "TxFlowControl", "pause" },
	{ "rfs", "rps.flows" },
	{ "rps_cpus", "rps" },
	{ "xps_cpus", "xps" },
	{ "rps_flow_cnt", "rps.flows" },
};

size_t policy_keys(const struct key **ret)
{
	*ret = keys;
	return COUNT_OF(keys);
}

const struct key *key_find(const char *section, const char *name)
{
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (strcmp(keys[i].section, section) == 0 && (!keys[i].type || strcmp(keys[i].name, name) == 0))
			return &keys[i];
	return NULL;
}

static bool among(const char *const *globs, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (text_glob(globs[i], name))
			return true;
	return false;
}

static const char *alias_of(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(aliases); i++)
		if (strcasecmp(aliases[i].theirs, name) == 0)
			return aliases[i].ours;
	return NULL;
}

void key_explain(const char *section, const char *name, struct problem *problem)
{
	CLEANUP(free_string) char *matched = text_format("match.%s", name);
	const char *names[COUNT_OF(keys)], *alias = alias_of(name);
	size_t n = 0;

	if (among(later_keys, COUNT_OF(later_keys), name)) {
		problem_set(problem, 1, "key '%s' is not supported by this version", name);
		return;
	}
	problem_set(problem, 1, "unknown key '%s'", name);
	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		if (strcmp(keys[i].section, section) == 0)
			names[n++] = keys[i].name;
		else if (strcmp(keys[i].name, name) == 0)
			problem->hint = text_format("it belongs in [%s]", keys[i].section);
	}
	if (problem->hint)
		return;
	if (alias && strcmp(section, "nic") == 0)
		problem->hint = text_format("here it is %s", alias);
	else if (key_find(section, matched))
		problem->hint = text_format("did you mean '%s'?", matched);
	else
		problem_near(problem, name, names, n);
}

bool section_known(const char *kind)
{
	return among(sections, COUNT_OF(sections), kind);
}

void section_explain(const char *kind, struct problem *problem)
{
	if (among(later_sections, COUNT_OF(later_sections), kind)) {
		problem_set(problem, 2, "section [%s] is not supported by this version", kind);
		return;
	}
	problem_set(problem, 2, "unknown section [%s]", kind);
	problem_near(problem, kind, sections, COUNT_OF(sections));
	if (!problem->hint)
		problem->hint = alloc_string("there are [policy], [nic NAME], [sysctl], [fmc] and [daemon]");
}
