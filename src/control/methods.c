/* Which methods there are, and who may call them. What they do is elsewhere. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "methods.h"

enum { UNSENT_MOST = 4 * 1024 * 1024 }; /* bytes that the connections of a user may leave unread */

/* ---- org.varlink.service ---------------------------------------------------------------------------------------- */

static const char service_interface[] =
	"# What a service is and offers (varlink.org)\n"
	"interface org.varlink.service\n"
	"\n"
	"method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)\n"
	"method GetInterfaceDescription(interface: string) -> (description: string)\n"
	"\n"
	"error InterfaceNotFound (interface: string)\n"
	"error MethodNotFound (method: string)\n"
	"error MethodNotImplemented (method: string)\n"
	"error InvalidParameter (parameter: string)\n"
	"error PermissionDenied ()\n"
	"error ExpectedMore ()\n";

static void method_info(const struct request *request)
{
	answer(request,
	       json_pack("{s:s, s:s, s:s, s:s, s:[s, s]}", "vendor", "steerd", "product", "steerd", "version",
			 STEER_VERSION, "url", "man:steerd(8)", "interfaces", "org.varlink.service", "io.steerd"));
}

static void method_description(const struct request *request)
{
	const char *name = json_string_value(json_object_get(request->call->parameters, "interface"));
	const char *text = NULL;

	if (!name) {
		answer_error(request, "org.varlink.service.InvalidParameter",
			     json_pack("{s:s}", "parameter", "interface"));
		return;
	}
	if (strcmp(name, "io.steerd") == 0)
		text = control_interface();
	else if (strcmp(name, "org.varlink.service") == 0)
		text = service_interface;
	if (text)
		answer(request, json_pack("{s:s}", "description", text));
	else
		answer_error(request, "org.varlink.service.InterfaceNotFound", json_pack("{s:s}", "interface", name));
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static const struct method {
	const char *name;
	enum right right;
	bool streams; /* must be called with `more` */
	void (*run)(const struct request *request);
} methods[] = {
	{ "org.varlink.service.GetInfo", RIGHT_READ, false, method_info },
	{ "org.varlink.service.GetInterfaceDescription", RIGHT_READ, false, method_description },
	{ "io.steerd.Show", RIGHT_READ, false, method_show },
	{ "io.steerd.Plan", RIGHT_READ, false, method_plan },
	{ "io.steerd.Explain", RIGHT_READ, false, method_explain },
	{ "io.steerd.Status", RIGHT_READ, false, method_status },
	{ "io.steerd.Watch", RIGHT_READ, true, method_watch },
	{ "io.steerd.Apply", RIGHT_WRITE, false, method_apply },
	{ "io.steerd.Confirm", RIGHT_WRITE, false, method_confirm },
	{ "io.steerd.Revert", RIGHT_WRITE, false, method_revert },
	{ "io.steerd.Reload", RIGHT_WRITE, false, method_reload },
};

static bool is_interface(const char *name, size_t length)
{
	static const char *const interfaces[] = { "org.varlink.service", "io.steerd" };

	for (size_t i = 0; i < COUNT_OF(interfaces); i++)
		if (strlen(interfaces[i]) == length && strncmp(interfaces[i], name, length) == 0)
			return true;
	return false;
}

static void answer_unknown(const struct request *request)
{
	const char *name = request->call->method, *dot = strrchr(name, '.');
	size_t length = dot ? (size_t)(dot - name) : strlen(name);

	if (is_interface(name, length))
		answer_error(request, "org.varlink.service.MethodNotFound", json_pack("{s:s}", "method", name));
	else
		answer_error(request, "org.varlink.service.InterfaceNotFound",
			     json_pack("{s:o}", "interface", json_taken(text_format("%.*s", (int)length, name))));
}

static size_t unsent_of(const struct control *control, uid_t user)
{
	size_t sum = 0;

	for (size_t i = 0; i < control->n; i++)
		if (control->connections[i]->peer.user == user)
			sum += connection_unsent(control->connections[i]);
	return sum;
}

void methods_call(const struct request *request)
{
	const struct peer *peer = &request->connection->peer;
	const struct method *method = NULL;

	for (size_t i = 0; i < COUNT_OF(methods); i++)
		if (strcmp(methods[i].name, request->call->method) == 0)
			method = &methods[i];
	if (!method)
		answer_unknown(request);
	else if (peer->right < method->right)
		answer_error(request, "org.varlink.service.PermissionDenied", NULL);
	else if (method->streams && !request->call->more)
		answer_error(request, "org.varlink.service.ExpectedMore", NULL);
	else if (unsent_of(request->control, peer->user) > UNSENT_MOST)
		answer_error(request, "io.steerd.Busy", NULL);
	else
		method->run(request);
}
