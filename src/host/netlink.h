/* Request sockets of generic and route netlink: a question, its answers, and what the kernel has to say about it.
 *
 * Errors are the kernel's own errno, never libnl's codes, which lose some of them (lib/error.c of libnl). */
#pragma once

#include <stdint.h>

struct host;
struct netlink;
struct nl_msg;
struct nlattr;
struct nlmsghdr;

/* Opens a socket of a protocol (NETLINK_ROUTE, NETLINK_GENERIC). */
int netlink_open(int protocol, struct netlink **ret);
void netlink_close(struct netlink *netlink); /* NULL is fine */

/* Called for each message of the answer. */
typedef void netlink_take(struct nlmsghdr *header, void *context);

/* Sends a request and takes the answer. The message's flags decide what that is: NLM_F_ACK waits for the confirmation
 * only, NLM_F_DUMP for all parts, neither for one message. -ETIMEDOUT: the kernel did not answer; -EINTR: a dump was
 * inconsistent. *ret_said (may be NULL) is the kernel's explanation or NULL. */
int netlink_request(struct netlink *netlink, struct nl_msg *message, netlink_take *take, void *context,
		    char **ret_said);

/* The request socket for each protocol, opened at the first use. */
int netlink_route(struct host *host, struct netlink **ret);
int netlink_generic(struct host *host, struct netlink **ret);

void free_message(struct nl_msg **message); /* for CLEANUP */

/* An attribute as a number or flag; unset when it is absent or of another size. */
#define ATTR_U32(attr) ((attr) && nla_len(attr) == 4 ? SOME_U32(nla_get_u32(attr)) : (struct opt_u32){ 0 })
#define ATTR_BOOL(attr) ((attr) && nla_len(attr) == 1 ? SOME_BOOL(nla_get_u8(attr) != 0) : (struct opt_bool){ 0 })
