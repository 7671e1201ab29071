/* The text of /proc/interrupts as rows that can be taken out and added. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <steer/machine.h>

struct row {
	char *text;
	struct opt_u32 irq; /* not set: the header, or a line of the architecture's ("NMI:") */
};

struct rows {
	struct row *items;
	size_t n;
	bool newline; /* at the end */
};

void rows_parse(struct rows *rows, const char *text);
char *rows_text(const struct rows *rows); /* the caller frees */
void rows_clear(struct rows *rows);       /* for CLEANUP */

struct row *rows_find(struct rows *rows, uint32_t irq); /* NULL: no such row */
void rows_remove(struct rows *rows, uint32_t irq);

/* Adds a row made after that of another interrupt: all counts 0, the hardware's number and the number at the end of the
 * action changed by `further`. once: the row as it once was, taken when its action is that; may be NULL. */
void rows_add(struct rows *rows, const struct row *pattern, uint32_t irq, int further, const char *once);

/* The last action of a row, a part of its text: "eth0-TxRx-0". */
const char *row_action(const struct row *row);

/* An action with another number where its last one is: "eth0-TxRx-0", "mlx5_comp0@pci:0000:81:00.0" (the number before
 * the @). The caller frees. NULL: it has no number. */
char *action_renumbered(const char *action, int further);
