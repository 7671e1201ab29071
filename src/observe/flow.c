/* Reads whether flows are offloaded: the kernel's flowtables, and where it does not tell, the firewall configuration of
 * OpenWrt. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/net.h>

#include "private.h"

#define CONFIGURATION "etc/config/firewall"

/* The words of a line of UCI: config TYPE ['NAME'], option NAME 'VALUE'. */
static char *word(char **rest)
{
	char *start = *rest + strspn(*rest, " \t"), *end;
	const char *ends = *start == '\'' ? "'" : *start == '"' ? "\"" : " \t";

	start += *ends != ' ';
	end = start + strcspn(start, ends);
	*rest = *end ? end + 1 : end;
	*end = 0;
	return start;
}

static bool is_on(const char *value)
{
	return text_equal(value, "1") || text_equal(value, "on") || text_equal(value, "true") ||
	       text_equal(value, "yes") || text_equal(value, "enabled");
}

/* Hardware offloading is an addition to software offloading there, and means nothing without it. */
enum flow_offload firewall_offload(const char *text)
{
	CLEANUP(free_string) char *copy = alloc_string(text);
	bool defaults = false, software = false, hardware = false;
	char *save = NULL;

	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *what = word(&line), *name = word(&line), *value = word(&line);

		if (text_equal(what, "config"))
			defaults = text_equal(name, "defaults");
		else if (defaults && text_equal(what, "option") && text_equal(name, "flow_offloading"))
			software = is_on(value);
		else if (defaults && text_equal(what, "option") && text_equal(name, "flow_offloading_hw"))
			hardware = is_on(value);
	}
	if (!software)
		return FLOW_OFFLOAD_OFF;
	return hardware ? FLOW_OFFLOAD_HARDWARE : FLOW_OFFLOAD_SOFTWARE;
}

void read_flows(struct host *host, struct machine *machine, struct notes *notes)
{
	CLEANUP(free_string) char *text = NULL;
	int r = net_flowtables(host, &machine->flows);

	machine->flows.asked = true;
	if (r == 0)
		return;
	if (r == -EBADMSG)
		notes_add(notes, NOTE_WARNING, NULL, "flowtables.json is not a list of flowtables: it is not used");
	if (host_read(host, CONFIGURATION, &text) == 0)
		machine->flows.configured = firewall_offload(text);
	else if (r == -EOPNOTSUPP) /* no nf_tables, no flowtables */
		machine->flows.known = true;
}
