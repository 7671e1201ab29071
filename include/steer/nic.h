/* One network device as it is: what it is, its settings, its queues and interrupts. A plain value.
 *
 * Everything may be unknown. A pointer that is NULL, an option that is not set and a node of -1 all mean that the
 * kernel (or the capture) did not say; they never mean zero. No handle, descriptor or clock is in here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <steer/cpuset.h>
#include <steer/text.h>

struct opt_u32 {
	uint32_t value;
	bool set;
};

struct opt_bool {
	bool value;
	bool set;
};

#define SOME_U32(v) ((struct opt_u32){ .value = (v), .set = true })
#define SOME_BOOL(v) ((struct opt_bool){ .value = (v), .set = true })

enum nic_kind {
	NIC_PHYSICAL, /* has a device behind it, PCI, platform, virtio, ... */
	NIC_VF,       /* an SR-IOV virtual function */
	NIC_BRIDGE,
	NIC_VLAN,
	NIC_BOND,
	NIC_TEAM,
	NIC_VETH,
	NIC_TUN,
	NIC_WIREGUARD,
	NIC_MACVLAN,
	NIC_VXLAN,
	NIC_DUMMY,
	NIC_IFB,
	NIC_LOOPBACK,
	NIC_OTHER, /* some other virtual device */
	NIC_KINDS
};

enum channel_kind { CHANNEL_RX, CHANNEL_TX, CHANNEL_OTHER, CHANNEL_COMBINED, CHANNEL_KINDS };

struct channels { /* ethtool -l; not set: the driver does not have that kind */
	struct opt_u32 max[CHANNEL_KINDS];
	struct opt_u32 count[CHANNEL_KINDS];
};

struct pause { /* ethtool -a */
	struct opt_bool autoneg, rx, tx;
};

struct rings { /* ethtool -g, in descriptors */
	struct opt_u32 rx_max, rx, tx_max, tx;
};

struct feature { /* one line of ethtool -k, under the kernel's own name ("rx-lro") */
	char *name;
	bool active;
	bool fixed;
};

struct napi { /* netdev-genl napi-get and queue-get */
	uint32_t id;
	struct opt_u32 irq;
	uint32_t *rx, *tx; /* queue indexes it serves */
	size_t nrx, ntx;
};

enum queue_type { QUEUE_NONE, QUEUE_RX, QUEUE_TX, QUEUE_COMBINED };

struct queue {                /* one /sys/class/net/X/queues/{rx,tx}-N */
	enum queue_type type; /* QUEUE_RX or QUEUE_TX */
	unsigned index;
	cpuset *rps; /* rps_cpus (rx) */
	struct opt_u32 rps_flows;
	cpuset *xps;      /* xps_cpus (tx); NULL on a single-queue device: the kernel answers ENOENT */
	cpuset *xps_rxqs; /* tx: a set of rx queues */
	struct opt_u32 napi;
};

enum irq_role {
	IRQ_UNKNOWN, /* the device's, but what it serves is not known */
	IRQ_CONTROL, /* link, mailbox, error, PTP, ...: no queue */
	IRQ_RX,
	IRQ_TX,
	IRQ_COMBINED,
	IRQ_ROLES
};

struct irq {
	unsigned number;
	char *name;            /* the action that is this device's: "eth0-TxRx-0"; NULL when no action is registered */
	struct opt_u32 vector; /* MSI-X index on its function */
	enum irq_role role;
	struct opt_u32 rx, tx; /* the queues it serves; neither set: none or not known */
	const char *rule;      /* how that is known: "netdev-genl" or the format of the naming rule; static text */
	cpuset *affinity;      /* smp_affinity_list */
	cpuset *effective;     /* effective_affinity_list; lags until the next interrupt */
	bool fixed;            /* the kernel does not let it be moved (managed, per CPU; mode 0444) */
	bool shared;           /* other devices' actions are on the same line */
	bool requested;        /* has an action now; one that is only allocated has no /proc/irq/N */
};

enum link_state { LINK_UNKNOWN, LINK_DOWN, LINK_NO_CARRIER, LINK_UP };

struct nic {
	char *name;
	unsigned ifindex;
	enum nic_kind kind;
	char *driver; /* NULL unknown */
	char *driver_version;
	char *bus;  /* name of its device on its bus: "0000:81:00.0", "virtio0"; NULL for virtual devices */
	char *path; /* of its device below /sys/devices, plus "/net/NAME" for virtual ones: survives renames of physical
		       NICs, and keys what is remembered about it */
	char *pci_id; /* "15b3:1017"; NULL when not PCI */
	char *mac;
	int node;      /* -1 unknown */
	cpuset *local; /* CPUs near it (local_cpulist, of the PCI parent for virtio, or the node's CPUs); NULL unknown
			*/
	enum link_state link;
	struct opt_u32 speed; /* Mb/s */
	char *master;         /* the bridge or bond it belongs to */
	struct strings uppers, lowers;
	bool xdp;

	struct channels channels;
	struct pause pause;
	struct rings rings;
	struct feature *features;
	size_t nfeatures;
	struct napi *napis;
	size_t nnapis;

	struct queue *queues; /* rx-0.., then tx-0.. */
	size_t nqueues;
	struct irq *irqs; /* ascending numbers */
	size_t nirqs;
	unsigned details; /* what of the above was asked for: bits of enum detail */
};

/* What observe reads of a NIC beside what it is. Each costs system calls: a daemon asks for what its policy needs. */
enum detail {
	DETAIL_CHANNELS = 1 << 0,
	DETAIL_PAUSE = 1 << 1,
	DETAIL_RINGS = 1 << 2,
	DETAIL_FEATURES = 1 << 3,
	DETAIL_NAPI = 1 << 4,
	DETAIL_IRQS = 1 << 5,      /* numbers, names, roles, affinity */
	DETAIL_EFFECTIVE = 1 << 6, /* effective_affinity_list */
	DETAIL_RPS = 1 << 7,
	DETAIL_RPS_FLOWS = 1 << 8,
	DETAIL_XPS = 1 << 9,
	DETAIL_XPS_RXQS = 1 << 10,
	DETAIL_ALL = (1 << 11) - 1,
};

void nic_clear(struct nic *nic);

struct queue *nic_queue(const struct nic *nic, enum queue_type type, unsigned index); /* NULL: no such queue */
unsigned nic_queue_count(const struct nic *nic, enum queue_type type);                /* rx or tx queues that exist */
struct irq *nic_irq_of(const struct nic *nic, enum queue_type type, unsigned index);  /* NULL: not known */
bool nic_is_virtual(const struct nic *nic);

/* Words of the enums, and back (-EINVAL for another word). */
const char *nic_kind_name(enum nic_kind kind); /* "physical", "vf", "bridge", ... */
int nic_kind_parse(const char *word, enum nic_kind *ret);
const char *channel_kind_name(enum channel_kind kind); /* "rx", "tx", "other", "combined" */
const char *queue_type_name(enum queue_type type);     /* "rx", "tx", "combined", "" */
const char *irq_role_name(enum irq_role role);         /* "unknown", "control", "rx", "tx", "combined" */
const char *link_state_name(enum link_state link);     /* "unknown", "down", "no-carrier", "up" */
