/* What a channel change does to the interrupts of a captured NIC, by these rules:
 *
 * 1. A driver that keeps its vectors (a pool for the maximum) changes none.
 * 2. Others free all of the device's queue vectors and ask for as many as the new counts need. The numbers of those
 *    that stay are the same, as the kernel hands out the lowest free ones; those of queues that went are gone; new ones
 *    take the lowest free numbers behind the device's first.
 * 3. Names continue the pattern of those that are there.
 * 4. Every queue vector comes back with the default affinity.
 *
 * Control vectors are left alone. Which queue a vector serves is read from its name alone, as far as a plain NIC
 * needs; the rules for all drivers are observe's. */
#include "replay.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "recorded.h"
#include "rows.h"
#include "tree.h"

struct vector {
	uint32_t irq;
	enum queue_type type;
	uint32_t index;
};

struct vectors {
	struct vector *items;
	size_t n;
	uint32_t first; /* the device's lowest interrupt */
	char *msi;      /* its msi_irqs directory, NULL: none */
};

struct change {
	struct host *host;
	struct rows rows;
	struct vectors vectors;
};

static void change_clear(struct change *change)
{
	rows_clear(&change->rows);
	free(change->vectors.items);
	free(change->vectors.msi);
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

/* ---- the device's queue vectors -------------------------------------------------------------------------------- */

/* The directory that lists the device's interrupts: its own or, as for virtio, that of a parent. */
static char *find_msi(struct host *host, const char *name)
{
	CLEANUP(free_string) char *link = text_format("sys/class/net/%s/device", name), *device = NULL;

	if (host_resolve(host, link, &device) < 0)
		return NULL;
	for (char *slash; text_starts(device, "sys/devices/"); *slash = 0) {
		CLEANUP(free_string) char *msi = text_format("%s/msi_irqs", device);

		if (host_exists(host, msi))
			return TAKE(msi);
		slash = strrchr(device, '/');
	}
	return NULL;
}

/* A device name as a whole word: not eth1 in "eth10-TxRx-0". */
static bool names_device(const char *action, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = strstr(action, name); at; at = strstr(at + 1, name))
		if ((at == action || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length]))
			return true;
	return false;
}

static bool ends_in(const char *text, size_t length, const char *word)
{
	size_t n = strlen(word);

	return length > n && strncasecmp(text + length - n, word, n) == 0 &&
	       !isalnum((unsigned char)text[length - n - 1]);
}

/* "eth0-TxRx-3": the word before the last number (of what stands before "@") says what kind of queue it is of. */
static bool parse_action(const char *action, struct vector *ret)
{
	static const struct {
		const char *word;
		enum queue_type type;
	} words[] = {
		{ "TxRx", QUEUE_COMBINED }, { "Tx-Rx", QUEUE_COMBINED }, { "rxtx", QUEUE_COMBINED },
		{ "fp", QUEUE_COMBINED },   { "q", QUEUE_COMBINED },     { "rx", QUEUE_RX },
		{ "rxq", QUEUE_RX },        { "tx", QUEUE_TX },          { "txq", QUEUE_TX },
	};
	size_t end = strcspn(action, "@"), length = end;

	while (length && isdigit((unsigned char)action[length - 1]))
		length--;
	if (length == end || end - length > 6 || strstr(action, ":fdir-") || strstr(action, ":ctrl-"))
		return false;
	ret->index = (uint32_t)strtoul(action + length, NULL, 10);
	length -= length && action[length - 1] == '-';
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (!ends_in(action, length, words[i].word))
			continue;
		ret->type = words[i].type;
		return true;
	}
	return false;
}

static bool is_own(struct host *host, const struct vectors *vectors, const struct row *row, const char *name)
{
	CLEANUP(free_string) char *path = NULL;

	if (!vectors->msi)
		return names_device(row_action(row), name);
	path = text_format("%s/%u", vectors->msi, row->irq.value);
	return host_exists(host, path);
}

static void find_vectors(struct change *change, const char *name)
{
	struct vectors *vectors = &change->vectors;

	vectors->first = UINT32_MAX;
	vectors->msi = find_msi(change->host, name);
	for (size_t i = 0; i < change->rows.n; i++) {
		const struct row *row = &change->rows.items[i];
		struct vector vector = { 0 };

		if (!row->irq.set || !is_own(change->host, vectors, row, name))
			continue;
		if (row->irq.value < vectors->first)
			vectors->first = row->irq.value;
		vector.irq = row->irq.value;
		if (!parse_action(row_action(row), &vector))
			continue;
		vectors->items = alloc_more(vectors->items, vectors->n, sizeof *vectors->items);
		vectors->items[vectors->n++] = vector;
	}
}

/* ---- rules 2 and 3 --------------------------------------------------------------------------------------------- */

static const char *const per_irq[] = { "proc/irq", "sys/kernel/irq" };

static void remove_vector(struct change *change, uint32_t irq)
{
	for (size_t i = 0; i < COUNT_OF(per_irq); i++) {
		CLEANUP(free_string) char *path = text_format("%s/%u", per_irq[i], irq);

		tree_remove(change->host, path);
	}
	if (change->vectors.msi) {
		CLEANUP(free_string) char *path = text_format("%s/%u", change->vectors.msi, irq);

		tree_remove(change->host, path);
	}
	rows_remove(&change->rows, irq);
}

/* Vectors that are allocated but not requested are in their device's msi_irqs alone. */
static bool is_allocated(struct host *host, uint32_t irq)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(host, "sys/class/net", &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *msi = find_msi(host, names.items[i]);
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

static void add_vector(struct change *change, const struct vector *pattern, uint32_t index)
{
	const struct row *row = rows_find(&change->rows, pattern->irq);
	int further = (int)index - (int)pattern->index;
	CLEANUP(free_string) char *before = alloc_string(row_action(row));
	CLEANUP(free_string) char *after = action_renumbered(before, further);
	uint32_t irq = free_number(change);

	for (size_t i = 0; i < COUNT_OF(per_irq); i++) {
		CLEANUP(free_string) char *from = text_format("%s/%u", per_irq[i], pattern->irq);
		CLEANUP(free_string) char *to = text_format("%s/%u", per_irq[i], irq);

		tree_copy(change->host, from, to);
	}
	if (change->vectors.msi) {
		CLEANUP(free_string) char *from = text_format("%s/%u", change->vectors.msi, pattern->irq);
		CLEANUP(free_string) char *to = text_format("%s/%u", change->vectors.msi, irq);

		tree_copy(change->host, from, to);
	}
	rename_action(change, irq, before, after);
	rows_add(&change->rows, row, irq, further);
	change->vectors.items = alloc_more(change->vectors.items, change->vectors.n, sizeof *change->vectors.items);
	change->vectors.items[change->vectors.n++] =
		(struct vector){ .irq = irq, .type = pattern->type, .index = index };
}

static void remove_from(struct change *change, enum queue_type type, uint32_t limit)
{
	size_t kept = 0;

	for (size_t i = 0; i < change->vectors.n; i++) {
		struct vector *vector = &change->vectors.items[i];

		if (vector->type == type && vector->index >= limit)
			remove_vector(change, vector->irq);
		else
			change->vectors.items[kept++] = *vector;
	}
	change->vectors.n = kept;
}

static const struct vector *find_vector(const struct change *change, enum queue_type type, uint32_t index)
{
	for (size_t i = 0; i < change->vectors.n; i++)
		if (change->vectors.items[i].type == type && change->vectors.items[i].index == index)
			return &change->vectors.items[i];
	return NULL;
}

static bool has_type(const struct change *change, enum queue_type type)
{
	for (size_t i = 0; i < change->vectors.n; i++)
		if (change->vectors.items[i].type == type)
			return true;
	return false;
}

static void resize(struct change *change, enum queue_type type, uint32_t n)
{
	remove_from(change, type, n);
	for (uint32_t index = 1; index < n; index++) {
		const struct vector *before = find_vector(change, type, index - 1);

		if (before && !find_vector(change, type, index)) {
			struct vector pattern = *before; /* the list moves as it grows */

			add_vector(change, &pattern, index);
		}
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

int replay_vectors(struct host *host, const struct nic *nic, const struct channels *now)
{
	CLEANUP(change_clear) struct change change = { .host = host };
	CLEANUP(free_string) char *before = NULL, *after = NULL;
	uint32_t combined = count(now, CHANNEL_COMBINED);
	bool pairs;
	size_t length;

	if (keeps_vectors(host, nic->name) || root_read(host, "proc/interrupts", &before, &length) < 0)
		return 0;
	rows_parse(&change.rows, before);
	find_vectors(&change, nic->name);
	pairs = has_type(&change, QUEUE_COMBINED);
	resize(&change, QUEUE_COMBINED, combined);
	/* without pair vectors, a combined channel has one for each direction */
	resize(&change, QUEUE_RX, count(now, CHANNEL_RX) + (pairs ? 0 : combined));
	resize(&change, QUEUE_TX, count(now, CHANNEL_TX) + (pairs ? 0 : combined));
	reset_affinities(&change);
	after = rows_text(&change.rows);
	return text_equal(before, after) ? 0 : root_replace(host, "proc/interrupts", after);
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
