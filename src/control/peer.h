/* Who is at the other end of a connection, and what that one may. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum right { RIGHT_NONE, RIGHT_READ, RIGHT_WRITE }; /* each includes those before it */

struct peer {
	uid_t user;
	pid_t process;
	enum right right;
};

struct readers { /* the group whose members may ask */
	bool known;
	gid_t group;
};

/* Looks the group up in /etc/group, and nowhere else: at boot there is no network to ask. */
void readers_find(struct readers *ret);

int peer_of(int fd, const struct readers *readers, struct peer *ret); /* -errno */
