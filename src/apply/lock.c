/* One writer at a time: a lock file that holds the writer's process id. Never waits. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <steer/apply.h>
#include <steer/cleanup.h>

struct lock {
	int fd;
};

/* Who holds it, by what the holder wrote; 0 when it has not got that far. */
static int read_holder(int fd)
{
	char text[16] = "";
	uint32_t pid;

	if (pread(fd, text, sizeof text - 1, 0) <= 0 || text_u32(text_trim(text), &pid) < 0)
		return 0;
	return (int)pid;
}

static int write_holder(int fd)
{
	CLEANUP(free_string) char *text = text_format("%d\n", (int)getpid());
	size_t length = strlen(text);

	if (ftruncate(fd, 0) < 0)
		return -errno;
	return pwrite(fd, text, length, 0) == (ssize_t)length ? 0 : -EIO;
}

int lock_take(const char *run_directory, struct lock **ret, int *ret_holder)
{
	CLEANUP(free_string) char *path = text_format("%s/lock", run_directory);
	CLEANUP(close_fd) int fd = -1;
	struct lock *lock;
	int r;

	if (mkdir(run_directory, 0755) < 0 && errno != EEXIST)
		return -errno;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return -errno;
		*ret_holder = read_holder(fd);
		return -EAGAIN;
	}
	if ((r = write_holder(fd)) < 0)
		return r;
	lock = alloc_zero(1, sizeof *lock);
	lock->fd = fd;
	fd = -1;
	*ret = lock;
	return 0;
}

/* The file stays: removing it would let a second writer lock a new one while a third waits on the old. */
void lock_release(struct lock *lock)
{
	if (!lock)
		return;
	(void)!ftruncate(lock->fd, 0);
	close(lock->fd);
	free(lock);
}

void lock_releasep(struct lock **lock)
{
	lock_release(*lock);
	*lock = NULL;
}
