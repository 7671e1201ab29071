/* [fmc]: what a policy has NXP's Frame Manager do, as the two files that fmc(8) compiles. Pure. */
#pragma once

#include <steer/machine.h>
#include <steer/policy.h>
#include <steer/text.h>

#define FMC_DEVICE "fm0"

struct fmc_wanted {
	char *what;              /* "single:0 (mac9 mac10)", "off" */
	char *why;               /* in words; NULL where there is nothing to load */
	char *config, *policy;   /* texts; NULL: there are none to load (off), or none can be made here */
	struct strings problems; /* what keeps them from being loaded on this machine, each a sentence */
};

/* What [fmc] comes to on a machine. The policy must have the section; the caller clears *ret. */
void fmc_make(const struct machine *machine, const struct policy *policy, struct fmc_wanted *ret);
void fmc_wanted_clear(struct fmc_wanted *wanted); /* for CLEANUP */

/* Whether a record is of these texts and of the protocol description that is there now. */
bool fmc_is_recorded(const struct fman *fman, const struct fmc_wanted *wanted);

/* One distribution puts the frames of a port on `count` queues from `base` on: a power of two, aligned to itself. */
struct fmc_port {
	unsigned mac;
	uint32_t base, count;
};

/* The texts themselves. */
char *fmc_config_text(const struct fmc_port *ports, size_t n);
char *fmc_policy_text(const struct fmc_port *ports, size_t n, enum fmc_hash hash, bool symmetric,
		      const char *description);

/* KeyGen schemes that a port takes, of FMC_SCHEMES that there are. */
unsigned fmc_schemes(uint32_t count, enum fmc_hash hash);
enum { FMC_SCHEMES = 32, FMC_QUEUES = 128 };
