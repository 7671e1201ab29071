/* The queues of a device as people and programs want to see them: one row where one interrupt serves rx N and tx N. */
#pragma once

#include <steer/nic.h>

struct row {
	enum queue_type type;
	unsigned index;
	const struct irq *irq;       /* NULL: not known */
	const struct queue *rx, *tx; /* NULL: not of this type, or not in sysfs */
	struct opt_u32 napi;
};

/* Combined and rx queues by index, then tx queues by index: those of sysfs (a vector may wait for a queue that is not
 * in use), or where a capture has none of them, those that interrupts name. Pointers go into the nic. The caller frees
 * *ret. */
size_t rows_make(const struct nic *nic, struct row **ret);

bool rows_have(const struct row *rows, size_t n, const struct irq *irq);

char *row_name(const struct row *row); /* "combined 3"; caller frees */
