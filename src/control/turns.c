/* Decides who is let in, and whose turn it is. Pure. */
#include "turns.h"

enum { REST_LEAST = 1, REST_FACTOR = 2 };

enum rank { RANK_IDLE, RANK_SLOW, RANK_EAGER, RANK_STAYS }; /* the first go first */

static enum rank rank_of(const struct client_state *client)
{
	if (client->idle)
		return RANK_IDLE;
	if (client->slow)
		return RANK_SLOW;
	return client->waits && client->queued > QUEUED_MANY ? RANK_EAGER : RANK_STAYS;
}

/* Whether it rather goes than the other one. */
static bool goes_rather(const struct client_state *client, const struct client_state *than)
{
	enum rank rank = rank_of(client);

	if (rank == RANK_STAYS || !than || rank != rank_of(than))
		return rank != RANK_STAYS && (!than || rank < rank_of(than));
	return rank == RANK_EAGER ? client->queued > than->queued : client->active < than->active;
}

enum admission turns_admit(const struct client_state *clients, size_t n, uid_t user, size_t *ret)
{
	size_t own = 0, all = user == 0 ? CLIENTS_ALL : CLIENTS_ALL - CLIENTS_ROOT;
	const struct client_state *goes = NULL;

	for (size_t i = 0; i < n; i++) {
		if (clients[i].user != user)
			continue;
		own++;
		if (goes_rather(&clients[i], goes))
			goes = &clients[i];
	}
	if (own < CLIENTS_EACH_USER && n < all)
		return ADMIT;
	if (!goes)
		return ADMIT_NOT;
	*ret = (size_t)(goes - clients);
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
