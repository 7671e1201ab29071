/* Values of match keys: lists of patterns, each checked for what no device could ever be, and numbers to compare with.
 * Matches nothing itself. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "keys.h"

enum { NAME_MAX_LENGTH = 15 }; /* IFNAMSIZ - 1 */

/* Judges one pattern without its "!". 0, or -EINVAL with the problem set. */
typedef int judge(const char *glob, bool excludes, struct problem *problem);

static bool is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

static int judge_name(const char *glob, bool excludes, struct problem *problem)
{
	(void)excludes;
	if (!is_glob(glob) && strlen(glob) > NAME_MAX_LENGTH)
		return problem_set(problem, 1, "'%s' is longer than the %d characters of an interface name", glob,
				   NAME_MAX_LENGTH);
	if (strpbrk(glob, "/:"))
		return problem_set(problem, 1, "'%s': no interface name has a '/' or ':'", glob);
	return 0;
}

static int judge_kind(const char *word, bool excludes, struct problem *problem)
{
	const char *kinds[NIC_KINDS + 1];
	enum nic_kind kind;

	if (strcmp(word, "virtual") == 0)
		return 0;
	if (nic_kind_parse(word, &kind) == 0) {
		if (kind == NIC_LOOPBACK && !excludes)
			return problem_set(problem, 1, "the loopback device is never matched");
		return 0;
	}
	for (size_t i = 0; i < NIC_KINDS; i++)
		kinds[i] = nic_kind_name((enum nic_kind)i);
	kinds[NIC_KINDS] = "virtual";
	problem_set(problem, 1, "'%s' is no kind of device", word);
	return problem_near(problem, word, kinds, COUNT_OF(kinds));
}

static int judge_node(const char *word, bool excludes, struct problem *problem)
{
	uint32_t node;

	(void)excludes;
	if (strcmp(word, "none") == 0)
		return 0;
	if (text_u32(word, &node) < 0 || node > 1023)
		return problem_set(problem, 1, "takes numbers of nodes or none, not '%s'", word);
	return 0;
}

static int judge_mac(const char *glob, bool excludes, struct problem *problem)
{
	(void)excludes;
	if (strspn(glob, "0123456789abcdefABCDEF:*?[]!-") != strlen(glob) ||
	    (!is_glob(glob) && strlen(glob) != strlen("00:00:00:00:00:00")))
		return problem_set(problem, 1, "'%s' is no address like 00:1b:21:*", glob);
	return 0;
}

static int judge_pci_id(const char *glob, bool excludes, struct problem *problem)
{
	(void)excludes;
	if (strspn(glob, "0123456789abcdefABCDEF:*?[]!-") != strlen(glob) || !strchr(glob, ':') ||
	    (!is_glob(glob) && strlen(glob) != strlen("8086:1533")))
		return problem_set(problem, 1, "'%s' is no VENDOR:DEVICE like 8086:15*", glob);
	return 0;
}

/* A port of NXP's Frame Manager: by MAC, or by interface. */
static int judge_port(const char *word, bool excludes, struct problem *problem)
{
	uint32_t mac;

	if (excludes || is_glob(word))
		return problem_set(problem, 1, "'%s%s': ports are named one by one", excludes ? "!" : "", word);
	if (text_suffix_u32(word, "mac", &mac) == 0 && (mac < 1 || mac > 10))
		return problem_set(problem, 1, "'%s': MACs are numbered from 1 to 10", word);
	return judge_name(word, false, problem);
}

/* ---- patterns --------------------------------------------------------------------------------------------------- */

static int judge_pattern(const char *pattern, judge *judge_glob, struct problem *problem)
{
	bool excludes = *pattern == '!';
	const char *glob = pattern + excludes;

	if (!*glob)
		return problem_set(problem, 1, "'!' excludes what follows it without a blank");
	if (strchr(glob, ',')) {
		problem_set(problem, 1, "'%s' can't match", glob);
		problem->hint = alloc_string("patterns are separated by blanks, not commas");
		return -EINVAL;
	}
	return judge_glob ? judge_glob(glob, excludes, problem) : 0;
}

static int read_list(const char *value, struct origin at, void *field, judge *judge_glob, struct problem *problem)
{
	CLEANUP(strings_clear) struct strings globs = { 0 };

	strings_split(&globs, value, " \t");
	for (size_t i = 0; i < globs.n; i++) {
		if (judge_pattern(globs.items[i], judge_glob, problem) < 0) {
			problem->column = (unsigned)(strstr(value, globs.items[i]) - value) + 1;
			return -EINVAL;
		}
	}
	*(struct patterns *)field = (struct patterns){ .globs = globs, .at = at };
	globs = (struct strings){ 0 };
	return 0;
}

static bool patterns_present(const void *field)
{
	return ((const struct patterns *)field)->at.line > 0;
}

static char *patterns_text(const struct key *key, const void *field)
{
	(void)key;
	return strings_join(&((const struct patterns *)field)->globs, " ");
}

static void clear_patterns(void *field)
{
	strings_clear(&((struct patterns *)field)->globs);
}

#define PATTERNS_TYPE(name, judge_glob)                                                                                \
	static int read_##name(const struct key *key, const char *value, struct origin at, void *field,                \
			       struct problem *problem)                                                                \
	{                                                                                                              \
		(void)key;                                                                                             \
		return read_list(value, at, field, judge_glob, problem);                                               \
	}                                                                                                              \
	const struct key_type name##_type = { read_##name, patterns_present, patterns_text, clear_patterns }

PATTERNS_TYPE(patterns, NULL);
PATTERNS_TYPE(names, judge_name);
PATTERNS_TYPE(kinds, judge_kind);
PATTERNS_TYPE(nodes, judge_node);
PATTERNS_TYPE(macs, judge_mac);
PATTERNS_TYPE(pci_ids, judge_pci_id);
PATTERNS_TYPE(ports, judge_port);

/* ---- numbers to compare with ------------------------------------------------------------------------------------ */

static const struct {
	const char *sign;
	unsigned compare;
} signs[] = { /* a sign before those it begins with */
	      { ">=", CMP_GE }, { "<=", CMP_LE }, { "==", CMP_EQ }, { ">", CMP_GT }, { "<", CMP_LT }, { "=", CMP_EQ }
};

static int read_number_match(const struct key *key, const char *value, struct origin at, void *field,
			     struct problem *problem)
{
	struct number_match match = { .compare = CMP_EQ, .at = at };
	const char *number = value;

	for (size_t i = 0; i < COUNT_OF(signs) && number == value; i++) {
		if (text_starts(value, signs[i].sign)) {
			match.compare = signs[i].compare;
			number += strlen(signs[i].sign);
		}
	}
	number += strspn(number, " \t");
	if (text_u32(number, &match.number) < 0 || match.number < key->least || match.number > key->most)
		return value_refused(key, value, problem);
	if (match.compare == CMP_LT && match.number == key->least)
		return problem_set(problem, 1, "'%s' is never true", value);
	*(struct number_match *)field = match;
	return 0;
}

static bool number_match_present(const void *field)
{
	return ((const struct number_match *)field)->at.line > 0;
}

static char *number_match_text(const struct key *key, const void *field)
{
	static const char *const texts[] = {
		[CMP_EQ] = "", [CMP_LT] = "<", [CMP_LE] = "<=", [CMP_GT] = ">", [CMP_GE] = ">="
	};
	const struct number_match *match = field;

	(void)key;
	return text_format("%s%u", texts[match->compare], match->number);
}

static void clear_nothing(void *field)
{
	(void)field;
}

const struct key_type number_match_type = { read_number_match, number_match_present, number_match_text, clear_nothing };
