/* What the kernel and udev say while nothing is asked: devices, links, settings, CPUs. Turns many sources into one
 * plain stream; decides nothing. (Documentation/networking/ethtool-netlink.rst, udev(7), rtnetlink(7))
 *
 * A device is announced when udev is done with it (its rules ran and it is not being renamed), or, where no udevd runs,
 * as soon as the kernel has made it. Nothing else is said of a device before that. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <steer/note.h>

enum event_kind {
	EVENT_NIC_ADDED,    /* new, or moved into this namespace */
	EVENT_NIC_CHANGED,  /* renamed, new master, XDP, or udev went over it again */
	EVENT_NIC_QUEUES,   /* queues came or went: channels were changed */
	EVENT_NIC_UP,       /* set up, or carrier came: drivers make interrupts and affinities anew */
	EVENT_NIC_DOWN,     /* set down, or carrier went */
	EVENT_NIC_SETTINGS, /* ethtool settings were changed by somebody, us included */
	EVENT_NIC_REMOVED,
	EVENT_CPU,     /* went on- or offline */
	EVENT_FLOWS,   /* the ruleset of nftables was changed */
	EVENT_OVERRUN, /* messages were lost: look at everything */
	EVENT_KINDS
};

struct event {
	enum event_kind kind;
	unsigned ifindex; /* 0: not of one device */
};

struct events;

struct events_setup {
	size_t buffer;      /* bytes of a socket's receive buffer; 0: enough for a storm of thousands of devices */
	unsigned udev_wait; /* ms that udev may take for a new device; 0: 5 s */
};

/* Opens the sources, before the first observation. setup NULL: as usual. The notes say whether udev or the kernel
 * announces devices, and which source there is not. */
int events_open(const struct events_setup *setup, struct events **ret, struct notes *notes);
void events_close(struct events *events);   /* NULL is fine */
void events_closep(struct events **events); /* for CLEANUP */
int events_fd(const struct events *events); /* readable when there is something to take */

/* Whether to hear of nftables too, which is wanted only where flow offloading matters. The first time it is, the kernel
 * may load nf_tables. A kernel without says so in notes, and nothing is heard. */
int events_hear_flows(struct events *events, bool wanted, struct notes *notes);

/* Takes the next event. 1: *ret is set; 0: nothing more now; -errno. Never blocks. */
int events_take(struct events *events, struct event *ret);

/* Whether a device may be touched: announced and still there. One that is not yet will be announced. */
bool events_ready(const struct events *events, unsigned ifindex);

/* Whether udev announces devices, and not the kernel itself. */
bool events_by_udev(const struct events *events);

/* The .link file that udev has applied to a device, or NULL. events may be NULL. Caller frees. */
char *events_link_file(const struct events *events, const char *device);

const char *event_kind_name(enum event_kind kind); /* "added", "changed", "queues", ... */
