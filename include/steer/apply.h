/* Makes a machine match a policy: rounds of observe, plan, and the first stage of it, until nothing differs. */
#pragma once

#include <steer/host.h>
#include <steer/note.h>
#include <steer/plan.h>
#include <steer/policy.h>

struct originals; /* what was there before the first write, kept in RUN_DIRECTORY/originals.json */
struct lock;      /* one writer at a time: RUN_DIRECTORY/lock */

/* Takes the lock; does not wait for it. -EAGAIN: another steerd or steerctl writes now (*ret_holder: its pid, 0
 * unknown). -EACCES, -EROFS, ... */
int lock_take(const char *run_directory, struct lock **ret, int *ret_holder);
void lock_release(struct lock *lock);
void lock_releasep(struct lock **lock); /* for CLEANUP */

/* Reads what is remembered; none is an empty list. A damaged file is put aside as originals.json.bad and told in notes.
 */
int originals_load(const char *run_directory, struct originals **ret, struct notes *notes);
void originals_free(struct originals *originals);
void originals_freep(struct originals **originals); /* for CLEANUP */
size_t originals_count(const struct originals *originals);

/* A device has gone. A virtual one never comes back, and what was remembered of it is not any more: who takes its name
 * is another. One of hardware is remembered. */
void originals_forget_nic(struct originals *originals, unsigned ifindex);

/* What applying did. */
struct report {
	struct plan plan; /* each setting once, with its last state */
	struct notes notes;
	unsigned rounds;
	unsigned writes; /* values handed to the kernel */
};

void report_clear(struct report *report);
bool report_failed(const struct report *report); /* something is CHANGE_FAILED or still CHANGE_TODO */

/* One reconciliation, rounds and waiting included. Needs the lock. Before the first write of a setting its value is
 * added to the originals, which are saved before the write; before a barrier those of everything the barrier makes
 * anew. devices: only those, NULL or none: all. 0 also when single changes failed (see report_failed); -errno when
 * nothing could be done. */
int reconcile(struct host *host, const struct policy *policy, struct originals *originals,
	      const struct strings *devices, struct report *ret);

/* What a reconciliation is confined to, and what is known before it. {0}: to nothing, and nothing. */
struct errand {
	/* Whether a device is meant, once what all devices are is known. One that is not takes its part of shared CPUs,
	 * but its settings are neither read nor changed. NULL: every device. What the policy wants of the host itself
	 * is always meant. */
	bool (*means)(const void *context, const struct machine *machine, const struct nic *nic);
	void (*alive)(const void *context); /* called now and then in a long one; NULL: nobody cares */
	const void *context;                /* of both */

	/* The machine as a reconciliation before has left it: what the host and the devices in it are is not read
	 * again (as observe_again()). Left as this one has seen it, empty on failure. NULL or empty: all is read. */
	struct machine *known;
	const struct attempts *spared; /* not to be tried; NULL: none */
};

/* As reconcile(). */
int reconcile_errand(struct host *host, const struct policy *policy, struct originals *originals,
		     const struct errand *errand, struct report *ret);

/* Puts the originals back, by the same rounds, and forgets those that are back. devices as above. */
int revert(struct host *host, struct originals *originals, const struct strings *devices, struct report *ret);

/* ---- a trial: what is applied goes back unless somebody confirms it --------------------------------------------- */

/* From now on what is there before each first write is remembered apart as well, in RUN_DIRECTORY/trial, which outlives
 * the process: a trial that is cut off is not forgotten. -EEXIST: there is one. */
int trial_begin(struct originals *originals);

enum { TRIAL_MOST = 24 * 60 * 60 }; /* seconds that one may take */

bool trial_is_noted(const char *run_directory); /* one is on somewhere, or was cut off */

bool trial_is_on(const struct originals *originals);       /* begun here */
bool trial_was_cut_off(const struct originals *originals); /* by the end of whoever began it */

/* Puts back what was there before the trial, this one or one that was cut off, and ends it. On -errno nothing could be
 * done, and the trial is not over. */
int trial_undo(struct host *host, struct originals *originals, struct report *ret);

int trial_keep(struct originals *originals); /* ends it, and leaves all as it is */

/* For one process that waits, and another one that confirms. 1: confirmed; 0: the time is over, or SIGTERM or SIGINT
 * came, which the caller has blocked. */
int trial_wait(const struct originals *originals, unsigned seconds);
int trial_confirm(const char *run_directory); /* -ENOENT: there is no trial; -EEXIST: it is over */
