/* Reads a machine: host -> struct machine. Only reads; what cannot be read is unknown, never an error. */
#pragma once

#include <steer/host.h>
#include <steer/machine.h>
#include <steer/note.h>

struct observe_scope {
	/* Which details of a NIC are wanted; asked for each NIC once what it is (name, driver, bus, kind, links, node)
	 * and the host facts are known. NULL: DETAIL_ALL of every NIC. */
	unsigned (*details)(const void *context, const struct machine *machine, const struct nic *nic);
	const void *context;
	bool flows; /* whether flow offloading is of interest; without a scope it is where the kernel has it already */
	const struct fmc_paths *fmc; /* the Frame Manager is of interest, and what a policy names of it; without a scope
					it is, and nothing is named */
	const struct strings *sysctls;   /* names to read; NULL: none */
	const struct topology *topology; /* taken over (copied) instead of being read again; NULL: read it. CPUs change
					    only by hotplug */
};

/* Fills *ret, which the caller clears. Fails only when the root has no /sys or /proc at all (-ENOENT). Oddities
 * (contradictory topology, unreadable files that matter) are added to notes. */
int observe(struct host *host, const struct observe_scope *scope, struct machine *ret, struct notes *notes);

/* Observes a machine anew that was observed a moment ago: what is in *machine then is taken over for what the host is,
 * for the topology, and for what each device is as long as its name and ifindex are the same; link and settings are
 * read again. On failure the machine is left empty. */
int observe_again(struct host *host, const struct observe_scope *scope, struct machine *machine, struct notes *notes);

/* Reads further details (bits of enum detail) of one NIC of an observed machine. */
void observe_more(struct host *host, struct machine *machine, struct nic *nic, unsigned details, struct notes *notes);

/* The topology alone. Never fails: with nothing readable it is one CPU, flat. */
void observe_topology(struct host *host, struct topology *ret, struct notes *notes);
