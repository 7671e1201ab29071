/* What the kernel and udev say while nothing is asked: devices, links, settings, CPUs. Turns many sources into one
 * plain stream; decides nothing. (Documentation/networking/ethtool-netlink.rst, udev(7), rtnetlink(7))
 *
 * A device is announced when udev is done with it (initialized and not being renamed), or, where no udevd runs, when
 * the kernel says so. */
#pragma once

#include <stdbool.h>

#include <steer/note.h>

enum event_kind {
	EVENT_NIC_ADDED,   /* new, or moved into this namespace */
	EVENT_NIC_CHANGED, /* renamed, new master, XDP */
	EVENT_NIC_QUEUES,  /* queues came or went: channels were changed */
	EVENT_NIC_UP,      /* set up, or carrier came: drivers make interrupts and affinities anew */
	EVENT_NIC_DOWN,
	EVENT_NIC_SETTINGS, /* ethtool settings were changed by somebody, us included */
	EVENT_NIC_REMOVED,
	EVENT_CPU,       /* went on- or offline */
	EVENT_FLOWTABLE, /* an nftables flowtable came, went or changed */
	EVENT_OVERRUN,   /* messages were lost: look at everything */
	EVENT_KINDS
};

struct event {
	enum event_kind kind;
	unsigned ifindex; /* 0: not of one device */
};

struct events;

/* Opens the sources, before the first observation. flowtables: also listen to nftables (needs the module, so only when
 * a policy asks). The notes say whether udev or the kernel itself announces devices. */
int events_open(bool flowtables, struct events **ret, struct notes *notes);
void events_close(struct events *events);
int events_fd(const struct events *events); /* readable when there is something to take */

/* Takes the next event. 1: *ret is set; 0: nothing more now; -errno. Never blocks. */
int events_take(struct events *events, struct event *ret);
const char *event_kind_name(enum event_kind kind);
