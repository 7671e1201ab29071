/* Making, copying and removing files of a captured machine's tree. Paths as in steer/host.h. */
#pragma once

#include "private.h"

int tree_write(struct host *host, const char *path, const char *text); /* makes the file if it is missing */
int tree_rename(struct host *host, const char *from, const char *to);
int tree_remove(struct host *host, const char *path); /* with all below; 0 when it is not there */

/* Copies files and directories below. A file that was removed from where the copy goes comes back as it was: a captured
 * machine stands still, so that a change and its reversal leave no trace but what the change itself is about. */
int tree_copy(struct host *host, const char *from, const char *to);

/* What was removed, by its path, as long as the host is open. */
void tree_remember(struct host *host, const char *path, const char *text);
const char *tree_remembered(const struct host *host, const char *path); /* NULL: nothing was removed there */
