/* Tells the service manager how it goes. Waits for nobody: a manager that does not listen loses the message. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <steer/cleanup.h>
#include <steer/notify.h>

/* A path, or with a leading "@" a name in the abstract namespace, where a NUL stands in its place. */
int notify(const char *lines)
{
	const char *name = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = name ? strlen(name) : 0;
	CLEANUP(close_fd) int fd = -1;

	if (length == 0)
		return 0;
	if (length >= sizeof address.sun_path)
		return -ENAMETOOLONG;
	memcpy(address.sun_path, name, length);
	if (*name == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (sendto(fd, lines, strlen(lines), MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *)&address,
		   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)) < 0)
		return -errno;
	return 0;
}
