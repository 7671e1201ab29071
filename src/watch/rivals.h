/* Who else may write the settings. */
#pragma once

#include <steer/events.h>
#include <steer/host.h>
#include <steer/watch.h>

struct rival_search {
	struct host *host;
	const struct events *events;
	char *words; /* of the last answer */
};

/* For struct rivals; context is the search. Looks around only when asked. */
const char *rival_likely(void *context, const struct change *change);
