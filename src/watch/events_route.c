/* Reads rtnetlink's messages about links. (Documentation/networking/netlink_spec/rt_link) */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include "sources.h"

/* The program's id; one that cannot be told has the way in which it is attached in its place. */
static uint32_t read_xdp(struct nlattr *attr)
{
	struct nlattr *attrs[IFLA_XDP_MAX + 1];

	if (!attr || nla_parse_nested(attrs, IFLA_XDP_MAX, attr, NULL) < 0)
		return 0;
	if (attrs[IFLA_XDP_PROG_ID] && nla_len(attrs[IFLA_XDP_PROG_ID]) == sizeof(uint32_t))
		return nla_get_u32(attrs[IFLA_XDP_PROG_ID]);
	return attrs[IFLA_XDP_ATTACHED] ? nla_get_u8(attrs[IFLA_XDP_ATTACHED]) : 0;
}

/* Bridges tell of their ports by messages of the same type but another family; a message without a name is none of a
 * device but of its radio. */
int route_read(const void *message, struct link_news *ret, bool *ret_gone)
{
	struct nlmsghdr *header = (struct nlmsghdr *)message;
	struct nlattr *attrs[IFLA_MAX + 1];
	const struct ifinfomsg *info;

	if (header->nlmsg_type != RTM_NEWLINK && header->nlmsg_type != RTM_DELLINK)
		return 0;
	if (nlmsg_parse(header, sizeof *info, attrs, IFLA_MAX, NULL) < 0 || !attrs[IFLA_IFNAME])
		return 0;
	info = nlmsg_data(header);
	if (info->ifi_family != AF_UNSPEC || info->ifi_index <= 0)
		return 0;
	*ret = (struct link_news){
		.ifindex = (unsigned)info->ifi_index,
		.up = info->ifi_flags & IFF_UP,
		.carrier = info->ifi_flags & IFF_LOWER_UP,
		.xdp = read_xdp(attrs[IFLA_XDP]),
	};
	if (attrs[IFLA_MASTER] && nla_len(attrs[IFLA_MASTER]) == sizeof(uint32_t))
		ret->master = nla_get_u32(attrs[IFLA_MASTER]);
	nla_strlcpy(ret->name, attrs[IFLA_IFNAME], sizeof ret->name);
	*ret_gone = header->nlmsg_type == RTM_DELLINK;
	return 1;
}

int route_list(int fd, unsigned sequence)
{
	const struct {
		struct nlmsghdr header;
		struct ifinfomsg info;
	} request = {
		.header = { .nlmsg_len = sizeof request,
			    .nlmsg_type = RTM_GETLINK,
			    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
			    .nlmsg_seq = sequence },
		.info = { .ifi_family = AF_UNSPEC },
	};

	return send(fd, &request, sizeof request, 0) < 0 ? -errno : 0;
}

int route_is_end(const void *message)
{
	struct nlmsghdr *header = (struct nlmsghdr *)message;
	const struct nlmsgerr *error = nlmsg_data(header);

	if (header->nlmsg_type == NLMSG_DONE)
		return 1;
	return header->nlmsg_type == NLMSG_ERROR && nlmsg_datalen(header) >= (int)sizeof error->error ? error->error
												      : 0;
}
