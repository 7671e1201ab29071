/* One device: the lines with its settings and the pattern of its queues, and the table of all its queues. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "fold.h"
#include "table.h"
#include "views.h"

/* Adds "text" or, when the plan wants something else, "text, want 20". Takes over both. */
static void add_wanting(struct items *items, char *text, char *wanted)
{
	CLEANUP(free_string) char *is = text;
	CLEANUP(free_string) char *shall_be = wanted;

	if (is && shall_be)
		items_take(items, INK_WARNING, text_format("%s, %s", is, shall_be));
	else
		items_take(items, INK_PLAIN, TAKE(is));
}

static void add_setting(const struct block *block, struct items *items, enum setting setting, char *text)
{
	add_wanting(items, text, wanted_text(block->view->plan, block->nic->name, setting, false));
}

static void add_channels(const struct block *block, struct items *items)
{
	static const enum setting settings[CHANNEL_KINDS] = { [CHANNEL_RX] = SETTING_CHANNELS_RX,
							      [CHANNEL_TX] = SETTING_CHANNELS_TX,
							      [CHANNEL_COMBINED] = SETTING_CHANNELS_COMBINED };
	static const enum channel_kind order[] = { CHANNEL_COMBINED, CHANNEL_RX, CHANNEL_TX };
	const struct channels *channels = &block->nic->channels;

	for (size_t i = 0; i < COUNT_OF(order); i++) {
		const struct opt_u32 *count = &channels->count[order[i]], *max = &channels->max[order[i]];

		if (!count->set || (count->value == 0 && max->set && max->value == 0))
			continue;
		add_setting(block, items, settings[order[i]],
			    max->set ? text_format("%s %u of %u", channel_kind_name(order[i]), count->value, max->value)
				     : text_format("%s %u", channel_kind_name(order[i]), count->value));
	}
}

static bool wants(const struct block *block, enum setting setting)
{
	CLEANUP(free_string) char *wanted = wanted_text(block->view->plan, block->nic->name, setting, false);

	return wanted;
}

static void add_rings(const struct block *block, struct items *items)
{
	const struct rings *rings = &block->nic->rings;
	bool wanted = wants(block, SETTING_RING_RX) || wants(block, SETTING_RING_TX);

	if (rings->rx.set && rings->tx.set && !wanted) {
		items_take(items, INK_PLAIN, text_format("rings %u/%u", rings->rx.value, rings->tx.value));
		return;
	}
	if (rings->rx.set)
		add_setting(block, items, SETTING_RING_RX, text_format("rx ring %u", rings->rx.value));
	if (rings->tx.set)
		add_setting(block, items, SETTING_RING_TX, text_format("tx ring %u", rings->tx.value));
}

static void add_pause(const struct block *block, struct items *items)
{
	CLEANUP(free_string) char *text = pause_text(&block->nic->pause);

	add_setting(block, items, SETTING_PAUSE, text ? text_format("pause %s", text) : NULL);
}

/* Only what is to be changed: a device has fifty of them. */
static void add_offloads(const struct block *block, struct items *items)
{
	const struct plan *plan = block->view->plan;

	for (size_t i = 0; plan && i < plan->nchanges; i++) {
		const struct change *change = &plan->changes[i];

		if (change->setting == SETTING_OFFLOAD && change->state == CHANGE_TODO &&
		    text_equal(change->device, block->nic->name))
			items_take(items, INK_WARNING,
				   text_format("%s %s, want %s", offload_feature(change->index), change->from,
					       change->to));
	}
}

/* The queues of one type and the CPUs of their interrupts. */
static size_t spots_of_irqs(const struct block *block, bool tx, struct spot **ret)
{
	struct spot *spots = alloc_zero(block->nrows, sizeof *spots);
	size_t n = 0;

	for (size_t i = 0; i < block->nrows; i++) {
		const struct row *row = &block->rows[i];

		if ((row->type == QUEUE_TX) == tx && row->irq)
			spots[n++] = (struct spot){ .index = row->index, .cpus = row->irq->affinity };
	}
	*ret = spots;
	return n;
}

static void add_irqs(const struct block *block, struct items *items, bool tx)
{
	struct spot *spots;
	size_t n = spots_of_irqs(block, tx, &spots);
	CLEANUP(free_string)
	char *fold = n ? fold_spots(&block->view->machine->topology, block->nic->local, spots, n) : NULL;
	bool apart = block->nrows && block->rows[block->nrows - 1].type == QUEUE_TX;

	free(spots);
	if (fold)
		add_wanting(items,
			    text_format("%s%s",
					tx      ? "tx "
					: apart ? "rx "
						: "",
					fold),
			    wanted_text(block->view->plan, block->nic->name, SETTING_IRQ, tx));
}

/* Vectors that serve nobody knows what, and queues without one. */
static void add_unknown(const struct block *block, struct items *items)
{
	const struct nic *nic = block->nic;
	unsigned unknown = 0, rx = nic_queue_count(nic, QUEUE_RX), tx = nic_queue_count(nic, QUEUE_TX);
	bool known = false;

	for (size_t i = 0; i < nic->nirqs; i++)
		unknown += nic->irqs[i].role == IRQ_UNKNOWN;
	for (size_t i = 0; i < block->nrows; i++)
		known = known || block->rows[i].irq;
	if (!known && rx + tx > 0)
		items_take(items, INK_PLAIN, text_format("%u rx, %u tx", rx, tx));
	if (unknown)
		items_take(items, INK_WARNING,
			   text_format("%u interrupt%s of unknown queue", unknown, unknown == 1 ? "" : "s"));
}

static const cpuset *set_of(const struct queue *queue)
{
	return queue->type == QUEUE_RX ? queue->rps : queue->xps;
}

/* The sets of RPS or XPS, of the queues that have one. */
static size_t spots_of_sets(const struct nic *nic, enum queue_type type, struct spot **ret)
{
	struct spot *spots = alloc_zero(nic->nqueues, sizeof *spots);
	size_t n = 0;

	for (size_t i = 0; i < nic->nqueues; i++)
		if (nic->queues[i].type == type && set_of(&nic->queues[i]))
			spots[n++] = (struct spot){ .index = nic->queues[i].index, .cpus = set_of(&nic->queues[i]) };
	*ret = spots;
	return n;
}

static bool xps_follows(const struct nic *nic, const struct spot *spots, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct irq *irq = nic_irq_of(nic, QUEUE_TX, spots[i].index);

		if (!irq || !irq->affinity || !cpuset_equal(irq->affinity, spots[i].cpus))
			return false;
	}
	return n > 0;
}

static void add_sets(const struct block *block, struct items *items, enum queue_type type)
{
	struct spot *spots;
	size_t n = spots_of_sets(block->nic, type, &spots);
	CLEANUP(free_string) char *fold = n ? fold_sets(&block->view->machine->topology, spots, n) : NULL;
	bool follows = type == QUEUE_TX && xps_follows(block->nic, spots, n);

	free(spots);
	if (follows)
		add_setting(block, items, SETTING_XPS, alloc_string("XPS follows"));
	else if (fold)
		add_setting(block, items, type == QUEUE_TX ? SETTING_XPS : SETTING_RPS,
			    text_format("%s %s", type == QUEUE_TX ? "XPS" : "RPS", fold));
}

void block_settings(const struct block *block)
{
	CLEANUP(items_clear) struct items settings = { 0 };
	CLEANUP(items_clear) struct items queues = { 0 };

	add_channels(block, &settings);
	add_pause(block, &settings);
	add_offloads(block, &settings);
	add_rings(block, &settings);
	if (block->nic->xdp)
		items_take(&settings, INK_PLAIN, alloc_string("XDP program"));
	add_irqs(block, &queues, false);
	add_irqs(block, &queues, true);
	add_unknown(block, &queues);
	add_sets(block, &queues, QUEUE_RX);
	add_sets(block, &queues, QUEUE_TX);
	pen_items(block->pen, "channels", &settings);
	pen_items(block->pen, "queues", &queues);
}

/* ---- the table of queues ---------------------------------------------------------------------------------------- */

static char *list_text(const cpuset *cpus)
{
	if (!cpus)
		return NULL;
	return cpuset_empty(cpus) ? alloc_string("off") : cpuset_list(cpus);
}

/* What else there is to say of an interrupt. */
static const char *remark(const struct irq *irq, const struct row *row)
{
	if (!irq)
		return NULL;
	if (irq->fixed)
		return "fixed by the kernel";
	return !row && irq->role >= IRQ_RX ? "its queue is not in use" : NULL;
}

static void add_row(struct table *table, const struct irq *irq, const struct row *row, const char *what)
{
	CLEANUP(free_string) char *number = irq ? text_format("%u", irq->number) : alloc_string("-");
	CLEANUP(free_string) char *affinity = list_text(irq ? irq->affinity : NULL);
	CLEANUP(free_string) char *effective = list_text(irq ? irq->effective : NULL);
	CLEANUP(free_string) char *rps = row && row->rx ? list_text(row->rx->rps) : NULL;
	CLEANUP(free_string) char *xps = row && row->tx ? list_text(row->tx->xps) : NULL;
	CLEANUP(free_string) char *napi = row && row->napi.set ? text_format("%u", row->napi.value) : NULL;
	const char *name = irq ? irq->name : NULL;
	const char *cells[] = { what, number, name, affinity, effective, rps, xps, napi, remark(irq, row) };

	table_row(table, irq && irq->role == IRQ_UNKNOWN ? INK_WARNING : INK_PLAIN, cells);
}

void block_queues(const struct block *block)
{
	static const struct column columns[] = {
		{ "queue", COLUMN_LEFT },    { "irq", COLUMN_RIGHT },      { "name", COLUMN_LEFT },
		{ "affinity", COLUMN_LEFT }, { "effective", COLUMN_LEFT }, { "RPS", COLUMN_LEFT },
		{ "XPS", COLUMN_LEFT },      { "NAPI", COLUMN_RIGHT },     { "", COLUMN_LEFT },
	};
	CLEANUP(table_freep) struct table *table = table_new(block->pen, columns, COUNT_OF(columns));

	for (size_t i = 0; i < block->nrows; i++) {
		CLEANUP(free_string) char *name = row_name(&block->rows[i]);

		add_row(table, block->rows[i].irq, &block->rows[i], name);
	}
	for (size_t i = 0; i < block->nic->nirqs; i++) {
		const struct irq *irq = &block->nic->irqs[i];

		if (!rows_have(block->rows, block->nrows, irq))
			add_row(table, irq, NULL, irq_role_name(irq->role));
	}
	table_print(table);
}
