/* Opens files below a root directory and reads them whole; never follows a link out of a captured root. */
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <steer/cleanup.h>

enum {
	FILE_MAX_SIZE = 4 << 20, /* /proc/interrupts of 8192 CPUs is the largest that is read */
	READ_SIZE = 8192,
	ONE_RECORD = 4096, /* the smallest page: no sysfs attribute that fits is handed out in two parts */
	RACES_MAX = 16,
};

static int open_beneath(int root, const char *path, int flags)
{
	struct open_how how = { .flags = (unsigned)flags, .resolve = RESOLVE_IN_ROOT };
	long fd = -1;

	/* EAGAIN: something was renamed while ".." was followed */
	for (int races = 0; fd < 0 && races < RACES_MAX; races++) {
		fd = syscall(SYS_openat2, root, path, &how, sizeof how);
		if (fd < 0 && errno != EAGAIN)
			break;
	}
	return fd < 0 ? -errno : (int)fd;
}

static int open_by_hand(const struct host *host, const char *path, int flags)
{
	CLEANUP(free_string) char *plain = NULL;
	int r = root_walk(host, path, !(flags & O_NOFOLLOW), &plain);

	if (r < 0)
		return r;
	r = openat(host->fd, plain, flags | O_NOFOLLOW);
	return r < 0 ? -errno : r;
}

int root_open(const struct host *host, const char *path, int flags)
{
	flags |= O_CLOEXEC;
	if (!*path)
		path = ".";
	if (host->live) {
		int fd = openat(host->fd, path, flags);

		return fd < 0 ? -errno : fd;
	}
	return host->by_hand ? open_by_hand(host, path, flags) : open_beneath(host->fd, path, flags);
}

/* Files whose whole content is one record of the kernel's: a read that did not fill a page has got all of it. Others
 * (/proc/interrupts) end their reads between records, so that only a read of nothing is the end. */
static bool is_one_record(const char *path)
{
	return text_starts(path, "sys/") || text_starts(path, "proc/irq/") || text_starts(path, "proc/sys/");
}

struct buffer {
	char *text;
	size_t length, size;
};

static void buffer_double(struct buffer *buffer)
{
	size_t size = buffer->size ? buffer->size * 2 : READ_SIZE;
	char *text = alloc_zero(size, 1);

	if (buffer->length)
		memcpy(text, buffer->text, buffer->length);
	free(buffer->text);
	buffer->text = text;
	buffer->size = size;
}

static void buffer_clear(struct buffer *buffer)
{
	free_string(&buffer->text);
}

int root_read(const struct host *host, const char *path, char **ret, size_t *ret_length)
{
	CLEANUP(buffer_clear) struct buffer got = { 0 };
	CLEANUP(close_fd) int fd = root_open(host, path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
	bool one_record = is_one_record(path);

	if (fd < 0)
		return fd;
	for (;;) {
		ssize_t n;

		if (got.size - got.length <= ONE_RECORD)
			buffer_double(&got);
		n = read(fd, got.text + got.length, got.size - got.length - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		got.length += (size_t)n;
		if (got.length > FILE_MAX_SIZE)
			return -EFBIG;
		if (n == 0 || (one_record && n < ONE_RECORD))
			break;
	}
	got.text[got.length] = 0;
	*ret = TAKE(got.text);
	*ret_length = got.length;
	return 0;
}

int root_replace(const struct host *host, const char *path, const char *text)
{
	CLEANUP(close_fd) int fd = root_open(host, path, O_WRONLY | O_TRUNC);
	size_t length = strlen(text);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = write(fd, text, length);
	if (n < 0)
		return -errno;
	return (size_t)n == length ? 0 : -EIO;
}
