/* What the views share: choosing devices, and what the plan wants of one. */
#pragma once

#include <steer/show.h>

#include "pen.h"
#include "rows.h"

struct pen view_pen(FILE *out, const struct view *view);
bool view_has(const struct view *view, const char *device); /* is among those to be shown */

/* A device as it is about to be printed. Pointers go into the machine and the policy. */
struct block {
	const struct view *view;
	const struct pen *pen;
	const struct nic *nic;
	const struct section *section; /* NULL: none matches */
	struct row *rows;
	size_t nrows;
};

struct block block_make(const struct view *view, const struct pen *pen, const struct nic *nic);
void block_clear(struct block *block); /* for CLEANUP */

/* The two lines of settings and queues below a device's heading. */
void block_settings(const struct block *block);

/* Every queue, control vector and unknown interrupt in a table. */
void block_queues(const struct block *block);

/* NXP's Frame Manager, where there is one. */
void show_fman(const struct view *view, const struct pen *pen);

/* "level  code  device: text" and the hint below, the worst last. */
void show_findings(const struct view *view, const struct pen *pen);

/* What a change sets: "irq", "net.ipv4.ip_forward". */
const char *change_subject(const struct change *change);

/* How a change reads: "40 -> 20", "CPU 3 -> CPU 5", "-> off" from what is not known; NULL when neither is known.
 * Callers free. */
char *change_text(const struct change *change);
char *value_text(enum setting setting, const char *value); /* "CPUs 0-3", "off", "20"; "?" for NULL */

/* What the plan wants of a setting of a device and is not so yet: "want 20", or "12 to change" when it differs by
 * queue; NULL: nothing. Of interrupts, those of tx queues or the others. Caller frees. */
char *wanted_text(const struct plan *plan, const char *device, enum setting setting, bool tx);

size_t todo_of(const struct plan *plan, const char *device); /* changes to make on a device, or with NULL on the host */
