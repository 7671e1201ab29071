/* Prints what the kernel's `netdev` family tells of a device's queues and NAPI instances; asks, and changes nothing.
 *
 *   napi IF        queue rx 0 napi 8193          napi 8193 irq 29
 *
 * Raw netlink, since a witness should not share the library of what it witnesses. Kernel 6.1 has no such family.
 * Names and numbers: Documentation/netlink/specs/netdev.yaml.
 */
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { QUEUE_GET = 10, NAPI_GET = 11 };
enum { QUEUE_ID = 1, QUEUE_IFINDEX, QUEUE_TYPE, QUEUE_NAPI };
enum { NAPI_IFINDEX = 1, NAPI_ID, NAPI_IRQ, NAPI_PID };
enum { ATTRS = 16, BUFFER = 32768 };

struct request {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	char attrs[64];
};

/* One message's attributes by number: 32-bit values, and whether each is there. */
struct attrs {
	uint32_t value[ATTRS];
	bool set[ATTRS];
};

/* Attributes start at multiples of four (NLA_ALIGN, whose constants are signed). */
static uint32_t aligned(uint32_t length)
{
	return (length + 3) & ~UINT32_C(3);
}

static void begin(struct request *r, uint16_t family, uint16_t flags, uint8_t command)
{
	*r = (struct request){ .head = { .nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN), .nlmsg_type = family },
			       .genl = { .cmd = command, .version = 1 } };
	r->head.nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags);
}

static void put(struct request *r, uint16_t type, const void *data, uint16_t length)
{
	char *at = (char *)r + aligned(r->head.nlmsg_len);
	struct nlattr attr = { .nla_len = (uint16_t)(sizeof attr + length), .nla_type = type };
	memcpy(at, &attr, sizeof attr);
	memcpy(at + sizeof attr, data, length);
	r->head.nlmsg_len = aligned(r->head.nlmsg_len) + aligned(attr.nla_len);
}

static struct attrs attrs_of(const struct nlmsghdr *h)
{
	struct attrs found = { 0 };
	const char *at = (const char *)h + NLMSG_LENGTH(GENL_HDRLEN);
	size_t left = h->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN);
	struct nlattr a;
	while (left >= sizeof a) {
		memcpy(&a, at, sizeof a);
		if (a.nla_len < sizeof a || a.nla_len > left)
			break;
		uint16_t type = (uint16_t)(a.nla_type & NLA_TYPE_MASK);
		size_t size = a.nla_len - sizeof a;
		if (type < ATTRS && size <= sizeof found.value[type]) {
			memcpy(&found.value[type], at + sizeof a, size);
			found.set[type] = true;
		}
		size_t step = aligned(a.nla_len) < left ? aligned(a.nla_len) : left;
		at += step;
		left -= step;
	}
	return found;
}

/* The number of the family, or a negative errno. */
static int family_id(int fd, const char *name)
{
	static _Alignas(struct nlmsghdr) char buffer[BUFFER];
	struct request r;
	begin(&r, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
	put(&r, CTRL_ATTR_FAMILY_NAME, name, (uint16_t)(strlen(name) + 1));
	if (send(fd, &r, r.head.nlmsg_len, 0) < 0 || recv(fd, buffer, sizeof buffer, 0) < 0)
		return -1;
	const struct nlmsghdr *h = (const void *)buffer;
	if (h->nlmsg_type == NLMSG_ERROR)
		return ((const struct nlmsgerr *)NLMSG_DATA(h))->error;
	return (int)attrs_of(h).value[CTRL_ATTR_FAMILY_ID];
}

static void print_queue(const struct attrs *a)
{
	printf("queue %s %u", a->value[QUEUE_TYPE] ? "tx" : "rx", a->value[QUEUE_ID]);
	if (a->set[QUEUE_NAPI])
		printf(" napi %u\n", a->value[QUEUE_NAPI]);
	else
		puts(" no napi");
}

static void print_napi(const struct attrs *a)
{
	printf("napi %u", a->value[NAPI_ID]);
	if (a->set[NAPI_IRQ])
		printf(" irq %u\n", a->value[NAPI_IRQ]);
	else
		puts(" no irq");
}

/* Dumps one kind of object of a device. */
static void dump(int fd, int family, uint8_t command, uint16_t attr, uint32_t ifindex,
		 void (*print)(const struct attrs *))
{
	static _Alignas(struct nlmsghdr) char buffer[BUFFER];
	struct request r;
	begin(&r, (uint16_t)family, NLM_F_DUMP, command);
	put(&r, attr, &ifindex, sizeof ifindex);
	if (send(fd, &r, r.head.nlmsg_len, 0) < 0)
		return;
	for (;;) {
		ssize_t n = recv(fd, buffer, sizeof buffer, 0);
		if (n < 0)
			return;
		size_t left = (size_t)n;
		for (const struct nlmsghdr *h = (const void *)buffer; NLMSG_OK(h, left); h = NLMSG_NEXT(h, left)) {
			if (h->nlmsg_type == NLMSG_ERROR)
				printf("error %s\n", strerror(-((const struct nlmsgerr *)NLMSG_DATA(h))->error));
			if (h->nlmsg_type == NLMSG_ERROR || h->nlmsg_type == NLMSG_DONE)
				return;
			struct attrs a = attrs_of(h);
			print(&a);
		}
	}
}

int main(int argc, char **argv)
{
	uint32_t ifindex = argc == 2 ? if_nametoindex(argv[1]) : 0;
	if (!ifindex) {
		fputs("usage: napi IF\n", stderr);
		return 2;
	}
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	int family = fd < 0 ? -1 : family_id(fd, "netdev");
	if (family < 0) {
		printf("no netdev family (%s)\n", strerror(-family));
		return 0;
	}
	dump(fd, family, QUEUE_GET, QUEUE_IFINDEX, ifindex, print_queue);
	dump(fd, family, NAPI_GET, NAPI_IFINDEX, ifindex, print_napi);
	close(fd);
	return 0;
}
