/* The policy: what is wanted, as the INI file says it (steerd.ini(5)). Plain values; a key that is absent is not set.
 */
#pragma once

#include <stddef.h>

#include <steer/machine.h>
#include <steer/note.h>
#include <steer/text.h>
#include <steer/values.h>

/* Names of ethtool(8) for what a device does to packets. */
enum offload {
	OFFLOAD_RX,
	OFFLOAD_TX,
	OFFLOAD_SG,
	OFFLOAD_TSO,
	OFFLOAD_GSO,
	OFFLOAD_GRO,
	OFFLOAD_GRO_HW,
	OFFLOAD_LRO,
	OFFLOAD_RXVLAN,
	OFFLOAD_TXVLAN,
	OFFLOAD_RXHASH,
	OFFLOAD_NTUPLE,
	OFFLOADS
};

enum share_mode { SHARE_OVERLAP, SHARE_PARTITION };
enum pause_mode { PAUSE_OFF, PAUSE_ON, PAUSE_RX, PAUSE_TX, PAUSE_AUTONEG };
enum disruptive_mode { DISRUPTIVE_ALWAYS, DISRUPTIVE_LINK_DOWN, DISRUPTIVE_NEVER };

struct section { /* one [nic NAME] */
	char *name;
	struct origin at;

	struct patterns match_name, match_driver, match_mac, match_path, match_kind, match_node, match_pci_id,
		match_host, match_arch, match_master;
	struct number_match match_cpus;
	struct word_value when_link; /* enum link: 1 up, 0 down */
	struct word_value when_flow; /* enum flow_offload */

	struct cpus_value cpus;
	struct count_value channels;
	struct count_value channels_kind[CHANNEL_KINDS]; /* .combined, .rx, .tx; never .other */
	struct cpus_value irq, irq_control, rps, xps;
	struct count_value rps_flows;
	struct word_value share; /* enum share_mode; absent: overlap */
	struct word_value pause; /* enum pause_mode */
	struct count_value ring_rx, ring_tx;
	struct word_value offloads[OFFLOADS]; /* 1: on */
	struct word_value link;               /* 1: up */
	struct word_value disruptive;         /* enum disruptive_mode; absent: always */
};

enum fmc_mode { FMC_SINGLE, FMC_SPREAD, FMC_FILES, FMC_OFF };
enum fmc_hash { FMC_L4, FMC_L3, FMC_L3L4_V4 };

struct fmc_section {            /* [fmc] */
	struct origin at;       /* at.line 0: there is none */
	struct word_value mode; /* enum fmc_mode; never absent */
	struct patterns ports;  /* "mac9" or names of interfaces; no globs */
	struct cpus_value cpus; /* absent: the first CPU with a portal, or with spread all */
	struct word_value hash; /* enum fmc_hash; absent: l4 */
	struct word_value symmetric;
	struct count_value queues; /* of a port; COUNT_ABSENT: auto */
	struct text_value config, policy, program, pdl;
	struct count_value timeout;    /* seconds; absent: 30 */
	struct word_value reapply;     /* on-change */
	struct word_value share_state; /* fmc's state file stays in /tmp */
};

struct wanted_sysctl {
	char *name; /* "net.ipv4.ip_forward", may hold one "*" component ("net.ipv4.conf.*.send_redirects") */
	char *value;
	struct origin at;
};

struct policy {
	char *name;           /* file as given, or "auto (built in)" */
	struct strings files; /* every file it was read from; origins point into it */
	char *description;
	struct strings require_cmdline;
	struct origin require_at;
	bool refuse_unmet; /* on-unmet = refuse */
	struct section *sections;
	size_t nsections;
	struct wanted_sysctl *sysctls;
	size_t nsysctls;
	struct fmc_section fmc;
	struct count_value audit; /* seconds, 0: off */
};

/* Reads FILE, or every *.ini of a directory in natural order as one policy. Every error of it is in notes, each with
 * file and line. 0, or -EINVAL when there was an error (*ret untouched), or the errno of opening. */
int policy_load(const char *path, struct policy **ret, struct notes *notes);

/* Whether a policy may be obeyed on the live machine: neither the file (or the files of the directory) nor a directory
 * on the way to it may be writable by, or belong to, anyone but root and the user steerd runs as. 0, -EPERM with an
 * error in notes, or the errno of looking. */
int policy_trusted(const char *path, struct notes *notes);

/* The same from a text in memory, under a name for messages. */
int policy_parse(const char *name, const char *text, struct policy **ret, struct notes *notes);

/* The built-in policy: etc/auto.ini as it was when the program was built. */
int policy_builtin(struct policy **ret);
const char *policy_builtin_text(void);

void policy_free(struct policy *policy);
void policy_freep(struct policy **policy); /* for CLEANUP */

/* The policy in canonical form: parsing it again gives the same policy. Caller frees. */
char *policy_text(const struct policy *policy);

/* The first section that matches the device, or NULL. *ret_why (may be NULL) tells per section why or why not, one a
 * line; the caller frees. */
const struct section *policy_match(const struct policy *policy, const struct machine *machine, const struct nic *nic,
				   char **ret_why);

/* What the section's keys need to know of a device it matches (bits of enum detail); 0 for a device without section.
 * For observe_scope. */
unsigned policy_details(const void *policy, const struct machine *machine, const struct nic *nic);

/* The same of any one file that root is about to use. */
int file_trusted(const char *path, struct notes *notes);

/* What it names of fmc, for observe_scope; false: it has no [fmc]. */
bool policy_wants_fmc(const struct policy *policy, struct fmc_paths *ret);

/* Whether it depends on flow offloading. */
bool policy_wants_flows(const struct policy *policy);

/* ---- the table of keys ---------------------------------------------------------------------------------------- */

struct key_type; /* how a value is read, kept and printed */
struct word;

struct key {                 /* one row a key: drives the parser, the checks, the printing back and the manual's test */
	const char *section; /* "policy", "nic", "sysctl", "daemon" */
	const char *name;
	const char *values;  /* what it takes, for messages: "off, on, rx, tx or autoneg" */
	const char *help;    /* one line */
	const char *example; /* a value; of "net.*" a whole line */

	const struct key_type *type;
	size_t offset;            /* of the value in struct section or struct policy */
	const struct word *words; /* those with a meaning of their own; NULL: none */
	uint32_t least, most;     /* limits of a number */
	unsigned details;         /* what planning it needs to know of a device: bits of enum detail */
};

size_t policy_keys(const struct key **ret);

/* ---- CPU expressions (steerd.ini(5), CPU EXPRESSIONS) --------------------------------------------------------- */

/* Parses an expression. On -EINVAL *ret_problem says what is wrong (the caller frees), *ret_column where (1..). */
int cpuexpr_parse(const char *text, struct cpuexpr **ret, char **ret_problem, unsigned *ret_column);
void cpuexpr_free(struct cpuexpr *expr);
char *cpuexpr_text(const struct cpuexpr *expr); /* canonical; caller frees */

/* Its CPUs on this machine for this device (NULL: words that need a device are empty). Only online CPUs come out.
 * *ret_why says how it came about in words ("cores of node 0, local to 0000:81:00.0"), and what was left out (offline
 * CPUs, an unknown node), and may be NULL; the caller frees both. */
void cpuexpr_eval(const struct cpuexpr *expr, const struct machine *machine, const struct nic *nic, cpuset **ret,
		  char **ret_why);

/* The same for a setting of a section: `own` are the CPUs that the section gives the device, the word "cpus". */
void cpuexpr_eval_within(const struct cpuexpr *expr, const struct machine *machine, const struct nic *nic,
			 const cpuset *own, cpuset **ret, char **ret_why);
