/* A captured machine that is written to acts as a plain NIC and its kernel would. */
#pragma once

#include "private.h"

/* Stores a value as the kernel would show it afterwards, or refuses it as the kernel would. */
int replay_write(struct host *host, const char *path, const char *value);

/* The text the kernel would show after a value was written, without the line end; or its refusal. now: the text before.
 */
int replay_form(struct host *host, const char *path, const char *value, const char *now, char **ret);

/* How many ids masks are wide: the machine's, or where that is not known, those of the mask that is there. */
unsigned replay_mask_width(struct host *host, const char *now);

/* What a channel change does to the tree: queue directories (replay_files.c), then interrupts (vectors.c). queues are
 * all that exist afterwards. */
int replay_queues(struct host *host, const char *name, unsigned rx, unsigned tx);
int replay_vectors(struct host *host, const struct nic *nic, const struct channels *before, const struct channels *now);

/* The interrupt whose action is the one of `irq` with `further` added to its last number: "eth0-TxRx-1" for
 * "eth0-TxRx-0" and 1. Unset when there is none. */
struct opt_u32 replay_sibling_irq(struct host *host, uint32_t irq, int further);

/* The NAPI instances of queues that went are gone, and new queues have some; before: all there were. */
void replay_napis(struct host *host, const char *name, const struct napi *before, size_t n, uint32_t rx, uint32_t tx);

cpuset *replay_cpus(struct host *host, const char *which); /* "online", ...; NULL: not known */
