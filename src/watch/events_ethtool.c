/* Reads the messages of ethtool's group `monitor`: somebody has changed a setting. */
#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include <steer/cleanup.h>

#include "sources.h"

static void free_socket(struct nl_sock **socket)
{
	nl_socket_free(*socket);
}

int ethtool_group(uint16_t *ret_family, unsigned *ret_group)
{
	CLEANUP(free_socket) struct nl_sock *socket = nl_socket_alloc();
	int family, group;

	if (!socket || genl_connect(socket) < 0)
		return -EIO;
	family = genl_ctrl_resolve(socket, ETHTOOL_GENL_NAME);
	group = genl_ctrl_resolve_grp(socket, ETHTOOL_GENL_NAME, ETHTOOL_MCGRP_MONITOR_NAME);
	if (family < 0 || group < 0)
		return -ENOENT;
	*ret_family = (uint16_t)family;
	*ret_group = (unsigned)group;
	return 0;
}

/* Every notification begins with the device it is about: attribute 1, whatever the message. */
int ethtool_read(const void *message, uint16_t family, enum event_kind *ret, unsigned *ret_ifindex)
{
	struct nlmsghdr *header = (struct nlmsghdr *)message;
	struct nlattr *attrs[ETHTOOL_A_CHANNELS_HEADER + 1], *device[ETHTOOL_A_HEADER_MAX + 1];
	const struct genlmsghdr *command;

	if (header->nlmsg_type != family || !genlmsg_valid_hdr(header, 0))
		return 0;
	if (genlmsg_parse(header, 0, attrs, ETHTOOL_A_CHANNELS_HEADER, NULL) < 0 || !attrs[ETHTOOL_A_CHANNELS_HEADER])
		return 0;
	if (nla_parse_nested(device, ETHTOOL_A_HEADER_MAX, attrs[ETHTOOL_A_CHANNELS_HEADER], NULL) < 0 ||
	    !device[ETHTOOL_A_HEADER_DEV_INDEX])
		return 0;
	command = nlmsg_data(header);
	*ret = command->cmd == ETHTOOL_MSG_CHANNELS_NTF ? EVENT_NIC_QUEUES : EVENT_NIC_SETTINGS;
	*ret_ifindex = nla_get_u32(device[ETHTOOL_A_HEADER_DEV_INDEX]);
	return 1;
}
