/* The machine as it is: one plain value that observe fills and that plan, findings and show read. */
#pragma once

#include <stddef.h>

#include <steer/fman.h>
#include <steer/nic.h>
#include <steer/text.h>
#include <steer/topology.h>

struct sysctl {
	char *name;  /* "net.ipv4.ip_forward" */
	char *value; /* NULL: the kernel has no such name */
};

/* Established flows may go past most of the stack, by an nftables flowtable that hooks their device. */
enum flow_offload { FLOW_OFFLOAD_UNKNOWN, FLOW_OFFLOAD_OFF, FLOW_OFFLOAD_SOFTWARE, FLOW_OFFLOAD_HARDWARE };

struct flowtable {
	char *family, *table, *name; /* "inet", "fw4", "ft" */
	struct strings devices;      /* that it hooks; a last "*" stands for any end of a name */
	bool hardware;               /* it asks the devices to do it */
	bool used;                   /* a rule sends flows to it */
};

struct flow_offloads {
	bool asked; /* whether anybody wanted to know */
	bool known; /* what the kernel says is in tables */
	struct flowtable *tables;
	size_t ntables;
	enum flow_offload configured; /* what OpenWrt's /etc/config/firewall says; UNKNOWN: there is none */
};

struct machine {
	struct topology topology;
	struct nic *nics; /* natural order of names, so that nothing depends on how sysfs lists them */
	size_t nnics;
	char *hostname;
	char *arch;   /* "x86_64" */
	char *kernel; /* release */
	struct strings cmdline;
	char *irqbalance;       /* "active", "inactive"; NULL unknown */
	struct sysctl *sysctls; /* those that were asked for */
	size_t nsysctls;
	struct flow_offloads flows;
	struct fman fman;
};

void machine_clear(struct machine *machine);                                 /* for CLEANUP; leaves {0} */
struct nic *machine_nic(const struct machine *machine, const char *name);    /* NULL: no such device */
const char *machine_sysctl(const struct machine *machine, const char *name); /* NULL: not known */

void flowtables_clear(struct flow_offloads *flows); /* leaves {0} */
bool flowtables_equal(const struct flow_offloads *a, const struct flow_offloads *b);
const char *flow_offload_name(enum flow_offload offload); /* "unknown", "off", "software", "hardware" */

/* What happens to the flows of a device: a flowtable that is in use hooks it, or a device below it (a bridge's ports,
 * what a VLAN is on), whose packets do not come up to it then. One that hooks a device above it, or is not used, means
 * nothing to it. Where the kernel does not tell, the configuration counts. *ret_why (may be NULL) says how that is
 * known; the caller frees. */
enum flow_offload machine_flow_offload(const struct machine *machine, const struct nic *nic, char **ret_why);
