/* Asks nfnetlink for the flowtables of nftables. (linux/netfilter/nf_tables.h; numbers are big endian there) */
#include "kernel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <stdlib.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include <steer/cleanup.h>

#include "netlink.h"

enum {
	DEVICE_PREFIX = 2, /* NFTA_DEVICE_PREFIX, since 6.16: stands for all names that begin so */
	HW_OFFLOAD = 1,    /* NFT_FLOWTABLE_HW_OFFLOAD */
};

static const char *family_name(uint8_t family)
{
	static const struct {
		uint8_t number;
		const char *name;
	} families[] = {
		{ NFPROTO_INET, "inet" },     { NFPROTO_IPV4, "ip" },       { NFPROTO_IPV6, "ip6" },
		{ NFPROTO_NETDEV, "netdev" }, { NFPROTO_BRIDGE, "bridge" },
	};

	for (size_t i = 0; i < COUNT_OF(families); i++)
		if (families[i].number == family)
			return families[i].name;
	return "?";
}

static void take_device(struct nlattr *attr, struct strings *devices)
{
	int length = nla_len(attr);
	const char *name = nla_data(attr);

	if (length <= 0)
		return;
	if (nla_type(attr) == NFTA_DEVICE_NAME)
		strings_take(devices, text_format("%.*s", length, name));
	else if (nla_type(attr) == DEVICE_PREFIX)
		strings_take(devices, text_format("%.*s*", length, name));
}

static void take_devices(struct nlattr *hook, struct strings *devices)
{
	struct nlattr *list = nla_find(nla_data(hook), nla_len(hook), NFTA_FLOWTABLE_HOOK_DEVS), *attr;
	int left;

	if (!list)
		return;
	nla_for_each_nested(attr, list, left) take_device(attr, devices);
	strings_sort(devices);
}

static uint32_t number(struct nlattr *attr)
{
	return attr && nla_len(attr) == 4 ? ntohl(nla_get_u32(attr)) : 0;
}

static char *name_of(struct nlattr *attr)
{
	return attr && nla_len(attr) > 0 ? text_format("%.*s", nla_len(attr), (const char *)nla_data(attr))
					 : alloc_string("?");
}

static void take_flowtable(struct nlmsghdr *header, void *context)
{
	struct flow_offloads *flows = context;
	const struct nfgenmsg *message = nlmsg_data(header);
	struct nlattr *attrs[NFTA_FLOWTABLE_MAX + 1];
	struct flowtable *table;

	if (nlmsg_parse(header, sizeof *message, attrs, NFTA_FLOWTABLE_MAX, NULL) < 0)
		return;
	flows->tables = alloc_more(flows->tables, flows->ntables, sizeof *flows->tables);
	table = &flows->tables[flows->ntables++];
	*table = (struct flowtable){
		.family = alloc_string(family_name(message->nfgen_family)),
		.table = name_of(attrs[NFTA_FLOWTABLE_TABLE]),
		.name = name_of(attrs[NFTA_FLOWTABLE_NAME]),
		.hardware = number(attrs[NFTA_FLOWTABLE_FLAGS]) & HW_OFFLOAD,
		.used = number(attrs[NFTA_FLOWTABLE_USE]) > 0,
	};
	if (attrs[NFTA_FLOWTABLE_HOOK])
		take_devices(attrs[NFTA_FLOWTABLE_HOOK], &table->devices);
}

static struct nl_msg *dump_message(void)
{
	const struct nfgenmsg body = { .nfgen_family = NFPROTO_UNSPEC, .version = NFNETLINK_V0 };
	struct nl_msg *message = nlmsg_alloc_simple(NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_GETFLOWTABLE, NLM_F_DUMP);

	if (!message || nlmsg_append(message, (void *)&body, sizeof body, NLMSG_ALIGNTO) < 0)
		abort(); /* no memory, see steer/cleanup.h */
	return message;
}

/* A kernel without nf_tables answers EINVAL, one without nfnetlink opens no socket. */
int nftables_read(struct host *host, struct flow_offloads *ret)
{
	struct netlink *netlink;
	int r = netlink_open(NETLINK_NETFILTER, &netlink);

	(void)host;
	for (unsigned tries = 0; r == 0; tries++) {
		CLEANUP(free_message) struct nl_msg *message = dump_message();
		int answer = netlink_request(netlink, message, take_flowtable, ret, NULL);

		if (answer != -EINTR || tries == 3) { /* the ruleset was changed meanwhile */
			netlink_close(netlink);
			r = answer;
			break;
		}
		flowtables_clear(ret);
	}
	return r == -EINVAL || r == -EPROTONOSUPPORT ? -EOPNOTSUPP : r;
}
