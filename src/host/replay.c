/* The captured machine's side of net.h: settings are checked and stored as a plain driver would, and a channel change
 * makes queues and interrupts anew. */
#include "replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "recorded.h"
#include "tree.h"

/* ---- shared ---------------------------------------------------------------------------------------------------- */

static int refuse(char **ret_said, const char *why)
{
	*ret_said = alloc_string(why);
	return -EINVAL;
}

static int start(struct host *host, const struct nic *nic, unsigned detail, struct nic *ret_now)
{
	CLEANUP(free_string) char *path = text_format("sys/class/net/%s", nic->name);

	if (!host_exists(host, path))
		return -ENODEV;
	ret_now->name = nic->name; /* borrowed */
	return recorded_read(host, ret_now, detail);
}

static void forget(struct nic *now)
{
	now->name = NULL;
	nic_clear(now);
}

static bool differs_u32(struct opt_u32 want, struct opt_u32 now)
{
	return want.set && want.value != (now.set ? now.value : 0);
}

static bool differs_bool(struct opt_bool want, struct opt_bool now)
{
	return want.set && (!now.set || want.value != now.value);
}

/* ---- channels -------------------------------------------------------------------------------------------------- */

static uint32_t count(const struct channels *channels, enum channel_kind kind)
{
	return channels->count[kind].set ? channels->count[kind].value : 0;
}

static bool has_channels(const struct channels *channels)
{
	for (size_t kind = 0; kind < CHANNEL_KINDS; kind++)
		if (channels->count[kind].set)
			return true;
	return false;
}

/* The kernel's own checks (net/ethtool/channels.c, ethnl_set_channels). *ret: the counts afterwards. */
static int check_channels(const struct channels *want, const struct channels *now, struct channels *ret,
			  char **ret_said)
{
	*ret = *now;
	for (size_t kind = 0; kind < CHANNEL_KINDS; kind++) {
		uint32_t max = now->max[kind].set ? now->max[kind].value : 0;

		if (!differs_u32(want->count[kind], now->count[kind]))
			continue;
		if (want->count[kind].value > max)
			return refuse(ret_said, "requested channel count exceeds maximum");
		ret->count[kind] = want->count[kind];
	}
	if (count(ret, CHANNEL_COMBINED) == 0 && (count(ret, CHANNEL_RX) == 0 || count(ret, CHANNEL_TX) == 0))
		return refuse(ret_said,
			      "requested channel counts would result in no RX or TX channel being configured");
	return 0;
}

static int put_channels(struct host *host, const char *name, const struct channels *then, const struct channels *now)
{
	bool changed = false;

	for (enum channel_kind kind = 0; kind < CHANNEL_KINDS; kind++) {
		if (!differs_u32(then->count[kind], now->count[kind]))
			continue;
		recorded_put_u32(host, name, "channels", channel_kind_name(kind), "count", then->count[kind].value);
		changed = true;
	}
	return changed;
}

static int set_channels(struct host *host, const struct nic *nic, const struct channels *want, char **ret_said)
{
	CLEANUP(forget) struct nic now = { 0 };
	struct channels then;
	uint32_t rx, tx;
	int r = start(host, nic, DETAIL_CHANNELS | DETAIL_NAPI, &now);

	if (r < 0)
		return r;
	if (!has_channels(&now.channels))
		return -EOPNOTSUPP;
	r = check_channels(want, &now.channels, &then, ret_said);
	if (r < 0 || !put_channels(host, nic->name, &then, &now.channels))
		return r;
	rx = count(&then, CHANNEL_COMBINED) + count(&then, CHANNEL_RX);
	tx = count(&then, CHANNEL_COMBINED) + count(&then, CHANNEL_TX);
	r = replay_queues(host, nic->name, rx, tx);
	if (r == 0)
		r = replay_vectors(host, nic, &now.channels, &then);
	if (r < 0)
		return r;
	replay_napis(host, nic->name, now.napis, now.nnapis, rx, tx);
	return recorded_save(host);
}

/* ---- pause, rings, features ------------------------------------------------------------------------------------ */

static int set_pause(struct host *host, const struct nic *nic, const struct pause *want, char **ret_said)
{
	CLEANUP(forget) struct nic now = { 0 };
	int r = start(host, nic, DETAIL_PAUSE, &now);

	(void)ret_said;
	if (r < 0)
		return r;
	if (!now.pause.autoneg.set && !now.pause.rx.set && !now.pause.tx.set)
		return -EOPNOTSUPP;
	if (differs_bool(want->autoneg, now.pause.autoneg))
		recorded_put_bool(host, nic->name, "pause", NULL, "autoneg", want->autoneg.value);
	if (differs_bool(want->rx, now.pause.rx))
		recorded_put_bool(host, nic->name, "pause", NULL, "rx", want->rx.value);
	if (differs_bool(want->tx, now.pause.tx))
		recorded_put_bool(host, nic->name, "pause", NULL, "tx", want->tx.value);
	return recorded_save(host);
}

static int set_rings(struct host *host, const struct nic *nic, const struct rings *want, char **ret_said)
{
	CLEANUP(forget) struct nic now = { 0 };
	int r = start(host, nic, DETAIL_RINGS, &now);

	if (r < 0)
		return r;
	if (!now.rings.rx.set && !now.rings.tx.set)
		return -EOPNOTSUPP;
	if ((want->rx.set && now.rings.rx_max.set && want->rx.value > now.rings.rx_max.value) ||
	    (want->tx.set && now.rings.tx_max.set && want->tx.value > now.rings.tx_max.value))
		return refuse(ret_said, "requested ring size exceeds maximum");
	if (differs_u32(want->rx, now.rings.rx))
		recorded_put_u32(host, nic->name, "rings", "rx", "count", want->rx.value);
	if (differs_u32(want->tx, now.rings.tx))
		recorded_put_u32(host, nic->name, "rings", "tx", "count", want->tx.value);
	return recorded_save(host);
}

/* As the kernel: what is fixed stays, and that is no error. */
static int set_feature(struct host *host, const struct nic *nic, const char *feature, bool on, char **ret_said)
{
	CLEANUP(forget) struct nic now = { 0 };
	int r = start(host, nic, DETAIL_FEATURES, &now);

	if (r < 0)
		return r;
	for (size_t i = 0; i < now.nfeatures; i++) {
		if (!text_equal(now.features[i].name, feature))
			continue;
		if (!now.features[i].fixed && now.features[i].active != on)
			recorded_put_bool(host, nic->name, "features", recorded_feature(host, nic->name, feature),
					  "active", on);
		return recorded_save(host);
	}
	*ret_said = alloc_string("bit name not found");
	return -EOPNOTSUPP;
}

/* ---- link ------------------------------------------------------------------------------------------------------ */

static int set_up(struct host *host, const struct nic *nic, char **ret_said)
{
	CLEANUP(free_string) char *directory = text_format("sys/class/net/%s", nic->name);
	CLEANUP(free_string) char *flags = text_format("%s/flags", directory);
	CLEANUP(free_string) char *state = text_format("%s/operstate", directory);
	CLEANUP(free_string) char *carrier = text_format("%s/carrier", directory);
	CLEANUP(free_string) char *text = NULL;

	(void)ret_said;
	if (!host_exists(host, directory))
		return -ENODEV;
	if (host_read(host, flags, &text) == 0) {
		CLEANUP(free_string) char *up = text_format("0x%lx\n", strtoul(text, NULL, 16) | 1);

		tree_write(host, flags, up);
	}
	if (host_exists(host, state))
		tree_write(host, state, "up\n");
	return tree_write(host, carrier, "1\n");
}

/* A captured machine is always at rest. */
static int wait_carrier(struct host *host, const struct nic *nic, unsigned milliseconds)
{
	(void)host;
	(void)nic;
	(void)milliseconds;
	return 0;
}

const struct net_ops net_captured = {
	.read = recorded_read,
	.driver = recorded_driver,
	.set_channels = set_channels,
	.set_pause = set_pause,
	.set_rings = set_rings,
	.set_feature = set_feature,
	.set_up = set_up,
	.wait_carrier = wait_carrier,
	.flowtables = recorded_flowtables,
};
