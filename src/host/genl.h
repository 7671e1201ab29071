/* Generic netlink: families by name, and messages to them. */
#pragma once

#include "netlink.h"

/* The number of a family, asked for once: *known is 0 before. -EOPNOTSUPP: the kernel has no such family. */
int genl_family(struct netlink *netlink, const char *name, uint16_t *known);

/* A message to a family; flags as netlink_request(). Never NULL. */
struct nl_msg *genl_message(uint16_t family, uint8_t command, int flags);

/* The attributes of an answer, by number up to max; attrs has max + 1 places. */
void genl_attributes(struct nlmsghdr *header, struct nlattr **attrs, int max);

/* As netlink_request(), but repeats a dump that was inconsistent, up to 5 times; again() forgets what the attempt
 * before has told. -EINTR: never consistent. */
int genl_dump(struct netlink *netlink, struct nl_msg *message, netlink_take *take, void (*again)(void *context),
	      void *context);
