/* Listens to nftables: each transaction is announced whole, rule by rule, and ends with its number, which is all that
 * is let through. (linux/netfilter/nfnetlink.h) */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <sys/socket.h>

#include <steer/cleanup.h>

#include "sources.h"

/* Classic BPF loads numbers as big endian; the type of a netlink message is the host's. */
static int let_through_ends(int fd)
{
	const uint16_t end = htons(NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWGEN);
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, offsetof(struct nlmsghdr, nlmsg_type)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, end, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	const struct sock_fprog program = { .len = COUNT_OF(code), .filter = code };

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) < 0 ? -errno : 0;
}

int flows_open(size_t buffer)
{
	CLEANUP(close_fd) int fd = source_open(NETLINK_NETFILTER, NFNLGRP_NFTABLES, buffer);
	int r;

	if (fd < 0)
		return fd;
	if ((r = let_through_ends(fd)) < 0)
		return r;
	r = fd;
	fd = -1;
	return r;
}
