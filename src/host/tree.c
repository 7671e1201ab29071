/* Makes, copies and removes files of a captured machine's tree; what they mean is the business of replay.c. */
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <steer/cleanup.h>

/* The directory a path is in, and the name there. */
static int open_parent(struct host *host, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(free_string) char *parent = text_format("%.*s", slash ? (int)(slash - path) : 0, path);

	*ret_name = slash ? slash + 1 : path;
	return root_open(host, parent, O_PATH | O_DIRECTORY);
}

int tree_write(struct host *host, const char *path, const char *text)
{
	const char *name;
	CLEANUP(close_fd) int parent = open_parent(host, path, &name);
	CLEANUP(close_fd) int fd = -1;
	size_t length = strlen(text);

	if (parent < 0)
		return parent;
	fd = openat(parent, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	if (write(fd, text, length) != (ssize_t)length)
		return -EIO;
	return 0;
}

int tree_rename(struct host *host, const char *from, const char *to)
{
	const char *from_name, *to_name;
	CLEANUP(close_fd) int from_parent = open_parent(host, from, &from_name);
	CLEANUP(close_fd) int to_parent = open_parent(host, to, &to_name);

	if (from_parent < 0 || to_parent < 0)
		return from_parent < 0 ? from_parent : to_parent;
	return renameat(from_parent, from_name, to_parent, to_name) < 0 ? -errno : 0;
}

void tree_remember(struct host *host, const char *path, const char *text)
{
	strings_add(&host->removed, path);
	strings_add(&host->removed, text);
}

const char *tree_remembered(const struct host *host, const char *path)
{
	for (size_t i = host->removed.n; i; i -= 2) /* the latest first */
		if (text_equal(host->removed.items[i - 2], path))
			return host->removed.items[i - 1];
	return NULL;
}

int tree_remove(struct host *host, const char *path)
{
	CLEANUP(strings_clear) struct strings names = { 0 };
	CLEANUP(free_string) char *text = NULL;
	const char *name;
	CLEANUP(close_fd) int parent = open_parent(host, path, &name);
	size_t length;

	if (parent < 0)
		return parent == -ENOENT ? 0 : parent;
	if (root_read(host, path, &text, &length) == 0)
		tree_remember(host, path, text);
	if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	if (host_list(host, path, &names) < 0)
		return -EIO;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *below = text_format("%s/%s", path, names.items[i]);
		int r = tree_remove(host, below);

		if (r < 0)
			return r;
	}
	return unlinkat(parent, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static int copy_directory(struct host *host, const char *from, const char *to)
{
	CLEANUP(strings_clear) struct strings names = { 0 };
	const char *name;
	CLEANUP(close_fd) int parent = open_parent(host, to, &name);
	int r = parent < 0 ? parent : host_list(host, from, &names);

	if (r < 0)
		return r;
	if (mkdirat(parent, name, 0755) < 0 && errno != EEXIST)
		return -errno;
	for (size_t i = 0; i < names.n && r == 0; i++) {
		CLEANUP(free_string) char *source = text_format("%s/%s", from, names.items[i]);
		CLEANUP(free_string) char *target = text_format("%s/%s", to, names.items[i]);

		r = tree_copy(host, source, target);
	}
	return r;
}

int tree_copy(struct host *host, const char *from, const char *to)
{
	CLEANUP(free_string) char *text = NULL;
	const char *once = tree_remembered(host, to);
	struct stat status;
	size_t length;
	CLEANUP(close_fd) int fd = root_open(host, from, O_PATH | O_NOFOLLOW);
	int r;

	if (fd < 0)
		return fd;
	if (fstat(fd, &status) < 0)
		return -errno;
	if (S_ISDIR(status.st_mode))
		return copy_directory(host, from, to);
	if (!S_ISREG(status.st_mode)) /* a link is a relation of the original alone */
		return 0;
	r = root_read(host, from, &text, &length);
	return r < 0 ? r : tree_write(host, to, once ? once : text);
}
