/* Prints a policy in canonical form: sections and keys in the order of the table, each value in its shortest spelling.
 * Reading it again gives the same policy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "keys.h"

enum { LINE_MAX_LENGTH = 199 }; /* what inih takes */

static void print_line(FILE *out, const char *name, const char *value)
{
	bool tight = strlen(name) + strlen(value) + strlen(" = ") > LINE_MAX_LENGTH;

	fprintf(out, tight ? "%s=%s\n" : "%s = %s\n", name, value);
}

/* A section with its keys; without any, only one that has a name is printed, for it shields devices from later ones. */
static void print_section(FILE *out, const char *kind, const char *name, const void *base)
{
	const struct key *keys;
	size_t n = policy_keys(&keys);
	bool begun = false;

	for (size_t i = 0; i < n; i++) {
		const void *field = (const char *)base + keys[i].offset;
		CLEANUP(free_string) char *value = NULL;

		if (strcmp(keys[i].section, kind) != 0 || !keys[i].type->present(field))
			continue;
		if (!begun)
			fprintf(out, "%s[%s%s%s]\n", ftell(out) ? "\n" : "", kind, *name ? " " : "", name);
		begun = true;
		value = keys[i].type->text(&keys[i], field);
		print_line(out, keys[i].name, value);
	}
	if (!begun && *name)
		fprintf(out, "%s[%s %s]\n", ftell(out) ? "\n" : "", kind, name);
}

static void print_sysctls(FILE *out, const struct policy *policy)
{
	if (policy->nsysctls)
		fprintf(out, "%s[sysctl]\n", ftell(out) ? "\n" : "");
	for (size_t i = 0; i < policy->nsysctls; i++)
		print_line(out, policy->sysctls[i].name, policy->sysctls[i].value);
}

char *policy_text(const struct policy *policy)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	print_section(out, "policy", "", policy);
	for (size_t i = 0; i < policy->nsections; i++)
		print_section(out, "nic", policy->sections[i].name, &policy->sections[i]);
	print_sysctls(out, policy);
	print_section(out, "fmc", "", policy);
	print_section(out, "daemon", "", policy);
	if (fclose(out))
		abort();
	return text;
}
