/* The one door to the kernel: files below a root, and (net.h) what netlink answers.
 *
 * A host is either this machine (root "/") or a captured one: a tree of the same files plus ethtool.json. Paths are
 * relative to the root, without a leading slash: "sys/class/net/eth0/ifindex". Nothing outside the root is ever
 * followed, symbolic links included. */
#pragma once

#include <stdbool.h>

#include <steer/text.h>

struct host;

enum host_mode {
	HOST_READ_ONLY, /* every write gives -EROFS */
	HOST_WRITABLE,  /* on a captured machine, writes change the tree, and ethtool settings act on it as a plain NIC
			   would */
};

/* Opens a root. -ENOENT, -ENOTDIR, -EACCES; -EBADMSG: ethtool.json is not valid (the note says where). */
int host_open(const char *root, enum host_mode mode, struct host **ret, char **ret_problem);
void host_close(struct host *host);
void host_closep(struct host **host);       /* for CLEANUP */
bool host_is_live(const struct host *host); /* this machine, not a capture */
const char *host_root(const struct host *host);

/* The whole of a file (at most 4 MiB), without trailing white space and NULs. The caller frees. Errors are the
 * kernel's: ENOENT, EINVAL (carrier of a NIC that is down), ENODEV, ... */
int host_read(struct host *host, const char *path, char **ret);
int host_read_u32(struct host *host, const char *path, uint32_t *ret);
int host_read_int(struct host *host, const char *path, int *ret);

/* Writes a value by a single write(2), never a second one: sysfs takes a value whole or not at all. -ENODEV when the
 * kernel took nothing (the device is going away). */
int host_write(struct host *host, const char *path, const char *value);

/* As host_write, and reads back through the same descriptor: *ret_now as host_read gives it, NULL when the file cannot
 * be read. The caller frees. Set on failure too, to NULL. */
int host_write_back(struct host *host, const char *path, const char *value, char **ret_now);

bool host_exists(struct host *host, const char *path);
int host_file_mode(struct host *host, const char *path, unsigned *ret); /* permission bits */

/* Names in a directory, natural order, without "." and "..". */
int host_list(struct host *host, const char *path, struct strings *ret);

/* The target of a symbolic link as it is written. */
int host_link(struct host *host, const char *path, char **ret);

/* The path with every symbolic link resolved, relative to the root: "sys/class/net/eth0/device" ->
 * "sys/devices/pci0000:00/0000:00:03.0". */
int host_resolve(struct host *host, const char *path, char **ret);
