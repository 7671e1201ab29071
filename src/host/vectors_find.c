/* Finds the queue vectors of a captured NIC. Which queue one serves is read from its name alone, as far as a plain NIC
 * needs; the rules for all drivers are observe's. */
#include "vectors.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

void vectors_clear(struct vectors *vectors)
{
	free(vectors->items);
	free(vectors->msi);
	*vectors = (struct vectors){ 0 };
}

/* "0000:81:00.0" at the end of a path: beyond it is a bridge, with interrupts of its own. */
static bool is_pci(const char *path)
{
	size_t length = strlen(path);

	return length > 5 && path[length - 2] == '.' && path[length - 5] == ':';
}

char *vectors_msi(struct host *host, const char *name)
{
	CLEANUP(free_string) char *link = text_format("sys/class/net/%s/device", name), *device = NULL;

	if (host_resolve(host, link, &device) < 0)
		return NULL;
	while (text_starts(device, "sys/devices/")) {
		CLEANUP(free_string) char *msi = text_format("%s/msi_irqs", device);

		if (host_exists(host, msi))
			return TAKE(msi);
		if (is_pci(device))
			return NULL;
		*strrchr(device, '/') = 0;
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

int vectors_by_queue(const void *a, const void *b)
{
	const struct vector *left = a, *right = b;

	if (left->type != right->type)
		return left->type < right->type ? -1 : 1;
	return left->index < right->index ? -1 : left->index > right->index;
}

void vectors_find(struct host *host, const char *name, const struct rows *rows, struct vectors *vectors)
{
	*vectors = (struct vectors){ .first = UINT32_MAX, .msi = vectors_msi(host, name) };
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *row = &rows->items[i];
		struct vector vector = { 0 };

		if (!row->irq.set || !is_own(host, vectors, row, name))
			continue;
		if (row->irq.value < vectors->first)
			vectors->first = row->irq.value;
		vector.irq = row->irq.value;
		if (!parse_action(row_action(row), &vector))
			continue;
		vectors->items = alloc_more(vectors->items, vectors->n, sizeof *vectors->items);
		vectors->items[vectors->n++] = vector;
	}
	if (vectors->n)
		qsort(vectors->items, vectors->n, sizeof *vectors->items, vectors_by_queue);
}
