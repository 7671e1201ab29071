/* Decides the [sysctl] values of the host. Never touches a name outside net. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "draft.h"

/* "net.ipv4.conf.eth0/100.rp_filter" -> "/proc/sys/net/ipv4/conf/eth0.100/rp_filter": in a sysctl's name "." separates,
 * and a "/" stands for a "." inside a component (sysctl(8)). */
static char *sysctl_file(const char *name)
{
	char *path = text_format("/proc/sys/%s", name);

	for (char *p = path + strlen("/proc/sys/"); *p; p++)
		*p = *p == '.' ? '/' : *p == '/' ? '.' : *p;
	return path;
}

/* Values are words: the kernel separates them by tabs, people by blanks. */
static char *canonical(const char *value)
{
	CLEANUP(strings_clear) struct strings words = { 0 };

	strings_split(&words, value, " \t\n");
	return strings_join(&words, " ");
}

static void plan_name(struct draft *draft, const char *name, const struct wanted_sysctl *want)
{
	struct change change = { .setting = SETTING_SYSCTL, .origin = want->at };
	const char *value = machine_sysctl(draft->machine, name);
	bool asked = false;

	for (size_t i = 0; i < draft->machine->nsysctls; i++)
		asked |= strcmp(draft->machine->sysctls[i].name, name) == 0;
	change.path = alloc_string(name);
	change.from = value ? canonical(value) : NULL;
	change.to = canonical(want->value);
	change.target = sysctl_file(name);
	change.why = text_format("%s = %s", name, want->value);
	if (!value)
		change.skipped =
			text_format(asked ? "the kernel has no %s" : "the present value of %s is not known", name);
	draft_add(draft, NULL, change);
}

/* "net.ipv4.conf.*.rp_filter": the "*" is one whole component. Returns the length of what is before it, and sets *ret
 * to what is behind; -1: there is none. */
static int star(const char *name, const char **ret)
{
	const char *at = strstr(name, ".*.");

	if (!at)
		return -1;
	*ret = at + 2;
	return (int)(at + 1 - name);
}

static bool matches(const char *name, const char *pattern)
{
	const char *behind;
	int before = star(pattern, &behind);
	size_t length = strlen(name), tail;

	if (before < 0)
		return strcmp(name, pattern) == 0;
	tail = strlen(behind);
	return length > (size_t)before + tail && strncmp(name, pattern, (size_t)before) == 0 &&
	       strcmp(name + length - tail, behind) == 0 && !memchr(name + before, '.', length - tail - (size_t)before);
}

/* What one key asks for: the names that were read, and for a pattern of which none was, those it must have. */
static void names_of(const struct machine *machine, const char *pattern, struct strings *ret)
{
	const char *behind;
	int before = star(pattern, &behind);

	for (size_t i = 0; i < machine->nsysctls; i++)
		if (matches(machine->sysctls[i].name, pattern) && !strings_have(ret, machine->sysctls[i].name))
			strings_add(ret, machine->sysctls[i].name);
	if (ret->n)
		return;
	if (before < 0) {
		strings_add(ret, pattern);
		return;
	}
	strings_take(ret, text_format("%.*sall%s", before, pattern, behind));
	strings_take(ret, text_format("%.*sdefault%s", before, pattern, behind));
	for (size_t i = 0; i < machine->nnics; i++) {
		char *name = alloc_string(machine->nics[i].name);

		for (char *dot = strchr(name, '.'); dot; dot = strchr(dot, '.'))
			*dot = '/';
		strings_take(ret, text_format("%.*s%s%s", before, pattern, name, behind));
		free(name);
	}
}

/* A name that a key has for itself is not left to another key's pattern. */
static bool has_own_key(const struct policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->nsysctls; i++)
		if (strcmp(policy->sysctls[i].name, name) == 0)
			return true;
	return false;
}

void plan_sysctls(struct draft *draft)
{
	for (size_t i = 0; i < draft->policy->nsysctls; i++) {
		const struct wanted_sysctl *want = &draft->policy->sysctls[i];
		CLEANUP(strings_clear) struct strings names = { 0 };

		names_of(draft->machine, want->name, &names);
		for (size_t j = 0; j < names.n; j++)
			if (strcmp(names.items[j], want->name) == 0 || !has_own_key(draft->policy, names.items[j]))
				plan_name(draft, names.items[j], want);
	}
}
