/* What the answers of the methods have in common. Decides nothing. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "methods.h"

void answer(const struct request *request, json_t *parameters)
{
	if (request->call->oneway)
		json_decref(parameters);
	else
		connection_send(request->connection, reply_text(parameters, false));
}

void answer_more(const struct request *request, json_t *parameters)
{
	connection_send(request->connection, reply_text(parameters, true));
}

void answer_error(const struct request *request, const char *name, json_t *parameters)
{
	if (request->call->oneway)
		json_decref(parameters);
	else
		connection_send(request->connection, error_text(name, parameters));
}

void answer_failed(const struct request *request, const char *format, ...)
{
	char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		abort();
	va_end(arguments);
	answer_error(request, "io.steerd.Failed", json_pack("{s:o}", "text", json_taken(text)));
}

void answer_policy_refused(const struct request *request, const struct notes *problems)
{
	const struct policy *policy = daemon_policy(request->control->setup.daemon);

	answer_error(request, "io.steerd.PolicyRefused",
		     json_pack("{s:s, s:o}", "policy", policy->name, "problems", json_notes(problems)));
}

void rendering_begin(struct rendering *rendering)
{
	rendering->out = open_memstream(&rendering->text, &rendering->length);
	if (!rendering->out)
		abort();
}

json_t *rendering_end(struct rendering *rendering)
{
	if (fclose(rendering->out) != 0)
		abort();
	return json_taken(rendering->text);
}
