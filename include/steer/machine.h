/* The machine as it is: one plain value that observe fills and that plan, findings and show read. */
#pragma once

#include <stddef.h>

#include <steer/nic.h>
#include <steer/text.h>
#include <steer/topology.h>

struct sysctl {
	char *name;  /* "net.ipv4.ip_forward" */
	char *value; /* NULL: the kernel has no such name */
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
};

void machine_clear(struct machine *machine);                                 /* for CLEANUP; leaves {0} */
struct nic *machine_nic(const struct machine *machine, const char *name);    /* NULL: no such device */
const char *machine_sysctl(const struct machine *machine, const char *name); /* NULL: not known */
