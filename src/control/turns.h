/* Who is let in, and whose turn it is. Pure. Limits hold for a user, not for a connection: whoever opens a hundred has
 * no more of the daemon than one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	CLIENTS_EACH_USER = 32,
	CLIENTS_ALL = 128,
	CLIENTS_ROOT = 32, /* of all, places that are kept for root */
	QUEUED_MANY = 4096,
};

struct client_state { /* of one connection, as far as fairness goes */
	uid_t user;
	bool idle;       /* waits for nothing, and nothing waits for it */
	bool slow;       /* an answer waits for it to be read */
	bool waits;      /* has made a call */
	size_t queued;   /* bytes of further calls that it has sent already */
	uint64_t active; /* the turn in which it made its last call; 0: none yet */
	uint64_t served; /* the turn in which its user was served last; 0: never */
};

enum admission { ADMIT, ADMIT_INSTEAD, ADMIT_NOT };

/* May one more connection of a user come in? ADMIT_INSTEAD: for the one at *ret: an idle one of that user, the one that
 * made its last call first; or else a slow one, likewise; or else the one that has most calls queued, if those are
 * many. */
enum admission turns_admit(const struct client_state *clients, size_t n, uid_t user, size_t *ret);

/* Whose call is next: of the user who was served longest ago, the one that waits longest; n: nobody waits. */
size_t turns_next(const struct client_state *clients, size_t n);

/* How long, in ms, nothing is served after a call that took so long: at most a third of the daemon's time is spent on
 * what others ask, and a call that costs nothing is answered a thousand times a second. */
int64_t turns_rest(uint64_t took);
