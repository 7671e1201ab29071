/* The control socket: lets clients in, and gives each its turn. Knows no method, and never waits for a client. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <steer/cleanup.h>

#include "control.h"

enum {
	BACKLOG = 64,
	STALLED = 30 * 1000, /* ms that a client may take to read anything of an answer */
	KEPT = 16,           /* descriptors that clients do not get: the machine is read through some */
	TRY_AGAIN = 1000,    /* ms, when there is no descriptor for one more client */
	MODE_READERS = 0660,
	MODE_ROOT = 0600,
};

/* ---- turns ------------------------------------------------------------------------------------------------------ */

static struct client_state *states(const struct control *control)
{
	struct client_state *all = alloc_zero(control->n + 1, sizeof *all);

	for (size_t i = 0; i < control->n; i++)
		all[i] = control->connections[i]->state;
	return all;
}

static struct connection *next(const struct control *control)
{
	struct client_state *all = states(control);
	size_t i = turns_next(all, control->n);

	free(all);
	return i < control->n ? control->connections[i] : NULL;
}

void control_schedule(struct control *control)
{
	uint64_t now = loop_now();

	if (next(control))
		loop_timer_set(control->turn, control->rested > now ? (int64_t)(control->rested - now) : 0);
}

static void note_served(struct control *control, uid_t user)
{
	control->turns++;
	for (size_t i = 0; i < control->n; i++)
		if (control->connections[i]->peer.user == user)
			control->connections[i]->state.served = control->turns;
}

static int on_turn(void *context, unsigned events)
{
	struct control *control = context;
	struct connection *connection = next(control);
	CLEANUP(call_clear) struct call call = { 0 };
	uint64_t start = loop_now(), end;

	(void)events;
	if (!connection)
		return 0;
	call = connection->call;
	connection->call = (struct call){ 0 };
	connection->state.waits = false;
	note_served(control, connection->peer.user);
	methods_call(&(struct request){ .control = control, .connection = connection, .call = &call });
	connection_go_on(connection);
	end = loop_now();
	control->rested = end + (uint64_t)turns_rest(end - start);
	control_schedule(control);
	return 0;
}

/* ---- clients that do not read ----------------------------------------------------------------------------------- */

/* One that watches may look away: it costs no more than its buffer, and misses what happens. */
static bool may_stall(const struct connection *connection)
{
	return connection_unsent(connection) > 0 && !connection->watches;
}

void control_watch_stalled(struct control *control)
{
	uint64_t now = loop_now(), first = UINT64_MAX;

	for (size_t i = 0; i < control->n; i++)
		if (may_stall(control->connections[i]) && control->connections[i]->progress < first)
			first = control->connections[i]->progress;
	if (first == UINT64_MAX)
		loop_timer_set(control->stalled, LOOP_NEVER);
	else
		loop_timer_set(control->stalled, first + STALLED > now ? (int64_t)(first + STALLED - now) : 0);
}

static int on_stalled(void *context, unsigned events)
{
	struct control *control = context;
	uint64_t now = loop_now();

	(void)events;
	for (size_t i = control->n; i-- > 0;) {
		struct connection *connection = control->connections[i];

		if (may_stall(connection) && connection->progress + STALLED <= now)
			connection_drop(connection);
	}
	control_watch_stalled(control);
	return 0;
}

/* ---- letting in ------------------------------------------------------------------------------------------------- */

static int admit(struct control *control, int fd)
{
	struct client_state *all;
	struct peer peer;
	enum admission admission;
	size_t instead = 0;
	int r = peer_of(fd, &control->readers, &peer);

	if (r < 0 || peer.right == RIGHT_NONE || fd >= control->fd_most) {
		close(fd);
		return 0;
	}
	all = states(control);
	admission = turns_admit(all, control->n, peer.user, &instead);
	free(all);
	if (admission == ADMIT_NOT) {
		close(fd);
		return 0;
	}
	if (admission == ADMIT_INSTEAD)
		connection_drop(control->connections[instead]);
	return connection_add(control, fd, &peer);
}

static int on_refused(void *context, unsigned events)
{
	struct control *control = context;

	(void)events;
	return loop_change(control->source, LOOP_READ);
}

/* One at a time: what else happens is not kept waiting by a crowd. */
static int on_knock(void *context, unsigned events)
{
	struct control *control = context;
	int fd = accept4(control->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)events;
	if (fd >= 0) {
		(void)admit(control, fd);
	} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
		loop_timer_set(control->refuse, TRY_AGAIN);
		return loop_change(control->source, 0);
	}
	return 0;
}

/* ---- listening -------------------------------------------------------------------------------------------------- */

/* Root has the socket to itself unless the group is there and may be given it: by the right to, or since the directory
 * hands its group on. */
static void let_readers_in(struct control *control, struct notes *notes)
{
	struct stat status;

	readers_find(&control->readers);
	if (!control->readers.known) {
		notes_add(notes, NOTE_INFO, NULL, "there is no group " CONTROL_GROUP ": only root may ask how it goes");
		return;
	}
	(void)!lchown(control->path, (uid_t)-1, control->readers.group);
	if (lstat(control->path, &status) == 0 && status.st_gid == control->readers.group &&
	    chmod(control->path, MODE_READERS) == 0)
		return;
	notes_add(notes, NOTE_WARNING, NULL,
		  "%s cannot be given to the group " CONTROL_GROUP ": only root may ask how it goes", control->path)
		->hint = text_format("make %s a directory of that group with mode 2755", control->setup.run_directory);
}

static int bind_to(int fd, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	mode_t before;
	int r;

	if (strlen(path) >= sizeof address.sun_path)
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	if (unlink(path) < 0 && errno != ENOENT)
		return -errno;
	before = umask((mode_t)~MODE_ROOT & 0777);
	r = bind(fd, (const struct sockaddr *)&address, sizeof address) < 0 ? -errno : 0;
	umask(before);
	return r;
}

static int start(struct control *control, struct notes *notes)
{
	CLEANUP(free_string) char *path = text_format("%s/" CONTROL_SOCKET, control->setup.run_directory);
	int r;

	control->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (control->fd < 0)
		return -errno;
	if ((r = bind_to(control->fd, path)) < 0)
		return r;
	control->path = TAKE(path);
	let_readers_in(control, notes);
	if (listen(control->fd, BACKLOG) < 0)
		return -errno;
	return loop_add(control->setup.loop, control->fd, LOOP_READ, on_knock, control, &control->source);
}

static int descriptors(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur > INT_MAX ? INT_MAX : (int)limit.rlim_cur;
}

int control_open(const struct control_setup *setup, struct control **ret, struct notes *notes)
{
	CLEANUP(control_closep) struct control *control = alloc_zero(1, sizeof *control);
	int r;

	control->setup = *setup;
	control->fd = -1;
	control->fd_most = descriptors() - KEPT;
	control->turn = loop_timer_add(setup->loop, on_turn, control);
	control->stalled = loop_timer_add(setup->loop, on_stalled, control);
	control->refuse = loop_timer_add(setup->loop, on_refused, control);
	if ((r = start(control, notes)) < 0)
		return r;
	*ret = TAKE(control);
	return 0;
}

void control_close(struct control *control)
{
	if (!control)
		return;
	while (control->n)
		connection_drop(control->connections[0]);
	free(control->connections);
	if (control->path)
		(void)unlink(control->path);
	loop_remove(control->source);
	loop_timer_remove(control->turn);
	loop_timer_remove(control->stalled);
	loop_timer_remove(control->refuse);
	close_fd(&control->fd);
	free(control->path);
	free(control);
}

void control_closep(struct control **control)
{
	control_close(*control);
	*control = NULL;
}
