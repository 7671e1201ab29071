/* Finds out who is at the other end of a socket: by what the kernel knows, never by what is said. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <steer/cleanup.h>
#include <steer/control.h>

#include "peer.h"

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59 /* asm-generic/socket.h, since Linux 4.13 */
#endif

enum { GROUPS_MOST = 65536 }; /* NGROUPS_MAX */

void readers_find(struct readers *ret)
{
	FILE *file = fopen("/etc/group", "re");
	struct group *group;

	*ret = (struct readers){ 0 };
	if (!file)
		return;
	while (!ret->known && (group = fgetgrent(file)))
		if (strcmp(group->gr_name, CONTROL_GROUP) == 0)
			*ret = (struct readers){ .known = true, .group = group->gr_gid };
	fclose(file);
}

/* Whether a process that connected was in a group besides its own one. */
static bool is_member(int fd, gid_t group)
{
	gid_t *groups = alloc_zero(GROUPS_MOST, sizeof *groups);
	socklen_t size = GROUPS_MOST * sizeof *groups;
	bool found = false;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) == 0)
		for (size_t i = 0; i < size / sizeof *groups; i++)
			found |= groups[i] == group;
	free(groups);
	return found;
}

int peer_of(int fd, const struct readers *readers, struct peer *ret)
{
	struct ucred who;
	socklen_t size = sizeof who;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) < 0)
		return -errno;
	*ret = (struct peer){ .user = who.uid, .process = who.pid };
	if (who.uid == 0)
		ret->right = RIGHT_WRITE;
	else if (readers->known && (who.gid == readers->group || is_member(fd, readers->group)))
		ret->right = RIGHT_READ;
	return 0;
}
