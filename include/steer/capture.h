/* Saves a machine as a tree that --root can read again (the format is in steerctl(8), CAPTURES). Leaves out addresses
 * and host names. */
#pragma once

#include <steer/host.h>
#include <steer/note.h>

/* Writes to the directory, which must not exist or be empty (-ENOTEMPTY otherwise). */
int capture(struct host *host, const char *directory, struct notes *notes);
