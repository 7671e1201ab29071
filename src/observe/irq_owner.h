/* Which interrupts are a NIC's: everything that is known of who owns which, for all NICs of a machine. */
#pragma once

#include <steer/host.h>
#include <steer/machine.h>

#include "irq_names.h"
#include "proc_interrupts.h"

struct owner { /* what is known of the interrupts of one NIC */
	const struct nic *nic;
	char *device;   /* its directory */
	char *function; /* the PCI function it is or sits on; NULL: none */
	char *alias;    /* another name of its device; NULL: none */
	unsigned *list; /* what the device lists, ascending; none: no list, or an empty one */
	size_t nlist;
	struct opt_u32 intx; /* `irq` of a PCI function without a list */
	bool shares;         /* it has but a part of the function's: only what it lists */
	bool silent;         /* it has no interrupts of its own (USB, VMBus) */
	bool sole;           /* the only NIC of its driver */
};

struct owners {
	const struct machine *machine;
	struct owner *items; /* one for each NIC that is not virtual */
	size_t n;
	struct interrupts rows;
};

void owners_init(struct owners *owners, struct host *host, const struct machine *machine);
void owners_clear(struct owners *owners);

/* The vectors of a NIC. They point into owners. */
void owners_find(const struct owners *owners, const struct nic *nic, struct vectors *ret);
void owned_clear(struct vectors *vectors); /* for CLEANUP */
