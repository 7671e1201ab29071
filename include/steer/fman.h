/* NXP's Frame Manager (DPAA1). No port of it has an interrupt of its own: a frame is put on a frame queue, the queue
 * belongs to a QMan portal, and each portal has one CPU and one interrupt. On NXP's own kernel, fmc(8) loads the rules
 * by which frames are put on queues. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <steer/cpuset.h>

enum fman_kernel { FMAN_NONE, FMAN_SDK, FMAN_MAINLINE };

struct fman_portal {
	unsigned cpu, irq;
	cpuset *cpus; /* where its interrupt may run; NULL: not known */
};

struct fman_portals { /* by CPU */
	struct fman_portal *items;
	size_t n;
};

struct fman_port {
	unsigned mac; /* number on the board: "mac9" */
	char *nic;
	uint32_t first, count; /* receive queues that rules may put frames on; count 0: not known */
};

/* What steerd had fmc load last since the machine was booted: RUN_DIRECTORY/fmc/applied. */
struct fmc_record {
	char *what;                  /* "single:0 (mac9 mac10)"; NULL: nothing is recorded */
	char *config, *policy, *pdl; /* SHA-256 of the files */
	unsigned status;             /* exit status of fmc */
	char *said;                  /* its first line; NULL: none */
};

struct fman {
	enum fman_kernel kernel;
	bool device; /* /dev/fm0 is there for who looks */
	struct fman_portals qman, bman;
	struct fman_port *ports; /* by MAC */
	size_t nports;
	struct fmc_record record;
	bool foreign; /* fmc's state file is in /tmp: somebody ran it by hand */

	/* What a policy names. NULL: it names none, or there is none. */
	char *program;         /* path of fmc */
	char *pdl;             /* SHA-256 of the protocol description */
	char *config, *policy; /* texts of its own files */
};

#define FMC_PROGRAM "fmc"
#define FMC_PDL "/etc/fmc/config/hxs_pdl_v3.xml"

/* What a policy names of fmc; NULL: nothing. Pointers of the policy. */
struct fmc_paths {
	const char *program, *pdl, *config, *policy;
};

void fmc_record_clear(struct fmc_record *record); /* leaves {0} */
void fman_clear(struct fman *fman);               /* leaves {0} */

const struct fman_port *fman_port_of(const struct fman *fman, unsigned mac);        /* NULL: no such port */
const struct fman_port *fman_port_named(const struct fman *fman, const char *name); /* by "mac9" or interface */

/* The place of a CPU's portal in the order in which queues are dealt out to them; -1: it has none. */
int fman_portal_of(const struct fman *fman, unsigned cpu);

const char *fman_kernel_name(enum fman_kernel kernel); /* "none", "sdk", "mainline" */
