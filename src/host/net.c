/* Hands each question of net.h to the kernel or to the captured machine; decides nothing but that. */
#include "private.h"

#include <errno.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "kernel.h"

/* ---- the kernel ------------------------------------------------------------------------------------------------ */

static int kernel_read(struct host *host, struct nic *nic, unsigned details)
{
	static const struct {
		unsigned detail;
		int (*read)(struct host *host, struct nic *nic);
	} readers[] = {
		{ DETAIL_CHANNELS, ethtool_read_channels }, { DETAIL_PAUSE, ethtool_read_pause },
		{ DETAIL_RINGS, ethtool_read_rings },       { DETAIL_FEATURES, ethtool_read_features },
		{ DETAIL_NAPI, netdev_read_napis },
	};
	int first = 0;

	for (size_t i = 0; i < COUNT_OF(readers); i++) {
		int r = details & readers[i].detail ? readers[i].read(host, nic) : 0;

		if (r == -ENODEV)
			return r;
		if (r < 0 && first == 0)
			first = r;
	}
	return first;
}

const struct net_ops net_kernel = {
	.read = kernel_read,
	.driver = link_kind,
	.set_channels = ethtool_set_channels,
	.set_pause = ethtool_set_pause,
	.set_rings = ethtool_set_rings,
	.set_feature = ethtool_set_feature,
	.set_up = link_set_up,
	.wait_carrier = link_wait_carrier,
	.flowtables = nftables_read,
};

/* ---- net.h ----------------------------------------------------------------------------------------------------- */

static const struct net_ops *ops(const struct host *host)
{
	return host->live ? &net_kernel : &net_captured;
}

/* A setter's outcome before it is tried: refused on a host that is only read. */
static int may_set(const struct host *host, char **ret_said)
{
	*ret_said = NULL;
	return host->mode == HOST_WRITABLE ? 0 : -EROFS;
}

void net_forget(struct nic *nic, unsigned details)
{
	if (details & DETAIL_CHANNELS)
		nic->channels = (struct channels){ 0 };
	if (details & DETAIL_PAUSE)
		nic->pause = (struct pause){ 0 };
	if (details & DETAIL_RINGS)
		nic->rings = (struct rings){ 0 };
	for (; details & DETAIL_FEATURES && nic->nfeatures; nic->nfeatures--)
		free(nic->features[nic->nfeatures - 1].name);
	for (; details & DETAIL_NAPI && nic->nnapis; nic->nnapis--) {
		free(nic->napis[nic->nnapis - 1].rx);
		free(nic->napis[nic->nnapis - 1].tx);
	}
	if (!nic->nfeatures)
		free(TAKE(nic->features));
	if (!nic->nnapis)
		free(TAKE(nic->napis));
}

int net_read(struct host *host, struct nic *nic, unsigned details)
{
	net_forget(nic, details);
	return ops(host)->read(host, nic, details);
}

char *net_driver(struct host *host, const char *name)
{
	return ops(host)->driver(host, name);
}

int net_set_channels(struct host *host, const struct nic *nic, const struct channels *want, char **ret_said)
{
	int r = may_set(host, ret_said);

	return r < 0 ? r : ops(host)->set_channels(host, nic, want, ret_said);
}

int net_set_pause(struct host *host, const struct nic *nic, const struct pause *want, char **ret_said)
{
	int r = may_set(host, ret_said);

	return r < 0 ? r : ops(host)->set_pause(host, nic, want, ret_said);
}

int net_set_rings(struct host *host, const struct nic *nic, const struct rings *want, char **ret_said)
{
	int r = may_set(host, ret_said);

	return r < 0 ? r : ops(host)->set_rings(host, nic, want, ret_said);
}

int net_set_feature(struct host *host, const struct nic *nic, const char *feature, bool on, char **ret_said)
{
	int r = may_set(host, ret_said);

	return r < 0 ? r : ops(host)->set_feature(host, nic, feature, on, ret_said);
}

int net_set_up(struct host *host, const struct nic *nic, char **ret_said)
{
	int r = may_set(host, ret_said);

	return r < 0 ? r : ops(host)->set_up(host, nic, ret_said);
}

int net_wait_carrier(struct host *host, const struct nic *nic, unsigned milliseconds)
{
	return ops(host)->wait_carrier(host, nic, milliseconds);
}

static int compare_flowtables(const void *left, const void *right)
{
	const struct flowtable *a = left, *b = right;
	int order = text_natural(a->family, b->family);

	order = order ? order : text_natural(a->table, b->table);
	return order ? order : text_natural(a->name, b->name);
}

int net_flowtables(struct host *host, struct flow_offloads *ret)
{
	struct flow_offloads found = { 0 };
	int r = ops(host)->flowtables(host, &found);

	if (r < 0) {
		flowtables_clear(&found);
		return r;
	}
	if (found.ntables)
		qsort(found.tables, found.ntables, sizeof *found.tables, compare_flowtables);
	found.known = true;
	*ret = found;
	return 0;
}
