/* Asking the daemon, for the commands that do. What is wrong is said, answers are exit statuses. */
#pragma once

#include <steer/json.h>
#include <steer/wire.h>

#include "cli.h"

int remote_call(struct remote *remote, const char *method, json_t *parameters, bool more, struct reply *ret);
int remote_reply(struct remote *remote, struct reply *ret); /* the next one */
void log_json_note(json_t *json);
