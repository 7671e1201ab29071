/* Watch: tells what happens to those who want to hear it. Whoever does not read misses some and is told how many. */
#include <net/if.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "methods.h"

enum { UNREAD_MOST = 256 * 1024 }; /* bytes that wait for one who watches */

static json_t *event_json(const struct event *event)
{
	char name[IF_NAMESIZE];
	const char *device = event->ifindex ? if_indextoname(event->ifindex, name) : NULL;

	return json_pack("{s:{s:s, s:i, s:s?}}", "event", "kind", event_kind_name(event->kind), "ifindex",
			 (int)event->ifindex, "device", device);
}

static json_t *happening_json(const struct happening *happening)
{
	if (happening->event)
		return event_json(happening->event);
	if (happening->report)
		return json_pack("{s:o}", "report", json_of_report(happening->report));
	return json_pack("{s:o}", "note", json_note(happening->note));
}

static void send_to(struct connection *connection, const char *message)
{
	if (connection->lost && connection_unsent(connection) == 0) {
		json_t *lost = json_pack("{s:I}", "lost", (json_int_t)connection->lost);

		connection->lost = 0;
		connection_send(connection, reply_text(lost, true));
	}
	if (connection_unsent(connection) > UNREAD_MOST)
		connection->lost++;
	else
		connection_send(connection, alloc_string(message));
}

static void hear(void *context, const struct happening *happening)
{
	struct control *control = context;
	CLEANUP(free_string) char *message = reply_text(happening_json(happening), true);

	for (size_t i = control->n; i-- > 0;) {
		struct connection *connection = control->connections[i];

		if (connection->watches) {
			send_to(connection, message);
			connection_go_on(connection);
		}
	}
}

void method_watch(const struct request *request)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	struct control *control = request->control;

	if (!parameters_read(request, 0, &parameters) || request->call->oneway)
		return;
	request->connection->watches = true;
	answer_more(request, NULL);
	daemon_listen(control->setup.daemon, hear, control);
}

void stream_end(struct control *control)
{
	for (size_t i = 0; i < control->n; i++)
		if (control->connections[i]->watches)
			return;
	daemon_listen(control->setup.daemon, NULL, NULL);
}
