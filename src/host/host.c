/* A host's files: reads, writes and lists them below the root. What netlink answers is in net.c. */
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <steer/cleanup.h>

#include "netlink.h"
#include "recorded.h"
#include "replay.h"

/* ---- opening --------------------------------------------------------------------------------------------------- */

/* ENOSYS: older than 5.6; EPERM: the system call filter of a container does not know it. */
static bool lacks_openat2(struct host *host)
{
	CLEANUP(close_fd) int fd = root_open(host, ".", O_PATH);

	return fd == -ENOSYS || fd == -EPERM;
}

int host_open(const char *root, enum host_mode mode, struct host **ret, char **ret_problem)
{
	CLEANUP(host_closep) struct host *host = alloc_zero(1, sizeof *host);
	int r;

	host->root = alloc_string(root);
	host->mode = mode;
	host->live = *root && root[strspn(root, "/")] == 0;
	host->fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (host->fd < 0)
		return -errno;
	if (!host->live) {
		host->by_hand = lacks_openat2(host);
		r = recorded_load(host, &host->recorded, ret_problem);
		if (r < 0)
			return r;
	}
	*ret = TAKE(host);
	return 0;
}

void host_close(struct host *host)
{
	if (!host)
		return;
	recorded_free(host->recorded);
	strings_clear(&host->removed);
	netlink_close(host->generic);
	netlink_close(host->route);
	close_fd(&host->fd);
	free(host->root);
	free(host);
}

void host_closep(struct host **host)
{
	host_close(*host);
	*host = NULL;
}

bool host_is_live(const struct host *host)
{
	return host->live;
}

const char *host_root(const struct host *host)
{
	return host->root;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static void trim_end(char *text, size_t length)
{
	while (length && (!text[length - 1] || strchr(" \t\n\v\f\r", text[length - 1])))
		text[--length] = 0;
}

int host_read(struct host *host, const char *path, char **ret)
{
	CLEANUP(free_string) char *text = NULL;
	size_t length;
	int r = root_read(host, path, &text, &length);

	if (r < 0)
		return r;
	trim_end(text, length);
	*ret = TAKE(text);
	return 0;
}

int host_read_u32(struct host *host, const char *path, uint32_t *ret)
{
	CLEANUP(free_string) char *text = NULL;
	int r = host_read(host, path, &text);

	return r < 0 ? r : text_u32(text, ret);
}

int host_read_int(struct host *host, const char *path, int *ret)
{
	CLEANUP(free_string) char *text = NULL;
	int r = host_read(host, path, &text);
	bool negative;
	uint32_t value;

	if (r < 0)
		return r;
	negative = *text == '-';
	r = text_u32(text + negative, &value);
	if (r < 0)
		return r;
	if (value > INT_MAX)
		return -ERANGE;
	*ret = negative ? -(int)value : (int)value;
	return 0;
}

bool host_exists(struct host *host, const char *path)
{
	CLEANUP(close_fd) int fd = -1;

	if (host->live)
		return faccessat(host->fd, path, F_OK, 0) == 0;
	fd = root_open(host, path, O_PATH);
	return fd >= 0;
}

int host_file_mode(struct host *host, const char *path, unsigned *ret)
{
	CLEANUP(close_fd) int fd = -1;
	struct stat status;

	if (host->live) {
		if (fstatat(host->fd, path, &status, 0) < 0)
			return -errno;
	} else {
		fd = root_open(host, path, O_PATH);
		if (fd < 0)
			return fd;
		if (fstat(fd, &status) < 0)
			return -errno;
	}
	*ret = status.st_mode & 07777;
	return 0;
}

/* ---- directories and links ------------------------------------------------------------------------------------- */

struct entry { /* what getdents64(2) gives */
	uint64_t inode;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

int host_list(struct host *host, const char *path, struct strings *ret)
{
	CLEANUP(strings_clear) struct strings names = { 0 };
	CLEANUP(close_fd) int fd = root_open(host, path, O_RDONLY | O_DIRECTORY);
	_Alignas(struct entry) char buffer[32768];

	if (fd < 0)
		return fd;
	for (;;) { /* readdir(3) would ask twice as much of the kernel for a short directory */
		long n = syscall(SYS_getdents64, fd, buffer, sizeof buffer);

		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		for (long at = 0; at < n;) {
			const struct entry *entry = (const void *)(buffer + at);

			at += entry->length;
			if (!text_equal(entry->name, ".") && !text_equal(entry->name, ".."))
				strings_add(&names, entry->name);
		}
	}
	strings_sort(&names);
	*ret = names;
	names = (struct strings){ 0 };
	return 0;
}

static int read_link(int directory, const char *path, char **ret)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(directory, path, target, sizeof target - 1);

	if (length < 0)
		return -errno;
	target[length] = 0;
	*ret = alloc_string(target);
	return 0;
}

int host_link(struct host *host, const char *path, char **ret)
{
	CLEANUP(close_fd) int fd = -1;
	int r;

	if (host->live)
		return read_link(host->fd, path, ret);
	fd = root_open(host, path, O_PATH | O_NOFOLLOW);
	if (fd < 0)
		return fd;
	r = read_link(fd, "", ret);
	return r == -ENOENT ? -EINVAL : r; /* readlinkat(2) says ENOENT of a descriptor that is no link */
}

int host_resolve(struct host *host, const char *path, char **ret)
{
	CLEANUP(free_string) char *resolved = NULL, *link = NULL;
	CLEANUP(close_fd) int fd = -1;
	int r;

	if (!host->live)
		return root_walk(host, path, true, ret);
	fd = root_open(host, path, O_PATH);
	if (fd < 0)
		return fd;
	link = text_format("/proc/self/fd/%d", fd);
	r = read_link(AT_FDCWD, link, &resolved);
	if (r < 0)
		return r;
	*ret = alloc_string(resolved + strspn(resolved, "/"));
	return 0;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

static int put(int fd, const char *value)
{
	size_t length = strlen(value);
	ssize_t n = write(fd, value, length);

	if (n < 0)
		return -errno;
	if (n == 0 && length)
		return -ENODEV;
	return (size_t)n == length ? 0 : -EIO;
}

/* One read gives all of it: what is written and read back are attributes, which fit in a page, or nearly. NULL: it
 * cannot be read. */
static char *read_now(int fd)
{
	enum { SIZE = 8192 };
	CLEANUP(free_string) char *text = alloc_zero(SIZE + 1, 1);
	ssize_t n = pread(fd, text, SIZE, 0);

	if (n < 0 || n == SIZE)
		return NULL;
	trim_end(text, (size_t)n);
	return TAKE(text);
}

int host_write(struct host *host, const char *path, const char *value)
{
	CLEANUP(close_fd) int fd = -1;

	if (host->mode == HOST_READ_ONLY)
		return -EROFS;
	if (!host->live)
		return replay_write(host, path, value);
	fd = root_open(host, path, O_WRONLY);
	return fd < 0 ? fd : put(fd, value);
}

int host_write_back(struct host *host, const char *path, const char *value, char **ret_now)
{
	CLEANUP(close_fd) int fd = -1;
	int r;

	*ret_now = NULL;
	if (host->mode == HOST_READ_ONLY)
		return -EROFS;
	if (!host->live) {
		r = replay_write(host, path, value);
		if (r == 0)
			(void)host_read(host, path, ret_now);
		return r;
	}
	fd = root_open(host, path, O_RDWR);
	if (fd == -EACCES) /* write-only */
		return host_write(host, path, value);
	r = fd < 0 ? fd : put(fd, value);
	if (r == 0)
		*ret_now = read_now(fd);
	return r;
}
