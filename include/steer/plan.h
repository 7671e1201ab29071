/* (machine, policy) -> what differs. Pure: no input or output, no clock, no globals; the same arguments give the same
 * bytes. */
#pragma once

#include <steer/machine.h>
#include <steer/note.h>
#include <steer/policy.h>

enum setting {                  /* in the order in which they are applied within a stage */
	       SETTING_PAUSE,   /* before what resets the link: set later, some drivers undo it when the link is back */
	       SETTING_OFFLOAD, /* one feature of the kernel: change.index says which, see offload_feature() */
	       SETTING_RING_RX,
	       SETTING_RING_TX,
	       SETTING_CHANNELS_RX,
	       SETTING_CHANNELS_TX,
	       SETTING_CHANNELS_COMBINED,
	       SETTING_LINK,
	       SETTING_IRQ,
	       SETTING_IRQ_CONTROL,
	       SETTING_RPS,
	       SETTING_RPS_FLOWS,
	       SETTING_XPS,
	       SETTING_XPS_RXQS,
	       SETTING_SYSCTL,
	       SETTING_FMC, /* stage 0: never by a reconciliation, see steer/fmc.h */
	       SETTINGS
};

enum change_state {
	CHANGE_SAME,     /* is as wanted: no change at all, kept to explain it */
	CHANGE_TODO,     /* differs */
	CHANGE_SKIPPED,  /* differs, but may not or cannot be changed: `skipped` says why */
	CHANGE_DONE,     /* written and read back */
	CHANGE_FAILED,   /* error, said */
	CHANGE_DEFERRED, /* not possible while the device is as it is now (down, detached); the next event tries again
			  */
	CHANGE_GONE,     /* the device or interrupt vanished meanwhile */
};

enum cost {                           /* bits */
	    COST_LINK_RESET = 1 << 0, /* the link goes down and comes back */
	    COST_RENUMBERS = 1 << 1,  /* queues and interrupts are made anew: a barrier */
};

struct change {
	enum setting setting;
	enum change_state state;
	char *device; /* NULL: the host */
	char *path;   /* of the device, as in struct nic: what it is remembered by */
	unsigned ifindex;
	enum queue_type queue; /* with index: "rx-3", "combined-3" */
	unsigned index;
	struct opt_u32 irq;
	char *from; /* canonical text: a CPU list, a number, pause words; NULL unknown */
	char *to;
	char *target; /* "/proc/irq/29/smp_affinity_list", "ethtool:channels" */
	char *why;
	struct origin origin;
	unsigned stage; /* 1: now; 2..: behind a barrier, a forecast; 0: once per boot, before all (SETTING_FMC) */
	unsigned cost;
	char *skipped; /* CHANGE_SKIPPED, _DEFERRED, _FAILED, _GONE: why, in words, with the kernel's own text and a
			  hint */
	int error;     /* CHANGE_FAILED, _DEFERRED: -errno */
};

struct plan {
	char *policy;           /* its name */
	struct change *changes; /* every setting that the policy speaks of, by stage, device, setting, queue */
	size_t nchanges;
	struct strings unmet; /* requirements of [policy] that the host does not meet */
	bool refused;         /* on-unmet = refuse, and something is unmet: nothing is TODO */
};

/* What an earlier attempt in this run found out: a change that failed is not planned again. Compared by setting, path,
 * queue, index and `to`. */
struct attempts {
	struct change *items;
	size_t n;
};

/* Plans every device that a section matches. attempts may be NULL. The caller clears *ret. */
void plan_make(const struct machine *machine, const struct policy *policy, const struct attempts *attempts,
	       struct plan *ret);
void plan_clear(struct plan *plan); /* for CLEANUP */

/* Keeps only the devices that are named (and, with none named, all). */
void plan_only(struct plan *plan, const struct strings *devices);

size_t plan_todo(const struct plan *plan, unsigned stage); /* changes in CHANGE_TODO; stage 0: of all stages */

void change_clear(struct change *change);
void change_copy(struct change *to, const struct change *from);
char *change_queue(const struct change *change); /* "rx-3", NULL for a setting of the whole device; caller frees */

const char *offload_feature(unsigned index);    /* "rx-lro"; NULL: there are not so many */
const char *offload_key(unsigned index);        /* its key, "offload.lro" */
const char *setting_name(enum setting setting); /* "channels.combined", "irq", "rps", ... */
int setting_parse(const char *word, enum setting *ret);
const char *change_state_name(enum change_state state);

/* Texts of from and to, and back. */
char *pause_text(
	const struct pause *pause); /* "off", "on", "rx", "tx", "autoneg (rx on, tx off)"; NULL when nothing is known */
int pause_parse(const char *text, struct pause *ret);

/* Whether rx and tx of a NIC that negotiates are what it was told to offer, not what came of it. */
bool pause_is_as_asked(const struct nic *nic);

/* ---- findings: what is wrong with a machine, with or without a policy ------------------------------------------- */

struct finding {
	enum note_level level;
	const char *code; /* "remote-irq"; static text, the list is in steerctl(8), FINDINGS */
	char *device;     /* NULL: the host */
	char *text;
	char *hint; /* NULL: none */
};

struct findings {
	struct finding *items;
	size_t n;
};

/* policy and plan may both be NULL. Sorted worst last. */
void findings_make(const struct machine *machine, const struct policy *policy, const struct plan *plan,
		   struct findings *ret);
void findings_clear(struct findings *findings);
