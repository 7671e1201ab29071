/* What the files of this folder share: the host itself, opening files below its root, and the two sets of answers
 * (kernel, captured machine) behind net.h. */
#pragma once

#include <sys/types.h>

#include <steer/host.h>
#include <steer/net.h>

struct netlink;
struct recorded;

struct host {
	char *root;
	int fd;
	enum host_mode mode;
	bool live;
	bool by_hand; /* links are followed by walk.c: no openat2(2) here */

	/* live */
	struct netlink *generic, *route; /* request sockets, opened at the first question */
	uint16_t ethtool_family, netdev_family;

	/* captured */
	struct recorded *recorded;
	struct strings removed; /* tree.c: paths and texts of files, by turns */
};

/* ---- files below the root (root.c) ----------------------------------------------------------------------------- */

int root_open(const struct host *host, const char *path, int flags);                      /* a descriptor, or -errno */
int root_read(const struct host *host, const char *path, char **ret, size_t *ret_length); /* as it is, NUL added */
int root_replace(const struct host *host, const char *path, const char *text); /* captured: the file's new content */

/* Resolves links component by component, so that nothing leaves the root. last: the last component too. The result
 * is relative to the root and has no link in it. */
int root_walk(const struct host *host, const char *path, bool last, char **ret);

/* ---- who answers (net.c) --------------------------------------------------------------------------------------- */

struct net_ops {
	int (*read)(struct host *host, struct nic *nic, unsigned details);
	char *(*driver)(struct host *host, const char *name);
	int (*set_channels)(struct host *host, const struct nic *nic, const struct channels *want, char **ret_said);
	int (*set_pause)(struct host *host, const struct nic *nic, const struct pause *want, char **ret_said);
	int (*set_rings)(struct host *host, const struct nic *nic, const struct rings *want, char **ret_said);
	int (*set_feature)(struct host *host, const struct nic *nic, const char *feature, bool on, char **ret_said);
	int (*set_up)(struct host *host, const struct nic *nic, char **ret_said);
	int (*wait_carrier)(struct host *host, const struct nic *nic, unsigned milliseconds);
	int (*flowtables)(struct host *host, struct flow_offloads *ret);
};

void net_forget(struct nic *nic, unsigned details); /* frees and unsets what these details have filled */

extern const struct net_ops net_kernel;
extern const struct net_ops net_captured;
