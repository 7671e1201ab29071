/* Decides who is let in, and whose turn it is. Pure. */
#include "turns.h"

enum { REST_LEAST = 1, REST_FACTOR = 2 };

static bool is_better(const struct client_state *client, const struct client_state *than)
{
	return !than || client->active < than->active;
}

enum admission turns_admit(const struct client_state *clients, size_t n, uid_t user, size_t *ret)
{
	size_t own = 0, all = user == 0 ? CLIENTS_ALL : CLIENTS_ALL - CLIENTS_ROOT;
	const struct client_state *oldest = NULL;

	for (size_t i = 0; i < n; i++) {
		if (clients[i].user != user)
			continue;
		own++;
		if (clients[i].idle && is_better(&clients[i], oldest))
			oldest = &clients[i];
	}
	if (own < CLIENTS_EACH_USER && n < all)
		return ADMIT;
	if (!oldest)
		return ADMIT_NOT;
	*ret = (size_t)(oldest - clients);
	return ADMIT_INSTEAD;
}

size_t turns_next(const struct client_state *clients, size_t n)
{
	size_t next = n;

	for (size_t i = 0; i < n; i++) {
		const struct client_state *client = &clients[i];

		if (!client->waits)
			continue;
		if (next == n || client->served < clients[next].served ||
		    (client->served == clients[next].served && client->active < clients[next].active))
			next = i;
	}
	return next;
}

int64_t turns_rest(uint64_t took)
{
	return took ? (int64_t)took * REST_FACTOR : REST_LEAST;
}
