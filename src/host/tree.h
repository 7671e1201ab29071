/* Making, copying and removing files of a captured machine's tree. Paths as in steer/host.h. */
#pragma once

#include "private.h"

int tree_write(struct host *host, const char *path, const char *text); /* makes the file if it is missing */
int tree_rename(struct host *host, const char *from, const char *to);
int tree_remove(struct host *host, const char *path);               /* with all below; 0 when it is not there */
int tree_copy(struct host *host, const char *from, const char *to); /* files and directories below */
