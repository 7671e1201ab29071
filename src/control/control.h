/* The control socket from the inside: its connections, and what a method needs to answer. */
#pragma once

#include <steer/control.h>
#include <steer/json.h>
#include <steer/wire.h>

#include "peer.h"
#include "turns.h"

struct connection {
	struct control *control;
	int fd;
	struct loop_source *source; /* NULL: the other end is gone */
	unsigned events;            /* that the loop waits for */
	struct peer peer;
	struct client_state state;
	struct inbox inbox;
	bool ended;       /* the other end says nothing more */
	bool broken;      /* and hears nothing either */
	struct call call; /* that waits for its turn */
	char *out;        /* what is not sent yet */
	size_t nout, sent;
	uint64_t progress; /* when something was sent last */
	bool watches;
	uint64_t lost; /* happenings that found no room */
};

struct control {
	struct control_setup setup;
	struct readers readers;
	char *path; /* of the socket; NULL: none of ours is there */
	int fd;
	int fd_most; /* descriptors from here on are not for clients */
	struct loop_source *source;
	struct loop_timer *turn, *stalled, *refuse;
	struct connection **connections;
	size_t n;
	uint64_t turns;  /* counts */
	uint64_t rested; /* when the next call may be served */
};

/* ---- connection.c ----------------------------------------------------------------------------------------------- */

/* Takes the descriptor over, also on failure. */
int connection_add(struct control *control, int fd, const struct peer *peer);
void connection_drop(struct connection *connection); /* closes and frees it */

/* Sends a message, which is taken over, or as much as goes now and the rest when it goes. */
void connection_send(struct connection *connection, char *message);
size_t connection_unsent(const struct connection *connection);

/* Takes its next call if it is time for it, and waits for what it has to wait for. Drops it when that is nothing. */
void connection_go_on(struct connection *connection);

/* ---- control.c -------------------------------------------------------------------------------------------------- */

void control_schedule(struct control *control);      /* somebody waits for a turn */
void control_watch_stalled(struct control *control); /* something was not sent at once */

/* ---- methods.c -------------------------------------------------------------------------------------------------- */

struct request {
	struct control *control;
	struct connection *connection;
	const struct call *call;
};

void methods_call(const struct request *request); /* does what is asked, and answers */

/* Answers; the parameters are taken over. */
void answer(const struct request *request, json_t *parameters);
void answer_more(const struct request *request, json_t *parameters); /* another one follows */
void answer_error(const struct request *request, const char *name, json_t *parameters);
void answer_failed(const struct request *request, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- the methods of io.steerd ----------------------------------------------------------------------------------- */

void method_show(const struct request *request); /* look.c */
void method_plan(const struct request *request);
void method_explain(const struct request *request);

void method_apply(const struct request *request); /* change.c */
void method_confirm(const struct request *request);
void method_revert(const struct request *request);
void method_reload(const struct request *request);

void method_status(const struct request *request); /* status.c */

void method_watch(const struct request *request); /* stream.c */
void stream_end(struct control *control);         /* one that watched is gone */
