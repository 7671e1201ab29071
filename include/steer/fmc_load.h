/* Has fmc(8) load the rules of a policy into NXP's Frame Manager, or take them out again. */
#pragma once

#include <stdbool.h>

#include <steer/fmc.h>
#include <steer/note.h>

struct fmc_job {
	const char *program, *pdl;   /* paths */
	const char *pdl_digest;      /* as in struct fman */
	const char *boot;            /* id of this boot: /proc/sys/kernel/random/boot_id */
	const char *directory;       /* where fmc's state and the record are: RUN_DIRECTORY/fmc */
	unsigned timeout;            /* seconds that one run of fmc may take */
	bool share_state;            /* fmc's state is in /tmp, for other programs; else fmc sees `directory` there */
	const char *config, *policy; /* paths of files to load as they are; NULL: those of `wanted` are written */
	const struct fmc_wanted *wanted;
};

/* A run of fmc without hardware first, in which any complaint is a failure; then one that loads, which disables the
 * ports for a moment, and is recorded with whatever came of it. What fmc prints is in notes, as are errors. 0;
 * -EPERM: others may write a file that is used; -EINVAL: fmc does not compile it; -EIO: fmc failed to load it, the
 * ports may be disabled; -ETIMEDOUT: the same, it was ended; -errno of the files. */
int fmc_load(const struct fmc_job *job, struct notes *notes);

/* Takes out what is loaded, and forgets the record. Of `job` program, directory, timeout and share_state are used. As
 * fmc_load(). */
int fmc_unload(const struct fmc_job *job, struct notes *notes);
