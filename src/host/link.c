/* Asks and tells route netlink about links: the kind of a virtual device, setting up, waiting for carrier. */
#include "kernel.h"

#include <errno.h>
#include <limits.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include <steer/cleanup.h>

#include "netlink.h"

#ifndef IFF_LOWER_UP /* linux/if.h has it, but cannot be included beside net/if.h */
#define IFF_LOWER_UP 0x10000
#endif

static struct nl_msg *link_message(int type, int flags, unsigned ifindex, unsigned set)
{
	struct ifinfomsg link = { .ifi_index = (int)ifindex, .ifi_flags = set, .ifi_change = set };
	struct nl_msg *message = nlmsg_alloc_simple(type, flags);

	if (!message || nlmsg_append(message, &link, sizeof link, NLMSG_ALIGNTO) < 0)
		abort(); /* no memory, see steer/cleanup.h */
	return message;
}

/* ---- kind ------------------------------------------------------------------------------------------------------ */

static void take_kind(struct nlmsghdr *header, void *context)
{
	struct nlattr *info = nlmsg_find_attr(header, sizeof(struct ifinfomsg), IFLA_LINKINFO);
	struct nlattr *kind = info ? nla_find(nla_data(info), nla_len(info), IFLA_INFO_KIND) : NULL;
	char **ret = context;

	if (kind && nla_len(kind) > 0 && !*ret)
		*ret = text_format("%.*s", nla_len(kind), (const char *)nla_data(kind));
}

char *link_kind(struct host *host, const char *name)
{
	CLEANUP(free_message) struct nl_msg *message = NULL;
	struct netlink *netlink;
	char *kind = NULL;

	if (strlen(name) >= IF_NAMESIZE || netlink_route(host, &netlink) < 0)
		return NULL;
	message = link_message(RTM_GETLINK, 0, 0, 0);
	nla_put_string(message, IFLA_IFNAME, name);
	netlink_request(netlink, message, take_kind, &kind, NULL);
	return kind;
}

/* ---- up -------------------------------------------------------------------------------------------------------- */

int link_set_up(struct host *host, const struct nic *nic, char **ret_said)
{
	CLEANUP(free_message) struct nl_msg *message = NULL;
	struct netlink *netlink;
	int r = netlink_route(host, &netlink);

	if (r < 0)
		return r;
	message = link_message(RTM_NEWLINK, NLM_F_ACK, nic->ifindex, IFF_UP);
	return netlink_request(netlink, message, NULL, NULL, ret_said);
}

/* ---- carrier --------------------------------------------------------------------------------------------------- */

static void take_carrier(struct nlmsghdr *header, void *context)
{
	const struct ifinfomsg *link = nlmsg_data(header);
	bool *carrier = context;

	if (nlmsg_datalen(header) >= (int)sizeof *link)
		*carrier = link->ifi_flags & IFF_LOWER_UP;
}

static int look(struct host *host, const struct nic *nic, bool *ret_carrier)
{
	CLEANUP(free_message) struct nl_msg *message = NULL;
	struct netlink *netlink;
	int r = netlink_route(host, &netlink);

	if (r < 0)
		return r;
	message = link_message(RTM_GETLINK, 0, nic->ifindex, 0);
	return netlink_request(netlink, message, take_carrier, ret_carrier, NULL);
}

static int open_events(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK };
	CLEANUP(close_fd) int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
	int ret = fd;

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0)
		return -errno;
	fd = -1;
	return ret;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for link events and takes them all. What they say is not looked at: some may have been lost (ENOBUFS), and by
 * now the link may have changed again. */
static int wait_events(int events, int64_t deadline)
{
	struct pollfd polled = { .fd = events, .events = POLLIN };
	int64_t left = deadline - now_ms();
	char byte;
	int r;

	if (left <= 0)
		return -ETIMEDOUT;
	r = poll(&polled, 1, left < INT_MAX ? (int)left : INT_MAX);
	if (r == 0)
		return -ETIMEDOUT;
	if (r < 0 && errno != EINTR)
		return -errno;
	while (recv(events, &byte, sizeof byte, 0) >= 0)
		;
	return 0;
}

/* The subscription comes before the first look, so that no change falls between the two. */
int link_wait_carrier(struct host *host, const struct nic *nic, unsigned milliseconds)
{
	int64_t deadline =
		now_ms() + milliseconds + (milliseconds > 0); /* the clock is cut, and the wait must not be */
	CLEANUP(close_fd) int events = open_events();
	bool carrier = false;
	int r = events < 0 ? events : 0;

	while (r == 0) {
		r = look(host, nic, &carrier);
		if (r == 0 && carrier)
			return 0;
		if (r == 0)
			r = wait_events(events, deadline);
	}
	return r;
}
