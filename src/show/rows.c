/* Pairs the rx and tx queues of a device that share an interrupt. Decides what a "queue" of the output is; looks
 * nothing up outside the nic. Where the kernel lists the queues there are no others: vectors of queues that a driver
 * could have make none. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "rows.h"

static void row_add(const struct nic *nic, struct row **rows, size_t *n, enum queue_type type, unsigned index)
{
	struct row *row;

	for (size_t i = 0; i < *n; i++)
		if ((*rows)[i].type == type && (*rows)[i].index == index)
			return;
	*rows = alloc_more(*rows, *n, sizeof **rows);
	row = &(*rows)[(*n)++];
	row->type = type;
	row->index = index;
	row->irq = nic_irq_of(nic, type, index);
	*(type == QUEUE_TX ? &row->tx : &row->rx) = nic_queue(nic, type, index);
}

static int by_type_and_index(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static bool some_irq_is_known(const struct nic *nic)
{
	for (size_t i = 0; i < nic->nirqs; i++)
		if (nic->irqs[i].rx.set || nic->irqs[i].tx.set)
			return true;
	return false;
}

/* One interrupt serves both; or ethtool says that channels are combined, and nothing speaks against it. */
static bool is_pair(const struct nic *nic, const struct row *rx, const struct row *tx)
{
	const struct opt_u32 *combined = &nic->channels.count[CHANNEL_COMBINED];

	if (rx->index != tx->index)
		return false;
	if (rx->irq || tx->irq)
		return rx->irq == tx->irq;
	return combined->set && rx->index < combined->value && !some_irq_is_known(nic);
}

static bool serves(const uint32_t *queues, size_t n, unsigned index)
{
	for (size_t i = 0; i < n; i++)
		if (queues[i] == index)
			return true;
	return false;
}

static void find_napi(const struct nic *nic, struct row *row)
{
	if (row->rx && row->rx->napi.set)
		row->napi = row->rx->napi;
	else if (row->tx && row->tx->napi.set)
		row->napi = row->tx->napi;
	for (size_t i = 0; i < nic->nnapis && !row->napi.set; i++) {
		const struct napi *napi = &nic->napis[i];

		if ((row->irq && napi->irq.set && napi->irq.value == row->irq->number) ||
		    (row->type == QUEUE_TX ? serves(napi->tx, napi->ntx, row->index)
					   : serves(napi->rx, napi->nrx, row->index)))
			row->napi = SOME_U32(napi->id);
	}
}

size_t rows_make(const struct nic *nic, struct row **ret)
{
	struct row *rows = NULL;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < nic->nqueues; i++)
		row_add(nic, &rows, &n, nic->queues[i].type, nic->queues[i].index);
	for (size_t i = 0; i < nic->nirqs && nic->nqueues == 0; i++) {
		if (nic->irqs[i].rx.set)
			row_add(nic, &rows, &n, QUEUE_RX, nic->irqs[i].rx.value);
		if (nic->irqs[i].tx.set)
			row_add(nic, &rows, &n, QUEUE_TX, nic->irqs[i].tx.value);
	}
	if (n)
		qsort(rows, n, sizeof *rows, by_type_and_index);
	for (size_t i = 0; i < n; i++) {
		bool paired = false;

		for (size_t k = 0; k < kept && !paired && rows[i].type == QUEUE_TX; k++) {
			if (rows[k].type == QUEUE_RX && is_pair(nic, &rows[k], &rows[i])) {
				rows[k].type = QUEUE_COMBINED;
				rows[k].tx = rows[i].tx;
				paired = true;
			}
		}
		if (!paired)
			rows[kept++] = rows[i];
	}
	for (size_t i = 0; i < kept; i++)
		find_napi(nic, &rows[i]);
	*ret = rows;
	return kept;
}

bool rows_have(const struct row *rows, size_t n, const struct irq *irq)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].irq == irq)
			return true;
	return false;
}

char *row_name(const struct row *row)
{
	return text_format("%s %u", queue_type_name(row->type), row->index);
}
