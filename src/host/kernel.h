/* The kernel's side of net.h, one part a netlink family. All address a device by its ifindex. */
#pragma once

#include "private.h"

/* Each reads one detail. 0 also when the driver does not have it: nothing is set then. */
int ethtool_read_channels(struct host *host, struct nic *nic);
int ethtool_read_pause(struct host *host, struct nic *nic);
int ethtool_read_rings(struct host *host, struct nic *nic);
int ethtool_read_features(struct host *host, struct nic *nic);
int netdev_read_napis(struct host *host, struct nic *nic);

int ethtool_set_channels(struct host *host, const struct nic *nic, const struct channels *want, char **ret_said);
int ethtool_set_pause(struct host *host, const struct nic *nic, const struct pause *want, char **ret_said);
int ethtool_set_rings(struct host *host, const struct nic *nic, const struct rings *want, char **ret_said);
int ethtool_set_feature(struct host *host, const struct nic *nic, const char *feature, bool on, char **ret_said);

char *link_kind(struct host *host, const char *name);
int link_set_up(struct host *host, const struct nic *nic, char **ret_said);
int nftables_read(struct host *host, struct flow_offloads *ret); /* as net_flowtables(), unsorted */

int link_wait_carrier(struct host *host, const struct nic *nic, unsigned milliseconds);
