/* Values of the host sections, [policy] and [sysctl]; their field is the policy itself. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "keys.h"

/* ---- description ------------------------------------------------------------------------------------------------ */

static int read_description(const struct key *key, const char *value, struct origin at, void *field,
			    struct problem *problem)
{
	struct policy *policy = field;

	(void)key;
	(void)at;
	(void)problem;
	free_string(&policy->description);
	policy->description = alloc_string(value);
	return 0;
}

static bool description_present(const void *field)
{
	return ((const struct policy *)field)->description != NULL;
}

static char *description_text(const struct key *key, const void *field)
{
	(void)key;
	return alloc_string(((const struct policy *)field)->description);
}

static void clear_description(void *field)
{
	free_string(&((struct policy *)field)->description);
}

const struct key_type description_type = { read_description, description_present, description_text, clear_description };

/* ---- require.cmdline -------------------------------------------------------------------------------------------- */

static int read_cmdline(const struct key *key, const char *value, struct origin at, void *field,
			struct problem *problem)
{
	struct policy *policy = field;

	(void)key;
	(void)problem;
	strings_clear(&policy->require_cmdline);
	strings_split(&policy->require_cmdline, value, " \t");
	policy->require_at = at;
	return 0;
}

static bool cmdline_present(const void *field)
{
	return ((const struct policy *)field)->require_at.line > 0;
}

static char *cmdline_text(const struct key *key, const void *field)
{
	(void)key;
	return strings_join(&((const struct policy *)field)->require_cmdline, " ");
}

static void clear_cmdline(void *field)
{
	strings_clear(&((struct policy *)field)->require_cmdline);
}

const struct key_type cmdline_type = { read_cmdline, cmdline_present, cmdline_text, clear_cmdline };

/* ---- on-unmet --------------------------------------------------------------------------------------------------- */

static int read_unmet(const struct key *key, const char *value, struct origin at, void *field, struct problem *problem)
{
	const struct word *word = word_find(key->words, value);

	(void)at;
	if (!word)
		return value_refused(key, value, problem);
	((struct policy *)field)->refuse_unmet = word->value;
	return 0;
}

static bool unmet_present(const void *field)
{
	return ((const struct policy *)field)->refuse_unmet; /* warn is what its absence means */
}

static char *unmet_text(const struct key *key, const void *field)
{
	return alloc_string(word_of(key->words, ((const struct policy *)field)->refuse_unmet));
}

static void clear_unmet(void *field)
{
	((struct policy *)field)->refuse_unmet = false;
}

const struct key_type unmet_type = { read_unmet, unmet_present, unmet_text, clear_unmet };

/* ---- [sysctl] --------------------------------------------------------------------------------------------------- */

/* A component is "*" or plain, with "/" for a "." in it (sysctl(8)): what would leave net/ by a file name is no name.
 */
static int judge_sysctl(const char *name, struct problem *problem)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/";
	CLEANUP(strings_clear) struct strings parts = { 0 };
	size_t length = strlen(name), stars = 0;

	if (!text_starts(name, "net."))
		return problem_set(problem, 0, "is not under net., and steerd sets nothing else");
	if (strstr(name, "..") || name[length - 1] == '.')
		return problem_set(problem, 0, "has an empty component");
	strings_split(&parts, name, ".");
	for (size_t i = 0; i < parts.n; i++) {
		const char *part = parts.items[i];
		bool star = strcmp(part, "*") == 0, dots = part[strspn(part, "/")] == '\0';

		stars += star;
		if (dots || (!star && part[strspn(part, plain)]))
			return problem_set(problem, 0, "'%s' is neither a plain name nor '*'", part);
	}
	return stars > 1 ? problem_set(problem, 0, "has more than one '*'") : 0;
}

int sysctl_add(struct policy *policy, const char *name, const char *value, struct origin at, struct problem *problem)
{
	struct wanted_sysctl *sysctl;

	if (judge_sysctl(name, problem) < 0)
		return -EINVAL;
	policy->sysctls = alloc_more(policy->sysctls, policy->nsysctls, sizeof *policy->sysctls);
	sysctl = &policy->sysctls[policy->nsysctls++];
	*sysctl = (struct wanted_sysctl){ .name = alloc_string(name), .value = alloc_string(value), .at = at };
	return 0;
}
