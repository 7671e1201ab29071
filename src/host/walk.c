/* Resolves a path below a root component by component; a link, absolute or with too many "..", ends at the root and
 * never outside. It opens nothing. */
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <steer/cleanup.h>

enum { LINKS_MAX = 40 }; /* as the kernel's own limit */

struct walk {
	const struct host *host;
	char *done; /* resolved so far: relative to the root, no link in it; "" is the root */
	char *rest; /* still to go */
	bool last;
	unsigned links;
};

static void walk_clear(struct walk *walk)
{
	free_string(&walk->done);
	free_string(&walk->rest);
}

static void set(char **variable, char *value)
{
	free(*variable);
	*variable = value;
}

static void go_up(struct walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	*(slash ? slash : walk->done) = 0;
}

/* Takes the first component off the rest; NULL at the end. */
static char *take_component(struct walk *walk)
{
	char *start = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(start, "/");
	char *component;

	if (!length)
		return NULL;
	component = text_format("%.*s", (int)length, start);
	set(&walk->rest, alloc_string(start + length));
	return component;
}

/* Follows the link if the path is one. 1: followed, 0: it is no link. */
static int follow(struct walk *walk, const char *path)
{
	char target[PATH_MAX];
	ssize_t length;

	if (!walk->last && !walk->rest[strspn(walk->rest, "/")])
		return 0;
	length = readlinkat(walk->host->fd, path, target, sizeof target - 1);
	if (length < 0)
		return errno == EINVAL ? 0 : -errno;
	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	target[length] = 0;
	if (*target == '/')
		*walk->done = 0;
	set(&walk->rest, text_format("%s/%s", target, walk->rest));
	return 1;
}

static int step(struct walk *walk, const char *component)
{
	CLEANUP(free_string) char *path = NULL;
	int r;

	if (text_equal(component, "."))
		return 0;
	if (text_equal(component, "..")) {
		go_up(walk);
		return 0;
	}
	path = text_format("%s%s%s", walk->done, *walk->done ? "/" : "", component);
	r = follow(walk, path);
	if (r == 0)
		set(&walk->done, TAKE(path));
	return r < 0 ? r : 0;
}

int root_walk(const struct host *host, const char *path, bool last, char **ret)
{
	CLEANUP(walk_clear) struct walk walk = { .host = host, .last = last };

	walk.done = alloc_string("");
	walk.rest = alloc_string(path);
	for (;;) {
		CLEANUP(free_string) char *component = take_component(&walk);
		int r;

		if (!component)
			break;
		r = step(&walk, component);
		if (r < 0)
			return r;
	}
	if (!*walk.done)
		set(&walk.done, alloc_string("."));
	*ret = TAKE(walk.done);
	return 0;
}
