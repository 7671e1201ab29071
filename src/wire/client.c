/* The calling end of a connection. Waits as long as it is told. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include <steer/cleanup.h>
#include <steer/wire.h>

enum { SEND_MOST = 10 }; /* seconds for the other end to take a connection or a call */

struct client {
	int fd;
	struct inbox inbox;
};

void client_close(struct client *client)
{
	if (!client)
		return;
	close_fd(&client->fd);
	inbox_clear(&client->inbox);
	free(client);
}

void client_closep(struct client **client)
{
	client_close(*client);
	*client = NULL;
}

int client_open(const char *path, struct client **ret)
{
	const struct timeval patience = { .tv_sec = SEND_MOST };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	CLEANUP(close_fd) int fd = -1;
	struct client *client;

	if (strlen(path) >= sizeof address.sun_path)
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0 ||
	    connect(fd, (const struct sockaddr *)&address, sizeof address) < 0)
		return -errno;
	client = alloc_zero(1, sizeof *client);
	client->fd = fd;
	fd = -1;
	*ret = client;
	return 0;
}

int client_call(struct client *client, const char *method, json_t *parameters, bool more)
{
	CLEANUP(free_string) char *text = call_text(method, parameters, more);
	size_t length = strlen(text) + 1;

	for (size_t done = 0; done < length;) {
		ssize_t put = send(client->fd, text + done, length - done, MSG_NOSIGNAL);

		if (put < 0 && errno != EINTR)
			return errno == EPIPE ? -ECONNRESET : -errno;
		done += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* ---- replies ---------------------------------------------------------------------------------------------------- */

void reply_clear(struct reply *reply)
{
	json_decref(reply->parameters);
	free(reply->error);
	*reply = (struct reply){ 0 };
}

static int reply_parse(const char *message, struct reply *ret)
{
	json_t *object = json_loads(message, 0, NULL), *parameters = json_object_get(object, "parameters");
	const char *error = json_string_value(json_object_get(object, "error"));

	if (!json_is_object(object)) {
		json_decref(object);
		return -EBADMSG;
	}
	*ret = (struct reply){
		.parameters = json_is_object(parameters) ? json_incref(parameters) : json_object(),
		.error = alloc_string(error),
		.continues = json_is_true(json_object_get(object, "continues")),
	};
	json_decref(object);
	return 0;
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Waits for bytes until `end`, -1: for ever, and takes some. */
static int take_bytes(struct client *client, int64_t end)
{
	struct pollfd wait = { .fd = client->fd, .events = POLLIN };
	int64_t left = end < 0 ? -1 : end - now();
	char bytes[16 * 1024];
	ssize_t got;
	int r = poll(&wait, 1, left > INT_MAX ? INT_MAX : left < 0 && end >= 0 ? 0 : (int)left);

	if (r < 0)
		return errno == EINTR ? 0 : -errno;
	if (r == 0)
		return -ETIMEDOUT;
	got = read(client->fd, bytes, sizeof bytes);
	if (got < 0)
		return errno == EINTR ? 0 : -errno;
	if (got == 0)
		return -ECONNRESET;
	return inbox_add(&client->inbox, bytes, (size_t)got, WIRE_REPLY_MOST);
}

int client_reply(struct client *client, int milliseconds, struct reply *ret)
{
	int64_t end = milliseconds < 0 ? -1 : now() + milliseconds;
	CLEANUP(free_string) char *message = NULL;

	while (!(message = inbox_take(&client->inbox))) {
		int r = take_bytes(client, end);

		if (r < 0)
			return r;
	}
	return reply_parse(message, ret);
}
