/* One connection: cuts what comes in into calls, one at a time, and sends what goes out. Never waits for the other end;
 * while that does not read, nothing of it is read. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <steer/cleanup.h>

#include "control.h"

enum {
	READ_AT_ONCE = 16 * 1024,
	LARGE = 1024 * 1024, /* bytes worth giving back to the kernel */
};

/* ---- end -------------------------------------------------------------------------------------------------------- */

static void forget(struct control *control, const struct connection *connection)
{
	for (size_t i = 0; i < control->n; i++) {
		if (control->connections[i] == connection) {
			control->connections[i] = control->connections[--control->n];
			return;
		}
	}
}

static void let_go_of_out(struct connection *connection)
{
	bool large = connection->nout > LARGE;

	free(connection->out);
	connection->out = NULL;
	connection->nout = connection->sent = 0;
#ifdef __GLIBC__
	if (large)
		malloc_trim(0);
#else
	(void)large;
#endif
}

void connection_drop(struct connection *connection)
{
	struct control *control = connection->control;
	bool watched = connection->watches;

	forget(control, connection);
	loop_remove(connection->source);
	close_fd(&connection->fd);
	inbox_clear(&connection->inbox);
	call_clear(&connection->call);
	let_go_of_out(connection);
	free(connection);
	if (watched)
		stream_end(control);
}

/* ---- out -------------------------------------------------------------------------------------------------------- */

size_t connection_unsent(const struct connection *connection)
{
	return connection->nout - connection->sent;
}

/* What is for an end that is gone is thrown away. */
static void flush(struct connection *connection)
{
	while (connection_unsent(connection) > 0) {
		ssize_t put = send(connection->fd, connection->out + connection->sent, connection_unsent(connection),
				   MSG_NOSIGNAL | MSG_DONTWAIT);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0 && errno == EAGAIN)
			return;
		if (put < 0) {
			connection->broken = true;
			break;
		}
		connection->sent += (size_t)put;
		connection->progress = loop_now();
	}
	let_go_of_out(connection);
}

static void append(struct connection *connection, const char *message)
{
	size_t unsent = connection_unsent(connection), length = strlen(message) + 1;
	char *both = alloc_zero(unsent + length, 1);

	memcpy(both, connection->out + connection->sent, unsent);
	memcpy(both + unsent, message, length);
	free(connection->out);
	connection->out = both;
	connection->nout = unsent + length;
	connection->sent = 0;
}

void connection_send(struct connection *connection, char *message)
{
	CLEANUP(free_string) char *owned = message;

	if (connection->out) {
		append(connection, owned);
	} else {
		connection->nout = strlen(owned) + 1;
		connection->out = TAKE(owned);
		connection->progress = loop_now();
	}
	flush(connection);
}

/* ---- in --------------------------------------------------------------------------------------------------------- */

/* False: it is of no use any more. */
static bool fill(struct connection *connection)
{
	char bytes[READ_AT_ONCE];
	ssize_t got = read(connection->fd, bytes, sizeof bytes);

	if (got < 0)
		return errno == EAGAIN || errno == EINTR;
	if (got == 0)
		connection->ended = true;
	return inbox_add(&connection->inbox, bytes, (size_t)got, WIRE_CALL_MOST) == 0;
}

/* The next call, when nothing is to be done for the one before. False: it is no call. */
static bool take_call(struct connection *connection)
{
	CLEANUP(free_string) char *message = NULL;

	if (connection->state.waits || connection->out || connection->watches)
		return true;
	message = inbox_take(&connection->inbox);
	if (!message)
		return true;
	if (call_parse(message, &connection->call) < 0)
		return false;
	connection->state.waits = true;
	connection->state.queued = connection->inbox.n;
	connection->state.active = ++connection->control->turns;
	control_schedule(connection->control);
	return true;
}

/* ---- going on --------------------------------------------------------------------------------------------------- */

static bool is_busy(const struct connection *connection)
{
	return connection->state.waits || connection->out || connection->watches;
}

static bool wait_for(struct connection *connection, unsigned events)
{
	if (events == connection->events || !connection->source)
		return true;
	connection->events = events;
	return loop_change(connection->source, events) == 0;
}

void connection_go_on(struct connection *connection)
{
	unsigned events = 0;
	bool good = take_call(connection);

	connection->state.idle = !is_busy(connection);
	connection->state.slow = connection->out && !connection->watches;
	if (!good || connection->broken || (connection->ended && !is_busy(connection))) {
		connection_drop(connection);
		return;
	}
	if (!connection->ended && !is_busy(connection))
		events |= LOOP_READ;
	if (connection->out) {
		events |= LOOP_WRITE;
		control_watch_stalled(connection->control);
	}
	if (!wait_for(connection, events))
		connection_drop(connection);
}

/* Nobody is there for an answer; what needs none is done all the same. */
static void hang_up(struct connection *connection)
{
	if (!connection->state.waits || !connection->call.oneway) {
		connection_drop(connection);
		return;
	}
	loop_remove(TAKE(connection->source));
	connection->ended = true;
}

static int on_ready(void *context, unsigned events)
{
	struct connection *connection = context;

	if ((events & LOOP_HANGUP) && !(events & LOOP_READ)) {
		hang_up(connection);
		return 0;
	}
	if (events & LOOP_WRITE)
		flush(connection);
	if ((events & LOOP_READ) && !fill(connection)) {
		connection_drop(connection);
		return 0;
	}
	connection_go_on(connection);
	return 0;
}

/* ---- begin ------------------------------------------------------------------------------------------------------ */

static uint64_t served_last(const struct control *control, uid_t user)
{
	for (size_t i = 0; i < control->n; i++)
		if (control->connections[i]->peer.user == user)
			return control->connections[i]->state.served;
	return 0;
}

int connection_add(struct control *control, int fd, const struct peer *peer)
{
	struct connection *connection = alloc_zero(1, sizeof *connection);
	int r;

	*connection = (struct connection){ .control = control, .fd = fd, .peer = *peer, .events = LOOP_READ };
	connection->state =
		(struct client_state){ .user = peer->user, .idle = true, .served = served_last(control, peer->user) };
	r = loop_add(control->setup.loop, fd, LOOP_READ, on_ready, connection, &connection->source);
	if (r < 0) {
		close_fd(&connection->fd);
		free(connection);
		return r;
	}
	control->connections = alloc_more(control->connections, control->n, sizeof(struct connection *));
	control->connections[control->n++] = connection;
	return 0;
}
