/* Messages of the Varlink protocol (varlink.org): JSON objects, each ended by a NUL, over a stream socket. What both
 * ends need, and the calling end. Trusts nothing that comes in: sizes and depths have limits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct json_t; /* of jansson */

enum {
	WIRE_CALL_MOST = 64 * 1024,           /* bytes of a call */
	WIRE_REPLY_MOST = 1024 * 1024 * 1024, /* and of a reply: a machine may have ten thousand devices */
	WIRE_DEEPEST = 16,                    /* objects and arrays in each other, in a call */
};

/* ---- cutting a stream into messages ----------------------------------------------------------------------------- */

struct inbox { /* {0}: empty */
	char *bytes;
	size_t n, room;
	size_t seen; /* of the n bytes: how many of the next message, its NUL not counted */
};

void inbox_clear(struct inbox *inbox); /* for CLEANUP */

/* Adds what was read. -EMSGSIZE: a message is longer than `most`; the stream is of no use any more. */
int inbox_add(struct inbox *inbox, const char *bytes, size_t n, size_t most);

bool inbox_has(struct inbox *inbox);   /* a whole message */
char *inbox_take(struct inbox *inbox); /* the next one, ended by its NUL, or NULL; the caller frees */

/* ---- calls and replies ------------------------------------------------------------------------------------------ */

struct call {
	char *method;              /* "io.steerd.Show" */
	struct json_t *parameters; /* an object, also when there were none */
	bool more, oneway, upgrade;
};

/* -EBADMSG: no call, or nested too deep. */
int call_parse(const char *message, struct call *ret);
void call_clear(struct call *call); /* for CLEANUP */

/* The message that makes a call, or answers one; parameters are taken over, NULL: none. The caller frees. */
char *call_text(const char *method, struct json_t *parameters, bool more);
char *reply_text(struct json_t *parameters, bool continues);
char *error_text(const char *name, struct json_t *parameters);

/* Whether a JSON text has no more than so many objects and arrays in each other. Says nothing of anything else. */
bool json_is_flat(const char *text, unsigned deepest);

/* ---- the calling end -------------------------------------------------------------------------------------------- */

struct client;

struct reply {
	struct json_t *parameters; /* an object */
	char *error;               /* "io.steerd.NoDevice"; NULL: none */
	bool continues;            /* another one follows */
};

void reply_clear(struct reply *reply); /* for CLEANUP */

/* -ENOENT, -ECONNREFUSED: nobody listens there; -EACCES. */
int client_open(const char *path, struct client **ret);
void client_close(struct client *client);
void client_closep(struct client **client); /* for CLEANUP */

/* Makes a call; the parameters are taken over. */
int client_call(struct client *client, const char *method, struct json_t *parameters, bool more);

/* Waits so long for the next reply, -1: for ever. -ETIMEDOUT; -ECONNRESET: the other end is gone; -EBADMSG. */
int client_reply(struct client *client, int milliseconds, struct reply *ret);
