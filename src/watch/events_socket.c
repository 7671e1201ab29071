/* Netlink sockets that only listen: opens them, and takes datagrams without ever waiting. */
#include <errno.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include <steer/cleanup.h>

#include "sources.h"

/* As large as asked by right of CAP_NET_ADMIN, else as large as the limit for everybody allows. */
static void enlarge(int fd, size_t buffer)
{
	int size = (int)buffer;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

int source_open(int protocol, unsigned group, size_t buffer)
{
	CLEANUP(close_fd) int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
	const struct sockaddr_nl here = { .nl_family = AF_NETLINK };
	int r;

	if (fd < 0)
		return -errno;
	enlarge(fd, buffer);
	if (bind(fd, (const struct sockaddr *)&here, sizeof here) < 0 ||
	    setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) < 0)
		return -errno;
	r = fd;
	fd = -1;
	return r;
}

ssize_t source_take(int fd, void *data, size_t size)
{
	for (;;) {
		struct sockaddr_nl from = { 0 };
		struct iovec part = { .iov_base = data, .iov_len = size };
		struct msghdr message = {
			.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &part, .msg_iovlen = 1
		};
		ssize_t n = recvmsg(fd, &message, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (message.msg_flags & MSG_TRUNC)
			return -ENOBUFS;
		if (n > 0 && from.nl_pid == 0) /* the kernel, and nobody else */
			return n;
	}
}
