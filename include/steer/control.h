/* The control socket of a running daemon: RUN_DIRECTORY/io.steerd, the Varlink protocol. Who may what: root everything,
 * members of the group steerd may ask, nobody else may connect. */
#pragma once

#include <steer/daemon.h>

#define CONTROL_SOCKET "io.steerd" /* in the run directory */
#define CONTROL_GROUP "steerd"

struct control;

struct control_setup { /* borrowed; outlives the control socket */
	struct loop *loop;
	struct daemon *daemon;
	const char *run_directory; /* locked by the caller: whatever socket lies there is nobody's */
};

/* Listens. The notes say what is not as usual. -errno: nobody can ask. */
int control_open(const struct control_setup *setup, struct control **ret, struct notes *notes);
void control_close(struct control *control);
void control_closep(struct control **control); /* for CLEANUP */
