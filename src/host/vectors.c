/* What a channel change does to the interrupts of a captured NIC, by these rules:
 *
 * 1. A driver that keeps its vectors (a pool for the maximum) changes none.
 * 2. Others free all of the device's queue vectors and ask for as many as the new counts need. The numbers of those
 *    that stay are the same, as the kernel hands out the lowest free ones; those of queues that went are gone; new ones
 *    take the lowest free numbers behind the device's first.
 * 3. Names continue the pattern of those that are there: TxRx-0, TxRx-1, ... or rx-1, rx-2, ... or TxRx-0, TxRx-2, ...
 * 4. Every queue vector comes back with the default affinity.
 *
 * Control vectors are left alone. */
#include "replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "recorded.h"
#include "tree.h"
#include "vectors.h"

struct change {
	struct host *host;
	struct rows rows;
	struct vectors vectors;
};

static void change_clear(struct change *change)
{
	rows_clear(&change->rows);
	vectors_clear(&change->vectors);
}

/* ---- rule 1 ---------------------------------------------------------------------------------------------------- */

static bool keeps_vectors(struct host *host, const char *name)
{
	static const char *const drivers[] = { "mlx5_core", "mlx4_core", "mlx4_en", "virtio_net", "gve", "mana" };
	CLEANUP(free_string) char *driver = recorded_driver(host, name), *path = NULL, *link = NULL;

	if (!driver) {
		path = text_format("sys/class/net/%s/device/driver", name);
		if (host_link(host, path, &link) == 0)
			driver = alloc_string(strrchr(link, '/') ? strrchr(link, '/') + 1 : link);
	}
	for (size_t i = 0; i < COUNT_OF(drivers); i++)
		if (text_equal(driver, drivers[i]))
			return true;
	return false;
}

/* ---- rules 2 and 3 --------------------------------------------------------------------------------------------- */

#define ROW_PATH "proc/interrupts/%u" /* a name for a row, where there can be no file */

static const char *const per_irq[] = { "proc/irq", "sys/kernel/irq" };

static void remove_vector(struct change *change, uint32_t irq)
{
	CLEANUP(free_string) char *row_path = text_format(ROW_PATH, irq);

	for (size_t i = 0; i < COUNT_OF(per_irq); i++) {
		CLEANUP(free_string) char *path = text_format("%s/%u", per_irq[i], irq);

		tree_remove(change->host, path);
	}
	if (change->vectors.msi) {
		CLEANUP(free_string) char *path = text_format("%s/%u", change->vectors.msi, irq);

		tree_remove(change->host, path);
	}
	tree_remember(change->host, row_path, rows_find(&change->rows, irq)->text);
	rows_remove(&change->rows, irq);
}

/* Vectors that are allocated but not requested are in their device's msi_irqs alone. */
static bool is_allocated(struct host *host, uint32_t irq)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(host, "sys/class/net", &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *msi = vectors_msi(host, names.items[i]);
		CLEANUP(free_string) char *path = text_format("%s/%u", msi ? msi : "", irq);

		if (msi && host_exists(host, path))
			return true;
	}
	return false;
}

static bool is_taken(struct change *change, uint32_t irq)
{
	CLEANUP(free_string) char *path = text_format("proc/irq/%u", irq);

	return rows_find(&change->rows, irq) || host_exists(change->host, path) || is_allocated(change->host, irq);
}

static uint32_t free_number(struct change *change)
{
	uint32_t irq = change->vectors.first;

	while (is_taken(change, irq))
		irq++;
	return irq;
}

/* The directory of the action: /proc/irq/N/<action>. */
static void rename_action(struct change *change, uint32_t irq, const char *from, const char *to)
{
	CLEANUP(free_string) char *old = text_format("proc/irq/%u/%s", irq, from);
	CLEANUP(free_string) char *new = text_format("proc/irq/%u/%s", irq, to);
	CLEANUP(free_string) char *file = text_format("sys/kernel/irq/%u/actions", irq);
	CLEANUP(free_string) char *line = text_format("%s\n", to);

	if (!strchr(from, '/') && host_exists(change->host, old))
		tree_rename(change->host, old, new);
	if (host_exists(change->host, file))
		root_replace(change->host, file, line);
}

static void copy_vector(struct change *change, const char *directory, uint32_t from_irq, uint32_t to_irq)
{
	CLEANUP(free_string) char *from = text_format("%s/%u", directory, from_irq);
	CLEANUP(free_string) char *to = text_format("%s/%u", directory, to_irq);

	tree_copy(change->host, from, to);
}

static void add_vector(struct change *change, const struct vector *pattern, uint32_t index)
{
	const struct row *row = rows_find(&change->rows, pattern->irq);
	int further = (int)index - (int)pattern->index;
	CLEANUP(free_string) char *before = alloc_string(row_action(row));
	CLEANUP(free_string) char *after = action_renumbered(before, further);
	uint32_t irq = free_number(change);
	CLEANUP(free_string) char *row_path = text_format(ROW_PATH, irq);
	struct vectors *vectors = &change->vectors;

	for (size_t i = 0; i < COUNT_OF(per_irq); i++)
		copy_vector(change, per_irq[i], pattern->irq, irq);
	if (vectors->msi)
		copy_vector(change, vectors->msi, pattern->irq, irq);
	rename_action(change, irq, before, after);
	rows_add(&change->rows, row, irq, further, tree_remembered(change->host, row_path));
	vectors->items = alloc_more(vectors->items, vectors->n, sizeof *vectors->items);
	vectors->items[vectors->n++] = (struct vector){ .irq = irq, .type = pattern->type, .index = index };
}

/* How many vectors there are of a type, and the place of the first. */
static size_t find_type(const struct change *change, enum queue_type type, size_t *ret_first)
{
	size_t n = 0;

	for (size_t i = 0; i < change->vectors.n; i++)
		if (change->vectors.items[i].type == type && n++ == 0)
			*ret_first = i;
	return n;
}

static void drop_vector(struct change *change, size_t at)
{
	struct vectors *vectors = &change->vectors;

	remove_vector(change, vectors->items[at].irq);
	memmove(&vectors->items[at], &vectors->items[at + 1], (vectors->n - at - 1) * sizeof *vectors->items);
	vectors->n--;
}

/* The number of vectors of a type follows the number of queues, unless each serves several. */
static void resize(struct change *change, enum queue_type type, uint32_t before, uint32_t now)
{
	size_t first = 0, n = find_type(change, type, &first);
	uint32_t step = 1;

	if (!n)
		return;
	if (n > 1)
		step = change->vectors.items[first + 1].index - change->vectors.items[first].index;
	for (; n > now; n--)
		drop_vector(change, first + n - 1);
	for (; n && n < now && now > before; n++) {
		struct vector last = change->vectors.items[first + n - 1]; /* the list moves as it grows */

		add_vector(change, &last, last.index + step);
		qsort(change->vectors.items, change->vectors.n, sizeof last, vectors_by_queue);
	}
}

/* ---- rule 4 ---------------------------------------------------------------------------------------------------- */

static cpuset *default_affinity(struct host *host)
{
	CLEANUP(free_string) char *text = NULL;
	CLEANUP(cpuset_freep) cpuset *online = replay_cpus(host, "online"), *set = NULL;

	if (host_read(host, "proc/irq/default_smp_affinity", &text) < 0 || cpuset_parse_mask(text, &set) < 0)
		return TAKE(online);
	if (online && cpuset_overlap(set, online))
		cpuset_keep(set, online);
	return TAKE(set);
}

static void reset_affinities(struct change *change)
{
	CLEANUP(cpuset_freep) cpuset *set = default_affinity(change->host);
	CLEANUP(free_string) char *list = cpuset_list(set);

	for (size_t i = 0; i < change->vectors.n && !cpuset_empty(set); i++) {
		CLEANUP(free_string)
		char *path = text_format("proc/irq/%u/smp_affinity_list", change->vectors.items[i].irq);

		replay_write(change->host, path, list);
	}
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

static uint32_t count(const struct channels *channels, enum channel_kind kind)
{
	return channels->count[kind].set ? channels->count[kind].value : 0;
}

/* Without vectors for pairs, a combined channel has one for each direction. */
static uint32_t needed(const struct channels *channels, enum channel_kind kind, bool pairs)
{
	return count(channels, kind) + (pairs ? 0 : count(channels, CHANNEL_COMBINED));
}

int replay_vectors(struct host *host, const struct nic *nic, const struct channels *before, const struct channels *now)
{
	CLEANUP(change_clear) struct change change = { .host = host };
	CLEANUP(free_string) char *text = NULL, *changed = NULL;
	size_t length, first;
	bool pairs;

	if (keeps_vectors(host, nic->name) || root_read(host, "proc/interrupts", &text, &length) < 0)
		return 0;
	rows_parse(&change.rows, text);
	vectors_find(host, nic->name, &change.rows, &change.vectors);
	pairs = find_type(&change, QUEUE_COMBINED, &first) > 0;
	resize(&change, QUEUE_COMBINED, count(before, CHANNEL_COMBINED), count(now, CHANNEL_COMBINED));
	resize(&change, QUEUE_RX, needed(before, CHANNEL_RX, pairs), needed(now, CHANNEL_RX, pairs));
	resize(&change, QUEUE_TX, needed(before, CHANNEL_TX, pairs), needed(now, CHANNEL_TX, pairs));
	reset_affinities(&change);
	changed = rows_text(&change.rows);
	return text_equal(text, changed) ? 0 : root_replace(host, "proc/interrupts", changed);
}

struct opt_u32 replay_sibling_irq(struct host *host, uint32_t irq, int further)
{
	CLEANUP(rows_clear) struct rows rows = { 0 };
	CLEANUP(free_string) char *text = NULL, *wanted = NULL;
	const struct row *row;
	size_t length;

	if (root_read(host, "proc/interrupts", &text, &length) < 0)
		return (struct opt_u32){ 0 };
	rows_parse(&rows, text);
	row = rows_find(&rows, irq);
	wanted = row ? action_renumbered(row_action(row), further) : NULL;
	for (size_t i = 0; i < rows.n && wanted; i++)
		if (rows.items[i].irq.set && text_equal(row_action(&rows.items[i]), wanted))
			return rows.items[i].irq;
	return (struct opt_u32){ 0 };
}
