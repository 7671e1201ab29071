/* What is known of single drivers and cannot be read from the kernel. Private to this folder. */
#pragma once

#include <stdbool.h>

#include <steer/machine.h>

/* Bits. */
enum driver_trait {
	DRIVER_KEEPS_VECTORS = 1 << 0,   /* a channel change leaves the interrupts and their numbers */
	DRIVER_KEEPS_LINK = 1 << 1,      /* a channel change does not reset the link */
	DRIVER_REWRITES_XPS = 1 << 2,    /* sets XPS by itself whenever it makes its queues */
	DRIVER_FIXED_CHANNELS = 1 << 3,  /* shows its channels, has no way to set them */
	DRIVER_XDP_LOCKS = 1 << 4,       /* refuses any channel change while an XDP program is attached */
	DRIVER_PAIRS_OVER_HALF = 1 << 5, /* one vector for rx and tx only above half of its queues */
	DRIVER_RINGS_REMAKE = 1 << 6,    /* a ring change makes the interrupts anew */
	DRIVER_PAUSE_FOLLOWS = 1 << 7,   /* pause negotiation follows the link's, it is not set apart */
	DRIVER_PAUSE_FORCED = 1 << 8,    /* does not negotiate pause at all */
};

bool driver_has(const struct nic *nic, enum driver_trait trait);
