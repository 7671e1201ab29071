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

static char *read_arch(struct host *host)
{
	char *arch = read_file(host, "proc/sys/kernel/arch"); /* since 6.1 */
	struct utsname name;

	if (!arch && host_is_live(host) && uname(&name) == 0)
		arch = alloc_string(name.machine);
	return arch;
}

void read_facts(struct host *host, struct machine *machine)
{
	CLEANUP(free_string) char *cmdline = read_file(host, "proc/cmdline");

	if (cmdline)
		strings_split(&machine->cmdline, cmdline, " \t\n");
	machine->kernel = read_file(host, "proc/sys/kernel/osrelease");
	machine->arch = read_arch(host);
	if (host_is_live(host))
		machine->hostname = read_file(host, "proc/sys/kernel/hostname");
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
