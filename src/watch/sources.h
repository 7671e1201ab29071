/* The sources behind the stream of events, and the table of devices that they feed. */
#pragma once

#include <linux/if.h>
#include <stdint.h>

#include <steer/events.h>

/* ---- what is waiting to be taken (events_list.c) ----------------------------------------------------------------- */

struct event_list {
	struct event *items;
	size_t n, taken;
};

/* Adds one, unless it says what the last one says. */
void event_list_add(struct event_list *list, enum event_kind kind, unsigned ifindex);
bool event_list_take(struct event_list *list, struct event *ret); /* false: there is none */

/* ---- devices (events_links.c): pure ----------------------------------------------------------------------------- */

struct link_news { /* what a link message says */
	unsigned ifindex;
	char name[IFNAMSIZ];
	bool up, carrier;
	unsigned master;
	uint32_t xdp; /* id of the program, or how it is attached; 0: none */
};

struct link { /* one device of this namespace */
	struct link_news news;
	bool announced;
	uint64_t deadline; /* until then udev may say that it is done with it */
	bool listed;       /* by the dump that is going on */
};

struct links {
	struct link *items; /* ascending ifindexes */
	size_t n, last;     /* found by name */
	bool wait_for_udev;
	unsigned patience;   /* ms that udev has for a device */
	bool heard, gave_up; /* udev has finished one; it has not finished one in time */
};

void links_clear(struct links *links);
const struct link *links_find(const struct links *links, unsigned ifindex); /* NULL: not here */
const struct link *links_named(struct links *links, const char *name);      /* NULL: not here */

/* The kernel tells of a device. */
void links_tell(struct links *links, uint64_t now, const struct link_news *news, struct event_list *list);
void links_gone(struct links *links, unsigned ifindex, struct event_list *list);
void links_queues(struct links *links, const char *name, struct event_list *list);
void links_settings(struct links *links, unsigned ifindex, enum event_kind kind, struct event_list *list);

/* Udev is done with a device, once more perhaps. */
void links_ready(struct links *links, unsigned ifindex, struct event_list *list);

/* A list of all devices replaces what was known, without events: begin, enter each, end. done: udev is done with it. */
void links_begin(struct links *links);
void links_enter(struct links *links, uint64_t now, const struct link_news *news, bool done);
void links_end(struct links *links);

int64_t links_wait(const struct links *links,
		   uint64_t now); /* until udev's time for a device is over; -1: none waits */
void links_expire(struct links *links, uint64_t now, struct event_list *list);

/* ---- netlink sockets (events_socket.c) -------------------------------------------------------------------------- */

int source_open(int protocol, unsigned group, size_t buffer); /* group: its number; a descriptor, or -errno */

/* Takes one datagram of the kernel's. Its size; 0: nothing now; -ENOBUFS: some were lost; -errno. */
ssize_t source_take(int fd, void *data, size_t size);

/* ---- what the datagrams say ------------------------------------------------------------------------------------- */

enum { DATAGRAM = 32 << 10 }; /* the longest message of the groups that are listened to is a link's: about 4 KiB */

/* events_route.c. 1: *ret is set, *ret_gone tells whether the device is gone; 0: of no interest. */
int route_read(const void *message, struct link_news *ret, bool *ret_gone);
int route_list(int fd, unsigned sequence); /* asks for all devices; every part of the answer has the number */
int route_is_end(const void *message);     /* 1: of the list; -errno: it cannot be had */

/* events_ethtool.c: changed settings. */
int ethtool_group(uint16_t *ret_family, unsigned *ret_group); /* -ENOENT: not in this kernel */
int ethtool_read(const void *message, uint16_t family, enum event_kind *ret, unsigned *ret_ifindex); /* 1, 0 */

/* events_uevent.c: CPUs and queues. */
int uevent_filter(int fd); /* lets nothing through that cannot be either */
int uevent_read(const char *data, size_t size, enum event_kind *ret, char ret_name[IFNAMSIZ]); /* 1, 0 */

/* events_flows.c: a socket that hears when a change of nftables' ruleset is complete, and nothing else; or -errno. */
int flows_open(size_t buffer);

/* events_udev.c */
struct udev_source;
int udev_open(size_t buffer, struct udev_source **ret); /* -ENOENT: no udevd runs */
void udev_close(struct udev_source *source);            /* NULL is fine */
int udev_fd(const struct udev_source *source);
int udev_take(struct udev_source *source,
	      unsigned *ret_ifindex); /* 1: udev is done with it; 0: nothing now; -ENOBUFS */
bool udev_done(struct udev_source *source, const char *device);
char *udev_link_file(struct udev_source *source, const char *device);
