/* Reads the queues of a NIC as they are in sysfs (net/core/net-sysfs.c; Documentation/networking/scaling.rst). */
#include "private.h"

#include <steer/cleanup.h>

static struct opt_u32 napi_of(const struct nic *nic, enum queue_type type, unsigned index)
{
	for (size_t i = 0; i < nic->nnapis; i++) {
		const struct napi *napi = &nic->napis[i];
		const uint32_t *queues = type == QUEUE_RX ? napi->rx : napi->tx;
		size_t n = type == QUEUE_RX ? napi->nrx : napi->ntx;

		for (size_t j = 0; j < n; j++)
			if (queues[j] == index)
				return SOME_U32(napi->id);
	}
	return (struct opt_u32){ 0 };
}

static void read_queue(struct host *host, const char *directory, unsigned details, struct queue *queue)
{
	if (queue->type == QUEUE_RX) {
		if (details & DETAIL_RPS)
			queue->rps = read_mask(host, directory, "rps_cpus");
		if (details & DETAIL_RPS_FLOWS)
			queue->rps_flows = read_u32(host, directory, "rps_flow_cnt");
	} else {
		if (details & DETAIL_XPS)
			queue->xps = read_mask(host, directory, "xps_cpus"); /* ENOENT: a single queue */
		if (details & DETAIL_XPS_RXQS)
			queue->xps_rxqs = read_mask(host, directory, "xps_rxqs");
	}
}

/* Natural order, so rx-2 is before rx-10 and all rx before all tx. */
static void find_queues(struct host *host, const char *all, struct nic *nic)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(host, all, &names);
	for (size_t i = 0; i < names.n; i++) {
		struct queue queue = { .type = QUEUE_RX };
		uint32_t index;

		if (text_suffix_u32(names.items[i], "rx-", &index) < 0) {
			if (text_suffix_u32(names.items[i], "tx-", &index) < 0)
				continue;
			queue.type = QUEUE_TX;
		}
		queue.index = index;
		queue.napi = napi_of(nic, queue.type, index);
		nic->queues = alloc_more(nic->queues, nic->nqueues, sizeof *nic->queues);
		nic->queues[nic->nqueues++] = queue;
	}
}

void read_queues(struct host *host, struct nic *nic, unsigned details)
{
	CLEANUP(free_string) char *all = text_format("sys/class/net/%s/queues", nic->name);

	if (!nic->nqueues)
		find_queues(host, all, nic);
	for (size_t i = 0; i < nic->nqueues; i++) {
		struct queue *queue = &nic->queues[i];
		CLEANUP(free_string)
		char *directory = text_format("%s/%s-%u", all, queue_type_name(queue->type), queue->index);

		read_queue(host, directory, details, queue);
	}
}
