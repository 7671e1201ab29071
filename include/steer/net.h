/* What a NIC says over netlink, and what it can be told: ethtool, netdev, rtnetlink and nftables, by netlink alone
 * (Documentation/networking/ethtool-netlink.rst, Documentation/netlink/specs/netdev.yaml).
 *
 * Two implementations behind the same functions: the kernel, and the ethtool.json and flowtables.json of a
 * captured machine. */
#pragma once

#include <steer/host.h>
#include <steer/machine.h>

/* Fills what `details` asks for (DETAIL_CHANNELS, PAUSE, RINGS, FEATURES, NAPI) into a nic that has name and ifindex.
 * What the driver does not have stays unset. -ENODEV: the device is gone. Any other failure: the first errno, the rest
 * is read all the same. */
int net_read(struct host *host, struct nic *nic, unsigned details);

/* The driver of a NIC without a driver link in sysfs (veth, bridge, ...) as ethtool knows it, or NULL. The caller
 * frees. */
char *net_driver(struct host *host, const char *name);

/* The flowtables of nftables, in natural order: fills known, tables. Asking can make the kernel load nf_tables. 0 also
 * when it has none, or not even nf_tables; -EPERM: CAP_NET_ADMIN is needed; -ENODATA: a captured machine does not say.
 */
int net_flowtables(struct host *host, struct flow_offloads *ret);

/* Each setter sends one message with all values that are set, and returns 0 or -errno. *ret_said is the kernel's own
 * explanation (extended ack) or NULL; the caller frees it, also on success. A device is addressed by its ifindex. */
int net_set_channels(struct host *host, const struct nic *nic, const struct channels *want,
		     char **ret_said); /* .count[] */
int net_set_pause(struct host *host, const struct nic *nic, const struct pause *want, char **ret_said);
int net_set_rings(struct host *host, const struct nic *nic, const struct rings *want, char **ret_said); /* .rx, .tx */
int net_set_feature(struct host *host, const struct nic *nic, const char *feature, bool on, char **ret_said);
int net_set_up(struct host *host, const struct nic *nic, char **ret_said);

/* Waits until the device has carrier, by link events, at most `milliseconds`. 0: it has; -ETIMEDOUT; -ENODEV: gone. A
 * captured machine is always at rest. */
int net_wait_carrier(struct host *host, const struct nic *nic, unsigned milliseconds);
