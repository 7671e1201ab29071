/* What the two halves of the state machine share: when to look (watch.c), and what to make of it
 * (drift.c, dispute.c). */
#pragma once

#include <steer/watch.h>

enum { FIGHT_TIMES = 5 };

struct memory {               /* of one setting */
	struct change change; /* as a pass last saw it */
	bool settled;         /* that pass left it as wanted */
	bool refused;
	bool told; /* that it was refused */
	bool seen; /* in the pass that is being learnt from */
};

struct dispute { /* about one setting of one device, all its queues together */
	unsigned ifindex;
	enum setting setting;
	char *device;
	uint64_t drifts[FIGHT_TIMES]; /* passes that found drift, oldest first; only `ndrifts` of them */
	size_t ndrifts;
	uint64_t truce;     /* how long it is, or was, left alone; 0: never yet */
	uint64_t truce_end; /* of the last one */
	bool on;            /* it is left alone */
	char *rival;        /* who is likely to be the other */
	char *words;        /* for the plan: why it is left alone */
};

struct watch {
	uint64_t audit, next_audit;
	bool pending; /* something is to be looked at */
	bool at_once;
	uint64_t first_event, last_event;
	struct pass pass; /* as it grows */
	struct memory *memories;
	size_t nmemories, cursor; /* where the next change is likely to be remembered: plans keep their order */
	struct dispute *disputes;
	size_t ndisputes;
	struct attempts spared;
	struct watch_counts counts;
};

/* drift.c */
void drift_clear(struct watch *watch);
void drift_forget(struct watch *watch, unsigned ifindex); /* everything about a device */
bool drift_knows(const struct watch *watch, unsigned ifindex);
void drift_forgive(struct watch *watch, const struct pass *pass);

/* dispute.c */
struct dispute *dispute_find(const struct watch *watch, const struct change *change);

/* A pass found drift. True: it is a fight from now on. */
bool dispute_add(struct watch *watch, uint64_t now, const struct change *change, const char *rival);
bool dispute_rests(const struct dispute *dispute, uint64_t now); /* its setting is left alone; NULL: no dispute */
int64_t disputes_wait(const struct watch *watch, uint64_t now);  /* until the next truce is over */
bool disputes_next(struct watch *watch, uint64_t now, unsigned *ret_ifindex); /* ends one truce that is over */
void disputes_end(struct watch *watch);                                       /* every truce, at once */
void disputes_forget(struct watch *watch, unsigned ifindex);
void disputes_tell(const struct watch *watch, uint64_t now, struct notes *notes);
void disputes_clear(struct watch *watch);
