/* Builds generic netlink messages and finds families; what a family's commands mean is in ethtool.c and netdev.c. */
#include "genl.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include <steer/cleanup.h>

#include "private.h"

enum {
	GENL_VERSION = 1, /* of nlctrl, ethtool and netdev alike */
	DUMPS_MAX = 5,
};

struct nl_msg *genl_message(uint16_t family, uint8_t command, int flags)
{
	struct nl_msg *message = nlmsg_alloc();

	if (!message || !genlmsg_put(message, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, flags, command, GENL_VERSION))
		abort(); /* no memory, see steer/cleanup.h */
	return message;
}

void genl_attributes(struct nlmsghdr *header, struct nlattr **attrs, int max)
{
	if (genlmsg_parse(header, 0, attrs, max, NULL) < 0)
		memset(attrs, 0, sizeof *attrs * ((size_t)max + 1));
}

static void take_family(struct nlmsghdr *header, void *context)
{
	struct nlattr *attrs[CTRL_ATTR_MAX + 1];
	uint16_t *family = context;

	genl_attributes(header, attrs, CTRL_ATTR_MAX);
	if (attrs[CTRL_ATTR_FAMILY_ID] && nla_len(attrs[CTRL_ATTR_FAMILY_ID]) == sizeof *family)
		*family = nla_get_u16(attrs[CTRL_ATTR_FAMILY_ID]);
}

int genl_family(struct netlink *netlink, const char *name, uint16_t *known)
{
	CLEANUP(free_message) struct nl_msg *message = NULL;
	uint16_t family = 0;
	int r;

	if (*known)
		return 0;
	message = genl_message(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	nla_put_string(message, CTRL_ATTR_FAMILY_NAME, name);
	r = netlink_request(netlink, message, take_family, &family, NULL);
	if (r == -ENOENT || (r == 0 && !family))
		return -EOPNOTSUPP;
	if (r < 0)
		return r;
	*known = family;
	return 0;
}

int genl_dump(struct netlink *netlink, struct nl_msg *message, netlink_take *take, void (*again)(void *context),
	      void *context)
{
	int r = -EINTR;

	for (int attempts = 0; r == -EINTR && attempts < DUMPS_MAX; attempts++) {
		if (attempts)
			again(context);
		r = netlink_request(netlink, message, take, context, NULL);
	}
	return r;
}
