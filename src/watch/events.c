/* Listens to all sources at once and hands out what they say, one event after the other. Decides nothing, never waits.
 *
 * The kernel's word on links is read before anybody else's: what others say is about devices that it has told of. */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <netlink/msg.h>

#include <steer/cleanup.h>
#include <steer/loop.h>
#include <steer/text.h>

#include "sources.h"

enum {
	BUFFER = 8 << 20,
	UDEV_WAIT = 5000,
	UEVENTS_KERNEL = 1, /* the group of the kernel's own words (libudev calls it "kernel") */
	LIST = 0x73746565,  /* the sequence number of the request for all links; news have 0, or somebody else's */
	LIST_WAIT = 2000,   /* the kernel makes the list while it is read: it is there, or something is wrong */
	LISTS_MOST = 3,
};

struct events {
	int fd;                      /* epoll: all of the following */
	int route, uevents, ethtool; /* sockets */
	int flows;                   /* another one; -1: not wanted, or not to be had */
	int timer;                   /* when udev's time is over */
	struct udev_source *udev;    /* NULL: no udevd */
	uint16_t ethtool_family;
	struct links links;
	struct event_list list;
	bool timing;
	_Alignas(8) char data[DATAGRAM];
};

/* ---- links ------------------------------------------------------------------------------------------------------ */

static bool is_done(const struct events *events, const struct link_news *news)
{
	return !events->udev || udev_done(events->udev, news->name);
}

/* Tells what is in a datagram. While a list is read, its parts are told of in silence; 1: it has ended. */
static int read_links(struct events *events, size_t size, bool listing)
{
	struct nlmsghdr *header = (struct nlmsghdr *)(void *)events->data;
	int end = 0;

	for (int left = (int)size; nlmsg_ok(header, left); header = nlmsg_next(header, &left)) {
		bool listed = listing && header->nlmsg_seq == LIST;
		struct link_news news;
		bool gone;

		if (listed && end == 0)
			end = route_is_end(header);
		if (!route_read(header, &news, &gone))
			continue;
		if (gone)
			links_gone(&events->links, news.ifindex, &events->list);
		else if (listed)
			links_enter(&events->links, loop_now(), &news, is_done(events, &news));
		else
			links_tell(&events->links, loop_now(), &news, &events->list);
	}
	return end;
}

/* -ENOBUFS: words were lost meanwhile, so it may be wrong already. */
static int read_list(struct events *events)
{
	struct pollfd ready = { .fd = events->route, .events = POLLIN };
	int r = route_list(events->route, LIST);
	bool lost = false;

	links_begin(&events->links);
	while (r == 0) {
		ssize_t size = source_take(events->route, events->data, sizeof events->data);

		lost |= size == -ENOBUFS;
		if (size == 0 && poll(&ready, 1, LIST_WAIT) == 0)
			return -ETIMEDOUT;
		if (size < 0 && size != -ENOBUFS)
			return (int)size;
		r = size > 0 ? read_links(events, (size_t)size, true) : 0;
	}
	if (r < 0)
		return r;
	links_end(&events->links);
	return lost ? -ENOBUFS : 0;
}

/* Reads all links anew: at the start, and when words about them were lost. In a storm that does not end, the next loss
 * comes soon and is the next chance. */
static int list_links(struct events *events)
{
	int r = -ENOBUFS;

	for (int i = 0; i < LISTS_MOST && r == -ENOBUFS; i++)
		r = read_list(events);
	return r == -ENOBUFS ? 0 : r;
}

/* ---- sources ---------------------------------------------------------------------------------------------------- */

static int overrun(struct events *events)
{
	event_list_add(&events->list, EVENT_OVERRUN, 0);
	return list_links(events);
}

static int read_route(struct events *events)
{
	ssize_t size;

	while ((size = source_take(events->route, events->data, sizeof events->data)) > 0)
		(void)read_links(events, (size_t)size, false);
	return size == -ENOBUFS ? overrun(events) : (int)size;
}

static int read_uevents(struct events *events)
{
	ssize_t size;

	while ((size = source_take(events->uevents, events->data, sizeof events->data)) > 0) {
		char name[IFNAMSIZ] = "";
		enum event_kind kind;

		if (!uevent_read(events->data, (size_t)size, &kind, name))
			continue;
		if (kind == EVENT_CPU)
			event_list_add(&events->list, kind, 0);
		else
			links_queues(&events->links, name, &events->list);
	}
	return size == -ENOBUFS ? overrun(events) : (int)size;
}

static int read_ethtool(struct events *events)
{
	ssize_t size;

	while ((size = source_take(events->ethtool, events->data, sizeof events->data)) > 0) {
		struct nlmsghdr *header = (struct nlmsghdr *)(void *)events->data;
		enum event_kind kind;
		unsigned ifindex;

		if (nlmsg_ok(header, (int)size) && ethtool_read(header, events->ethtool_family, &kind, &ifindex))
			links_settings(&events->links, ifindex, kind, &events->list);
	}
	return size == -ENOBUFS ? overrun(events) : (int)size;
}

/* One event however many changes there were: what came of them is asked for. */
static int read_flows(struct events *events)
{
	bool changed = false;
	ssize_t size;

	while ((size = source_take(events->flows, events->data, sizeof events->data)) > 0)
		changed = true;
	if (changed || size == -ENOBUFS)
		event_list_add(&events->list, EVENT_FLOWS, 0);
	return size == -ENOBUFS ? 0 : (int)size;
}

static int read_udev(struct events *events)
{
	unsigned ifindex;
	int r;

	while ((r = udev_take(events->udev, &ifindex)) > 0)
		links_ready(&events->links, ifindex, &events->list);
	return r == -ENOBUFS ? overrun(events) : r;
}

static void set_timer(struct events *events)
{
	int64_t wait = links_wait(&events->links, loop_now());
	struct itimerspec when = { 0 };

	if (wait < 0 && !events->timing)
		return;
	events->timing = wait >= 0;
	if (events->timing) {
		when.it_value.tv_sec = wait / 1000;
		when.it_value.tv_nsec = wait % 1000 * 1000000 + 1; /* 0 would be never */
	}
	(void)timerfd_settime(events->timer, 0, &when, NULL);
}

static int read_sources(struct events *events)
{
	int r = read_route(events);

	if (r == 0 && events->udev)
		r = read_udev(events);
	if (r == 0)
		r = read_uevents(events);
	if (r == 0 && events->ethtool >= 0)
		r = read_ethtool(events);
	if (r == 0 && events->flows >= 0)
		r = read_flows(events);
	links_expire(&events->links, loop_now(), &events->list);
	set_timer(events);
	return r;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static int listen_to(struct events *events, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(events->fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static int open_udev(struct events *events, size_t buffer, struct notes *notes)
{
	int r = udev_open(buffer, &events->udev);

	if (r == -ENOENT) {
		notes_add(notes, NOTE_INFO, NULL, "no udevd runs here: devices are taken as the kernel makes them");
		return 0;
	}
	if (r < 0) {
		notes_add(notes, NOTE_WARNING, NULL,
			  "cannot listen to udev: devices are taken as the kernel makes them");
		return 0;
	}
	notes_add(notes, NOTE_INFO, NULL, "devices are taken when udev is done with them");
	events->links.wait_for_udev = true;
	return listen_to(events, udev_fd(events->udev));
}

static int open_ethtool(struct events *events, size_t buffer, struct notes *notes)
{
	unsigned group;
	int r = ethtool_group(&events->ethtool_family, &group);

	if (r < 0) {
		notes_add(notes, NOTE_WARNING, NULL, "the kernel does not tell when ethtool settings are changed");
		return 0;
	}
	events->ethtool = source_open(NETLINK_GENERIC, group, buffer);
	return events->ethtool < 0 ? events->ethtool : listen_to(events, events->ethtool);
}

static int open_uevents(struct events *events, size_t buffer)
{
	int r;

	events->uevents = source_open(NETLINK_KOBJECT_UEVENT, UEVENTS_KERNEL, buffer);
	if (events->uevents < 0)
		return events->uevents;
	r = uevent_filter(events->uevents);
	return r < 0 ? r : listen_to(events, events->uevents);
}

static int open_route(struct events *events, size_t buffer)
{
	events->route = source_open(NETLINK_ROUTE, RTNLGRP_LINK, buffer);
	return events->route < 0 ? events->route : listen_to(events, events->route);
}

static int open_base(struct events *events)
{
	events->fd = epoll_create1(EPOLL_CLOEXEC);
	if (events->fd < 0)
		return -errno;
	events->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return events->timer < 0 ? -errno : listen_to(events, events->timer);
}

int events_open(const struct events_setup *setup, struct events **ret, struct notes *notes)
{
	CLEANUP(events_closep) struct events *events = alloc_zero(1, sizeof *events);
	size_t buffer = setup && setup->buffer ? setup->buffer : BUFFER;
	int r;

	events->fd = events->route = events->uevents = events->ethtool = events->flows = events->timer = -1;
	events->links.patience = setup && setup->udev_wait ? setup->udev_wait : UDEV_WAIT;
	if ((r = open_base(events)) < 0 || (r = open_udev(events, buffer, notes)) < 0 ||
	    (r = open_uevents(events, buffer)) < 0 || (r = open_ethtool(events, buffer, notes)) < 0 ||
	    (r = open_route(events, buffer)) < 0 || (r = list_links(events)) < 0)
		return r;
	set_timer(events);
	*ret = TAKE(events);
	return 0;
}

void events_close(struct events *events)
{
	if (!events)
		return;
	close_fd(&events->fd);
	close_fd(&events->route);
	close_fd(&events->uevents);
	close_fd(&events->ethtool);
	close_fd(&events->flows);
	close_fd(&events->timer);
	udev_close(events->udev);
	links_clear(&events->links);
	free(events->list.items);
	free(events);
}

void events_closep(struct events **events)
{
	events_close(*events);
	*events = NULL;
}

/* ---- what others call ------------------------------------------------------------------------------------------- */

int events_fd(const struct events *events)
{
	return events->fd;
}

int events_take(struct events *events, struct event *ret)
{
	int r;

	if (event_list_take(&events->list, ret))
		return 1;
	r = read_sources(events);
	return r < 0 ? r : event_list_take(&events->list, ret);
}

int events_hear_flows(struct events *events, bool wanted, struct notes *notes)
{
	int r;

	if (wanted == (events->flows >= 0))
		return 0;
	if (!wanted) {
		close_fd(&events->flows); /* which ends epoll's interest */
		events->flows = -1;
		return 0;
	}
	events->flows = flows_open(BUFFER);
	if (events->flows < 0) {
		notes_add(notes, NOTE_WARNING, NULL, "the kernel does not tell when flowtables are changed: %s",
			  strerror(-events->flows));
		return 0;
	}
	r = listen_to(events, events->flows);
	return r;
}

bool events_ready(const struct events *events, unsigned ifindex)
{
	const struct link *link = links_find(&events->links, ifindex);

	return link && link->announced;
}

bool events_by_udev(const struct events *events)
{
	return events->udev != NULL;
}

char *events_link_file(const struct events *events, const char *device)
{
	return events && events->udev ? udev_link_file(events->udev, device) : NULL;
}
