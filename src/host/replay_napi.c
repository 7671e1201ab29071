/* The NAPI instances that a captured machine tells of, as they are after a channel change. A driver that told of none
 * tells of none afterwards. */
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "recorded.h"

/* A device as far as its NAPI instances go. */
struct instances {
	struct host *host;
	struct napi *items;
	size_t n;
	bool rx, tx, pairs; /* tells of queues of these kinds; one instance serves both of a pair */
	uint32_t next_id;
};

static void instances_clear(struct instances *it)
{
	for (size_t i = 0; i < it->n; i++) {
		free(it->items[i].rx);
		free(it->items[i].tx);
	}
	free(it->items);
}

static void add_queue(uint32_t **queues, size_t *n, uint32_t queue)
{
	*queues = alloc_more(*queues, *n, sizeof **queues);
	(*queues)[(*n)++] = queue;
}

/* Those of a list that are still there. */
static void keep_queues(const uint32_t *from, size_t n_from, uint32_t limit, uint32_t **ret, size_t *ret_n)
{
	for (size_t i = 0; i < n_from; i++)
		if (from[i] < limit)
			add_queue(ret, ret_n, from[i]);
}

/* Takes over what an instance still serves; one that serves nothing any more is gone. */
static void keep(struct instances *it, const struct napi *napi, uint32_t rx, uint32_t tx)
{
	struct napi kept = { .id = napi->id, .irq = napi->irq };

	it->rx = it->rx || napi->nrx;
	it->tx = it->tx || napi->ntx;
	it->pairs = it->pairs || (napi->nrx && napi->ntx);
	keep_queues(napi->rx, napi->nrx, rx, &kept.rx, &kept.nrx);
	keep_queues(napi->tx, napi->ntx, tx, &kept.tx, &kept.ntx);
	if ((napi->nrx || napi->ntx) && !kept.nrx && !kept.ntx)
		return;
	if (napi->id >= it->next_id)
		it->next_id = napi->id + 1;
	it->items = alloc_more(it->items, it->n, sizeof *it->items);
	it->items[it->n++] = kept;
}

static bool has_queue(const uint32_t *queues, size_t n, uint32_t queue)
{
	for (size_t i = 0; i < n; i++)
		if (queues[i] == queue)
			return true;
	return false;
}

static bool is_served(const struct instances *it, bool rx, uint32_t queue)
{
	for (size_t i = 0; i < it->n; i++) {
		const struct napi *napi = &it->items[i];

		if (rx ? has_queue(napi->rx, napi->nrx, queue) : has_queue(napi->tx, napi->ntx, queue))
			return true;
	}
	return false;
}

/* The interrupt of a new instance stands to that of another as their queues do. */
static struct opt_u32 irq_of(const struct instances *it, bool rx, uint32_t queue)
{
	for (size_t i = 0; i < it->n; i++) {
		const struct napi *other = &it->items[i];

		if (other->irq.set && (rx ? other->nrx : other->ntx))
			return replay_sibling_irq(it->host, other->irq.value,
						  (int)queue - (int)(rx ? other->rx : other->tx)[0]);
	}
	return (struct opt_u32){ 0 };
}

static void add(struct instances *it, bool rx, bool tx, uint32_t queue)
{
	struct napi napi = { .id = it->next_id++, .irq = irq_of(it, rx, queue) };

	if (rx)
		add_queue(&napi.rx, &napi.nrx, queue);
	if (tx)
		add_queue(&napi.tx, &napi.ntx, queue);
	it->items = alloc_more(it->items, it->n, sizeof *it->items);
	it->items[it->n++] = napi;
}

void replay_napis(struct host *host, const char *name, const struct napi *before, size_t n, uint32_t rx, uint32_t tx)
{
	CLEANUP(instances_clear) struct instances it = { .host = host };

	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		keep(&it, &before[i], rx, tx);
	for (uint32_t queue = 0; queue < (rx > tx ? rx : tx); queue++) {
		bool new_rx = it.rx && queue < rx && !is_served(&it, true, queue);
		bool new_tx = it.tx && queue < tx && !is_served(&it, false, queue);

		if (it.pairs && (new_rx || new_tx)) {
			add(&it, new_rx, new_tx, queue);
			continue;
		}
		if (new_rx)
			add(&it, true, false, queue);
		if (new_tx)
			add(&it, false, true, queue);
	}
	recorded_put_napis(host, name, it.items, it.n);
}
