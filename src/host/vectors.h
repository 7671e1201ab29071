/* The queue interrupts of a captured NIC. */
#pragma once

#include "private.h"
#include "rows.h"

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

void vectors_find(struct host *host, const char *name, const struct rows *rows, struct vectors *vectors);
void vectors_clear(struct vectors *vectors);

/* For qsort(3): by type, then by index, so that the vectors of a type follow each other. */
int vectors_by_queue(const void *a, const void *b);

/* The directory that lists the device's interrupts: its own or, as for virtio, that of a parent. NULL: there is none.
 * The caller frees. */
char *vectors_msi(struct host *host, const char *name);
