/* The commands that steerctl also knows alone, done by the daemon: it prints what comes back. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "remote.h"

/* Devices and, unless a document is wanted, how the text is to be. */
static json_t *parameters_for(const struct cli *cli, const struct strings *devices)
{
	json_t *parameters = json_or_end(json_object());

	if (devices && devices->n)
		json_member(parameters, "devices", json_names(devices));
	if (!(cli->given & OPTION_JSON))
		json_member(parameters, "render",
			    json_pack("{s:i, s:b}", "width", (int)cli_width(), "colour", cli_colour()));
	return parameters;
}

static void print(const struct cli *cli, json_t *document)
{
	const char *text = json_string_value(json_object_get(document, "text"));

	if (cli->given & OPTION_JSON)
		json_print(stdout, json_incref(document));
	else if (text)
		fputs(text, stdout);
}

static int look(const struct cli *cli, struct remote *remote, const char *method, const struct strings *devices)
{
	CLEANUP(reply_clear) struct reply reply = { 0 };
	int status = remote_call(remote, method, parameters_for(cli, devices), false, &reply);
	bool drift;

	if (status != DONE)
		return status;
	drift = json_is_true(json_object_get(reply.parameters, "drift"));
	json_object_del(reply.parameters, "drift");
	print(cli, reply.parameters);
	return (cli->given & OPTION_EXIT_CODE) && drift ? DRIFT : DONE;
}

int remote_show(const struct cli *cli, struct remote *remote, const struct strings *devices)
{
	return look(cli, remote, "io.steerd.Show", devices);
}

int remote_plan(const struct cli *cli, struct remote *remote, const struct strings *devices)
{
	return look(cli, remote, "io.steerd.Plan", devices);
}

int remote_explain(const struct cli *cli, struct remote *remote, const struct strings *devices)
{
	CLEANUP(reply_clear) struct reply reply = { 0 };
	json_t *parameters = parameters_for(cli, NULL);
	int status;

	json_member(parameters, "device", json_text(devices->items[0]));
	status = remote_call(remote, "io.steerd.Explain", parameters, false, &reply);
	if (status == DONE)
		print(cli, reply.parameters);
	return status;
}

/* Takes the parameters over. confirm: in how many seconds it goes back, 0: it does not. */
static int change(const struct cli *cli, struct remote *remote, const char *method, json_t *parameters,
		  unsigned confirm)
{
	CLEANUP(reply_clear) struct reply reply = { 0 };
	int status = remote_call(remote, method, parameters, false, &reply);
	json_t *report = json_object_get(reply.parameters, "report");

	if (status != DONE)
		return status;
	print(cli, report);
	if (confirm)
		fprintf(stderr, "steerctl: this goes back in %u s unless `steerctl confirm` follows\n", confirm);
	return json_is_true(json_object_get(report, "failed")) || json_is_true(json_object_get(report, "refused"))
		       ? FAILED
		       : DONE;
}

int remote_apply(const struct cli *cli, struct remote *remote, unsigned confirm)
{
	json_t *parameters = parameters_for(cli, NULL);

	if (confirm)
		json_member(parameters, "confirm", json_integer(confirm));
	return change(cli, remote, "io.steerd.Apply", parameters, confirm);
}

int remote_revert(const struct cli *cli, struct remote *remote, const struct strings *devices)
{
	return change(cli, remote, "io.steerd.Revert", parameters_for(cli, devices), 0);
}
