/* Copies files and links of a host to a captured tree. Knows no file by name but those of /proc/irq; writes below its
 * directory alone. */
#include "capture_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <steer/cleanup.h>

static void fail(struct capture *capture, int error)
{
	if (!capture->error)
		capture->error = -error;
}

/* Files come directory by directory: the last one made is remembered. */
void put_directory(struct capture *capture, const char *path)
{
	CLEANUP(free_string) char *full = text_format("%s/%s", capture->directory, path);

	if (capture->error || text_equal(capture->made, path))
		return;
	for (char *slash = full + strlen(capture->directory); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(full, 0755) < 0 && errno != EEXIST)
			fail(capture, errno);
		*slash = '/';
	}
	if (mkdir(full, 0755) < 0 && errno != EEXIST)
		fail(capture, errno);
	free(capture->made);
	capture->made = alloc_string(path);
}

static void put_parent(struct capture *capture, const char *path)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(free_string) char *parent = text_format("%.*s", slash ? (int)(slash - path) : 0, path);

	if (*parent)
		put_directory(capture, parent);
}

static void put_file(struct capture *capture, const char *path, const char *text, mode_t mode)
{
	CLEANUP(free_string) char *full = text_format("%s/%s", capture->directory, path);
	CLEANUP(free_string) char *line = text_format("%s\n", text);
	CLEANUP(close_fd) int fd = -1;
	size_t length = strlen(line);

	put_parent(capture, path);
	if (capture->error)
		return;
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0 || write(fd, line, length) != (ssize_t)length)
		fail(capture, errno ? errno : EIO);
}

void put_text(struct capture *capture, const char *path, const char *text)
{
	put_file(capture, path, text, 0644);
}

static void copy_path(struct capture *capture, const char *path, mode_t mode)
{
	CLEANUP(free_string) char *text = NULL;

	if (host_read(capture->host, path, &text) < 0)
		return;
	scrub_addresses(text);
	put_file(capture, path, text, mode);
}

void copy_file(struct capture *capture, const char *directory, const char *name)
{
	CLEANUP(free_string) char *path = text_format("%s/%s", directory, name);

	copy_path(capture, path, 0644);
}

void copy_files(struct capture *capture, const char *directory, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		copy_file(capture, directory, names[i]);
}

/* Links of /sys are relative, so they hold in the copy; a target that is not copied itself is an empty directory. */
void copy_link(struct capture *capture, const char *directory, const char *name)
{
	CLEANUP(free_string) char *path = text_format("%s/%s", directory, name), *target = NULL, *resolved = NULL;
	CLEANUP(free_string) char *full = text_format("%s/%s", capture->directory, path);

	if (host_link(capture->host, path, &target) < 0 || *target == '/')
		return;
	put_parent(capture, path);
	if (capture->error)
		return;
	if (symlink(target, full) < 0 && errno != EEXIST)
		fail(capture, errno);
	if (host_resolve(capture->host, path, &resolved) == 0)
		put_directory(capture, resolved);
}

void copy_irq(struct capture *capture, unsigned irq)
{
	static const char *const names[] = { "smp_affinity_list", "effective_affinity_list" };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		CLEANUP(free_string) char *path = text_format("proc/irq/%u/%s", irq, names[i]);
		unsigned mode;

		if (host_file_mode(capture->host, path, &mode) == 0)
			copy_path(capture, path, mode & 0666);
	}
}
