/* Hands values to the kernel and reads back what it made of them. */
#pragma once

#include <steer/host.h>
#include <steer/machine.h>
#include <steer/plan.h>

struct answer {
	int error;  /* 0 or -errno */
	char *said; /* the kernel's own explanation, or NULL */
	char *now;  /* what a file said afterwards, as it stands there; NULL: not a file, or unknown */
};

void answer_clear(struct answer *answer); /* for CLEANUP */

/* How many of the n changes, from the first on, go to the kernel together: all channel counts in one message, since two
 * messages could pass through a state that the driver refuses; both rings too. At least 1. */
size_t write_together(struct change *const *changes, size_t n);

/* Writes them as one. nic NULL: a setting of the host. Returns how many values were handed to the kernel. */
unsigned write_values(struct host *host, const struct machine *machine, const struct nic *nic,
		      struct change *const *changes, size_t n, struct answer *ret);

/* What a setting is after write_values gave this answer, in canonical text. A message is asked anew, a file was read
 * back as it was written. NULL: not known. Caller frees. */
char *write_read_back(struct host *host, const struct nic *nic, const struct change *change,
		      const struct answer *answer);

/* The file of a setting that has one, relative to the root, or NULL. Caller frees. */
char *write_path(const struct nic *nic, const struct change *change);
