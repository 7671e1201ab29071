/* Asks and tells the ethtool family of generic netlink (Documentation/networking/ethtool-netlink.rst): channels, pause,
 * rings, features of one device. It does not judge what is wanted. */
#include "kernel.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include <steer/cleanup.h>

#include "genl.h"

/* ---- messages -------------------------------------------------------------------------------------------------- */

/* A message with the device in its header. Attribute 1 of every ethtool message is the header. */
static struct nl_msg *device_message(const struct host *host, uint8_t command, int flags, const struct nic *nic,
				     uint32_t header_flags)
{
	struct nl_msg *message = genl_message(host->ethtool_family, command, flags);
	struct nlattr *header = nla_nest_start(message, ETHTOOL_A_CHANNELS_HEADER | NLA_F_NESTED);

	nla_put_u32(message, ETHTOOL_A_HEADER_DEV_INDEX, nic->ifindex);
	if (header_flags)
		nla_put_u32(message, ETHTOOL_A_HEADER_FLAGS, header_flags);
	nla_nest_end(message, header);
	return message;
}

static int open_family(struct host *host, struct netlink **ret)
{
	int r = netlink_generic(host, ret);

	return r < 0 ? r : genl_family(*ret, ETHTOOL_GENL_NAME, &host->ethtool_family);
}

/* Asks one thing of a device. What the kernel or the driver does not have is no answer, and no failure. */
static int get(struct host *host, struct nic *nic, uint8_t command, netlink_take *take)
{
	CLEANUP(free_message) struct nl_msg *message = NULL;
	struct netlink *netlink;
	int r = open_family(host, &netlink);

	if (r == 0) {
		message = device_message(host, command, 0, nic, 0);
		r = netlink_request(netlink, message, take, nic, NULL);
	}
	return r == -EOPNOTSUPP ? 0 : r;
}

static int set_start(struct host *host, const struct nic *nic, uint8_t command, uint32_t header_flags,
		     struct netlink **ret_netlink, struct nl_msg **ret)
{
	int r = open_family(host, ret_netlink);

	if (r == 0)
		*ret = device_message(host, command, NLM_F_ACK, nic, header_flags);
	return r;
}

/* ---- channels -------------------------------------------------------------------------------------------------- */

static const struct {
	uint16_t max, count;
} channel_attrs[CHANNEL_KINDS] = {
	[CHANNEL_RX] = { ETHTOOL_A_CHANNELS_RX_MAX, ETHTOOL_A_CHANNELS_RX_COUNT },
	[CHANNEL_TX] = { ETHTOOL_A_CHANNELS_TX_MAX, ETHTOOL_A_CHANNELS_TX_COUNT },
	[CHANNEL_OTHER] = { ETHTOOL_A_CHANNELS_OTHER_MAX, ETHTOOL_A_CHANNELS_OTHER_COUNT },
	[CHANNEL_COMBINED] = { ETHTOOL_A_CHANNELS_COMBINED_MAX, ETHTOOL_A_CHANNELS_COMBINED_COUNT },
};

static void take_channels(struct nlmsghdr *header, void *context)
{
	struct nlattr *attrs[ETHTOOL_A_CHANNELS_MAX + 1];
	struct nic *nic = context;

	genl_attributes(header, attrs, ETHTOOL_A_CHANNELS_MAX);
	for (size_t kind = 0; kind < CHANNEL_KINDS; kind++) {
		nic->channels.max[kind] = ATTR_U32(attrs[channel_attrs[kind].max]);
		nic->channels.count[kind] = ATTR_U32(attrs[channel_attrs[kind].count]);
	}
}

int ethtool_read_channels(struct host *host, struct nic *nic)
{
	return get(host, nic, ETHTOOL_MSG_CHANNELS_GET, take_channels);
}

int ethtool_set_channels(struct host *host, const struct nic *nic, const struct channels *want, char **ret_said)
{
	CLEANUP(free_message) struct nl_msg *message = NULL;
	struct netlink *netlink;
	int r = set_start(host, nic, ETHTOOL_MSG_CHANNELS_SET, 0, &netlink, &message);

	if (r < 0)
		return r;
	for (size_t kind = 0; kind < CHANNEL_KINDS; kind++)
		if (want->count[kind].set)
			nla_put_u32(message, channel_attrs[kind].count, want->count[kind].value);
	return netlink_request(netlink, message, NULL, NULL, ret_said);
}

/* ---- pause ----------------------------------------------------------------------------------------------------- */

static void take_pause(struct nlmsghdr *header, void *context)
{
	struct nlattr *attrs[ETHTOOL_A_PAUSE_MAX + 1];
	struct nic *nic = context;

	genl_attributes(header, attrs, ETHTOOL_A_PAUSE_MAX);
	nic->pause.autoneg = ATTR_BOOL(attrs[ETHTOOL_A_PAUSE_AUTONEG]);
	nic->pause.rx = ATTR_BOOL(attrs[ETHTOOL_A_PAUSE_RX]);
	nic->pause.tx = ATTR_BOOL(attrs[ETHTOOL_A_PAUSE_TX]);
}

int ethtool_read_pause(struct host *host, struct nic *nic)
{
	return get(host, nic, ETHTOOL_MSG_PAUSE_GET, take_pause);
}

static void put_bool(struct nl_msg *message, int attr, struct opt_bool wanted)
{
	if (wanted.set)
		nla_put_u8(message, attr, wanted.value);
}

int ethtool_set_pause(struct host *host, const struct nic *nic, const struct pause *want, char **ret_said)
{
	CLEANUP(free_message) struct nl_msg *message = NULL;
	struct netlink *netlink;
	int r = set_start(host, nic, ETHTOOL_MSG_PAUSE_SET, 0, &netlink, &message);

	if (r < 0)
		return r;
	put_bool(message, ETHTOOL_A_PAUSE_AUTONEG, want->autoneg);
	put_bool(message, ETHTOOL_A_PAUSE_RX, want->rx);
	put_bool(message, ETHTOOL_A_PAUSE_TX, want->tx);
	return netlink_request(netlink, message, NULL, NULL, ret_said);
}

/* ---- rings ----------------------------------------------------------------------------------------------------- */

static void take_rings(struct nlmsghdr *header, void *context)
{
	struct nlattr *attrs[ETHTOOL_A_RINGS_MAX + 1];
	struct nic *nic = context;

	genl_attributes(header, attrs, ETHTOOL_A_RINGS_MAX);
	nic->rings.rx_max = ATTR_U32(attrs[ETHTOOL_A_RINGS_RX_MAX]);
	nic->rings.rx = ATTR_U32(attrs[ETHTOOL_A_RINGS_RX]);
	nic->rings.tx_max = ATTR_U32(attrs[ETHTOOL_A_RINGS_TX_MAX]);
	nic->rings.tx = ATTR_U32(attrs[ETHTOOL_A_RINGS_TX]);
}

int ethtool_read_rings(struct host *host, struct nic *nic)
{
	return get(host, nic, ETHTOOL_MSG_RINGS_GET, take_rings);
}

int ethtool_set_rings(struct host *host, const struct nic *nic, const struct rings *want, char **ret_said)
{
	CLEANUP(free_message) struct nl_msg *message = NULL;
	struct netlink *netlink;
	int r = set_start(host, nic, ETHTOOL_MSG_RINGS_SET, 0, &netlink, &message);

	if (r < 0)
		return r;
	if (want->rx.set)
		nla_put_u32(message, ETHTOOL_A_RINGS_RX, want->rx.value);
	if (want->tx.set)
		nla_put_u32(message, ETHTOOL_A_RINGS_TX, want->tx.value);
	return netlink_request(netlink, message, NULL, NULL, ret_said);
}

/* ---- features -------------------------------------------------------------------------------------------------- */

static struct feature *find_feature(struct nic *nic, const char *name)
{
	for (size_t i = 0; i < nic->nfeatures; i++)
		if (text_equal(nic->features[i].name, name))
			return &nic->features[i];
	return NULL;
}

/* The hardware's set lists every feature the kernel has, with a flag on those that can be changed. */
static void on_hardware_bit(struct nic *nic, const char *name, bool value)
{
	nic->features = alloc_more(nic->features, nic->nfeatures, sizeof *nic->features);
	nic->features[nic->nfeatures++] = (struct feature){ .name = alloc_string(name), .fixed = !value };
}

/* The other sets list their members only. */
static void on_active_bit(struct nic *nic, const char *name, bool value)
{
	struct feature *feature = find_feature(nic, name);

	(void)value;
	if (feature)
		feature->active = true;
}

static void on_unchangeable_bit(struct nic *nic, const char *name, bool value)
{
	struct feature *feature = find_feature(nic, name);

	(void)value;
	if (feature)
		feature->fixed = true;
}

static void each_bit(struct nlattr *set, struct nic *nic, void (*on_bit)(struct nic *nic, const char *name, bool value))
{
	struct nlattr *bits = set ? nla_find(nla_data(set), nla_len(set), ETHTOOL_A_BITSET_BITS) : NULL;
	struct nlattr *bit;
	int left;

	if (!bits)
		return;
	nla_for_each_nested(bit, bits, left)
	{
		struct nlattr *attrs[ETHTOOL_A_BITSET_BIT_MAX + 1];
		struct nlattr *name;

		if (nla_parse_nested(attrs, ETHTOOL_A_BITSET_BIT_MAX, bit, NULL) < 0)
			continue;
		name = attrs[ETHTOOL_A_BITSET_BIT_NAME];
		if (name && nla_len(name) > 0 && memchr(nla_data(name), 0, (size_t)nla_len(name)))
			on_bit(nic, nla_data(name), attrs[ETHTOOL_A_BITSET_BIT_VALUE] != NULL);
	}
}

static void take_features(struct nlmsghdr *header, void *context)
{
	struct nlattr *attrs[ETHTOOL_A_FEATURES_MAX + 1];
	struct nic *nic = context;

	genl_attributes(header, attrs, ETHTOOL_A_FEATURES_MAX);
	each_bit(attrs[ETHTOOL_A_FEATURES_HW], nic, on_hardware_bit);
	each_bit(attrs[ETHTOOL_A_FEATURES_ACTIVE], nic, on_active_bit);
	each_bit(attrs[ETHTOOL_A_FEATURES_NOCHANGE], nic, on_unchangeable_bit);
}

int ethtool_read_features(struct host *host, struct nic *nic)
{
	return get(host, nic, ETHTOOL_MSG_FEATURES_GET, take_features);
}

int ethtool_set_feature(struct host *host, const struct nic *nic, const char *feature, bool on, char **ret_said)
{
	CLEANUP(free_message) struct nl_msg *message = NULL;
	struct nlattr *wanted, *bits, *bit;
	struct netlink *netlink;
	int r = set_start(host, nic, ETHTOOL_MSG_FEATURES_SET, ETHTOOL_FLAG_OMIT_REPLY, &netlink, &message);

	if (r < 0)
		return r;
	wanted = nla_nest_start(message, ETHTOOL_A_FEATURES_WANTED | NLA_F_NESTED);
	bits = nla_nest_start(message, ETHTOOL_A_BITSET_BITS | NLA_F_NESTED);
	bit = nla_nest_start(message, ETHTOOL_A_BITSET_BITS_BIT | NLA_F_NESTED);
	nla_put_string(message, ETHTOOL_A_BITSET_BIT_NAME, feature);
	if (on)
		nla_put_flag(message, ETHTOOL_A_BITSET_BIT_VALUE);
	nla_nest_end(message, bit);
	nla_nest_end(message, bits);
	nla_nest_end(message, wanted);
	return netlink_request(netlink, message, NULL, NULL, ret_said);
}
