/* Asks the netdev family (Documentation/netlink/specs/netdev.yaml) which NAPI instances a device has, their interrupts
 * and the queues they serve. Kernels before 6.8, and drivers that do not tell, give none. */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include <steer/cleanup.h>

#include "genl.h"

/* linux/netdev.h, which is younger than the headers that steerd builds with */
#define NETDEV_FAMILY "netdev"
enum { NETDEV_QUEUE_GET = 10, NETDEV_NAPI_GET = 11 };
enum { QUEUE_ID = 1, QUEUE_IFINDEX = 2, QUEUE_TYPE = 3, QUEUE_NAPI_ID = 4, QUEUE_ATTRS = 4 };
enum { QUEUE_TYPE_RX = 0, QUEUE_TYPE_TX = 1 };
enum { NAPI_IFINDEX = 1, NAPI_ID = 2, NAPI_IRQ = 3, NAPI_ATTRS = 3 };

static void forget_napis(void *context)
{
	net_forget(context, DETAIL_NAPI);
}

static void forget_queues(void *context)
{
	struct nic *nic = context;

	for (size_t i = 0; i < nic->nnapis; i++)
		nic->napis[i].nrx = nic->napis[i].ntx = 0;
}

static bool is_of(const struct nic *nic, struct nlattr *ifindex)
{
	struct opt_u32 index = ATTR_U32(ifindex);

	return index.set && index.value == nic->ifindex;
}

static void take_napi(struct nlmsghdr *header, void *context)
{
	struct nlattr *attrs[NAPI_ATTRS + 1];
	struct nic *nic = context;
	struct opt_u32 id, irq;

	genl_attributes(header, attrs, NAPI_ATTRS);
	id = ATTR_U32(attrs[NAPI_ID]);
	irq = ATTR_U32(attrs[NAPI_IRQ]);
	if (!id.set || !is_of(nic, attrs[NAPI_IFINDEX]))
		return;
	nic->napis = alloc_more(nic->napis, nic->nnapis, sizeof *nic->napis);
	nic->napis[nic->nnapis++] = (struct napi){ .id = id.value, .irq = irq };
}

static void add_queue(uint32_t **queues, size_t *n, uint32_t queue)
{
	*queues = alloc_more(*queues, *n, sizeof **queues);
	(*queues)[(*n)++] = queue;
}

static void take_queue(struct nlmsghdr *header, void *context)
{
	struct nlattr *attrs[QUEUE_ATTRS + 1];
	struct opt_u32 queue, type, napi;
	struct nic *nic = context;

	genl_attributes(header, attrs, QUEUE_ATTRS);
	queue = ATTR_U32(attrs[QUEUE_ID]);
	type = ATTR_U32(attrs[QUEUE_TYPE]);
	napi = ATTR_U32(attrs[QUEUE_NAPI_ID]);
	if (!queue.set || !type.set || !napi.set || !is_of(nic, attrs[QUEUE_IFINDEX]))
		return;
	for (size_t i = 0; i < nic->nnapis; i++) {
		struct napi *it = &nic->napis[i];

		if (it->id != napi.value)
			continue;
		if (type.value == QUEUE_TYPE_RX)
			add_queue(&it->rx, &it->nrx, queue.value);
		else if (type.value == QUEUE_TYPE_TX)
			add_queue(&it->tx, &it->ntx, queue.value);
	}
}

static int by_id(const void *a, const void *b)
{
	const struct napi *left = a, *right = b;

	return left->id < right->id ? -1 : left->id > right->id;
}

static int dump(struct host *host, struct netlink *netlink, struct nic *nic, uint8_t command, int ifindex,
		netlink_take *take, void (*again)(void *context))
{
	CLEANUP(free_message) struct nl_msg *message = genl_message(host->netdev_family, command, NLM_F_DUMP);

	nla_put_u32(message, ifindex, nic->ifindex);
	return genl_dump(netlink, message, take, again, nic);
}

int netdev_read_napis(struct host *host, struct nic *nic)
{
	struct netlink *netlink;
	int r = netlink_generic(host, &netlink);

	if (r < 0)
		return r;
	r = genl_family(netlink, NETDEV_FAMILY, &host->netdev_family);
	if (r == 0)
		r = dump(host, netlink, nic, NETDEV_NAPI_GET, NAPI_IFINDEX, take_napi, forget_napis);
	if (r == 0 && nic->nnapis) {
		qsort(nic->napis, nic->nnapis, sizeof *nic->napis, by_id);
		r = dump(host, netlink, nic, NETDEV_QUEUE_GET, QUEUE_IFINDEX, take_queue, forget_queues);
	}
	return r == -EOPNOTSUPP ? 0 : r;
}
