/* Reads what policies ask of the host: name, kernel, command line, sysctls, and whether irqbalance runs. */
#include "private.h"

#include <string.h>
#include <sys/utsname.h>

#include <steer/cleanup.h>

static char *read_file(struct host *host, const char *path)
{
	char *text = NULL;

	return host_read(host, path, &text) < 0 ? NULL : text;
}

/* ---- irqbalance ------------------------------------------------------------------------------------------------ */

/* "irqbalance812.sock" is its control socket while process 812 is irqbalance; it may outlive the process. */
static bool is_running(struct host *host, const char *socket)
{
	CLEANUP(free_string) char *path = NULL, *comm = NULL;
	size_t digits;

	if (!text_starts(socket, "irqbalance"))
		return false;
	socket += strlen("irqbalance");
	digits = strspn(socket, "0123456789");
	if (!text_equal(socket + digits, ".sock"))
		return false;
	if (!host_is_live(host))
		return true;
	path = text_format("proc/%.*s/comm", (int)digits, socket);
	comm = read_file(host, path);
	return text_equal(comm, "irqbalance");
}

/* A capture without the directory says nothing about it. */
static const char *irqbalance_state(struct host *host)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	if (host_list(host, "run/irqbalance", &names) < 0)
		return host_is_live(host) ? "inactive" : NULL;
	for (size_t i = 0; i < names.n; i++)
		if (is_running(host, names.items[i]))
			return "active";
	return "inactive";
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

/* Of this machine one call tells all three; a capture has no host name. */
static void read_names(struct host *host, struct machine *machine)
{
	struct utsname name;

	if (host_is_live(host) && uname(&name) == 0) {
		machine->hostname = alloc_string(name.nodename);
		machine->kernel = alloc_string(name.release);
		machine->arch = alloc_string(name.machine);
	} else {
		machine->kernel = read_file(host, "proc/sys/kernel/osrelease");
		machine->arch = read_file(host, "proc/sys/kernel/arch");
	}
}

/* What stands behind "--" is for init. */
static void read_cmdline(struct host *host, struct strings *ret)
{
	CLEANUP(free_string) char *text = read_file(host, "proc/cmdline");
	char *end = text ? strstr(text, " -- ") : NULL;

	if (end)
		*end = 0;
	if (text)
		strings_split(ret, text, " \t\n");
}

void read_facts(struct host *host, struct machine *machine)
{
	read_names(host, machine);
	read_cmdline(host, &machine->cmdline);
	machine->irqbalance = alloc_string(irqbalance_state(host));
}

/* ---- sysctls --------------------------------------------------------------------------------------------------- */

/* In a name "." separates, and "/" stands for a "." inside a component (sysctl(8)); in a path it is the other way
 * round. */
static void swap_separators(char *text)
{
	for (; *text; text++)
		*text = *text == '.' ? '/' : *text == '/' ? '.' : *text;
}

static void add_sysctl(struct host *host, const char *name, struct machine *machine)
{
	CLEANUP(free_string) char *file = alloc_string(name), *path = NULL;

	swap_separators(file);
	path = text_format("proc/sys/%s", file);
	machine->sysctls = alloc_more(machine->sysctls, machine->nsysctls, sizeof *machine->sysctls);
	machine->sysctls[machine->nsysctls++] =
		(struct sysctl){ .name = alloc_string(name), .value = read_file(host, path) };
}

/* "net.ipv4.conf.*.rp_filter": one for each directory there is. */
static void add_pattern(struct host *host, const char *pattern, const char *star, struct machine *machine)
{
	CLEANUP(free_string) char *before = text_format("%.*s", (int)(star - pattern), pattern), *path = NULL;
	CLEANUP(strings_clear) struct strings names = { 0 };

	swap_separators(before);
	path = text_format("proc/sys/%s", before);
	host_list(host, path, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *name = NULL;

		swap_separators(names.items[i]);
		name = text_format("%.*s.%s%s", (int)(star - pattern), pattern, names.items[i], star + strlen(".*"));
		add_sysctl(host, name, machine);
	}
}

void read_sysctls(struct host *host, const struct strings *names, struct machine *machine)
{
	for (size_t i = 0; names && i < names->n; i++) {
		const char *star = strstr(names->items[i], ".*.");

		if (star)
			add_pattern(host, names->items[i], star, machine);
		else
			add_sysctl(host, names->items[i], machine);
	}
}
