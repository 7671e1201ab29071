/* Makes a policy of sections and keys, by the table of keys; refuses each that is wrong and goes on, so that one run
 * shows all errors. Never asks what machine it is for. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "keys.h"
#include "policy_parts.h"
#include "policy_reader.h"

/* ---- life ------------------------------------------------------------------------------------------------------- */

static void clear_fields(const char *section, void *base)
{
	const struct key *keys;
	size_t n = policy_keys(&keys);

	for (size_t i = 0; i < n; i++)
		if (keys[i].type && strcmp(keys[i].section, section) == 0)
			keys[i].type->clear((char *)base + keys[i].offset);
}

void policy_free(struct policy *policy)
{
	if (!policy)
		return;
	clear_fields("policy", policy);
	clear_fields("fmc", policy);
	clear_fields("daemon", policy);
	for (size_t i = 0; i < policy->nsections; i++) {
		clear_fields("nic", &policy->sections[i]);
		free(policy->sections[i].name);
	}
	for (size_t i = 0; i < policy->nsysctls; i++) {
		free(policy->sysctls[i].name);
		free(policy->sysctls[i].value);
	}
	free(policy->sections);
	free(policy->sysctls);
	strings_clear(&policy->files);
	free(policy->name);
	free(policy);
}

void policy_freep(struct policy **policy)
{
	policy_free(*policy);
	*policy = NULL;
}

void parse_begin(struct parse *parse, struct policy *policy, struct notes *notes)
{
	*parse = (struct parse){ .policy = policy, .notes = notes };
	parse->nkeys = policy_keys(&parse->keys);
	parse->seen = alloc_zero(parse->nkeys, sizeof *parse->seen);
}

void parse_clear(struct parse *parse)
{
	free(parse->seen);
	*parse = (struct parse){ 0 };
}

/* ---- notes ------------------------------------------------------------------------------------------------------ */

static void complain(struct parse *parse, const struct spot *spot, unsigned column, const char *subject,
		     struct problem *problem)
{
	struct note *note = notes_add(parse->notes, NOTE_ERROR, subject, "%s", problem->text);

	note->hint = TAKE(problem->hint);
	note->file = alloc_string(spot->at.file);
	note->line = spot->at.line;
	note->column = column;
}

/* "line 4", or "other.ini:4" */
static char *place_of(const struct origin *first, const struct spot *now)
{
	if (strcmp(first->file, now->at.file) == 0)
		return text_format("line %u", first->line);
	return text_format("%s:%u", first->file, first->line);
}

/* ---- sections --------------------------------------------------------------------------------------------------- */

static const struct origin *section_before(const struct parse *parse, const char *kind, const char *name)
{
	if (strcmp(kind, "policy") == 0)
		return &parse->policy_at;
	if (strcmp(kind, "sysctl") == 0)
		return &parse->sysctl_at;
	if (strcmp(kind, "fmc") == 0)
		return &parse->fmc_at;
	if (strcmp(kind, "daemon") == 0)
		return &parse->daemon_at;
	for (size_t i = 0; i < parse->policy->nsections; i++)
		if (strcmp(parse->policy->sections[i].name, name) == 0)
			return &parse->policy->sections[i].at;
	return NULL;
}

static bool section_refused(struct parse *parse, const struct spot *spot, const char *kind, const char *name)
{
	CLEANUP(problem_clear) struct problem problem = { 0 };
	const struct origin *before;

	if (!section_known(kind)) {
		section_explain(kind, &problem);
		complain(parse, spot, spot->name_column, NULL, &problem);
		return true;
	}
	before = section_before(parse, kind, name);
	if (strcmp(kind, "nic") == 0 && !*name) {
		problem_set(&problem, 0, "a [nic] section needs a name, such as [nic uplinks]");
	} else if (strcmp(kind, "nic") != 0 && *name) {
		problem_set(&problem, 0, "[%s] has no name", kind);
	} else if (before && before->line) {
		CLEANUP(free_string) char *place = place_of(before, spot);

		problem_set(&problem, 0, "[%s%s%s] is a second time here, first in %s", kind, *name ? " " : "", name,
			    place);
	}
	if (problem.text)
		complain(parse, spot, spot->name_column, NULL, &problem);
	return false;
}

/* Even a refused section is filled, so that the errors within it are told in the same run. */
static void on_section(void *user, const struct spot *spot, const char *kind, const char *name)
{
	struct parse *parse = user;
	struct policy *policy = parse->policy;

	parse->kind = NULL;
	memset(parse->seen, 0, parse->nkeys * sizeof *parse->seen);
	if (!kind || section_refused(parse, spot, kind, name))
		return;
	if (strcmp(kind, "policy") == 0) {
		parse->kind = "policy";
		parse->policy_at = parse->policy_at.line ? parse->policy_at : spot->at;
	} else if (strcmp(kind, "sysctl") == 0) {
		parse->kind = "sysctl";
		parse->sysctl_at = parse->sysctl_at.line ? parse->sysctl_at : spot->at;
	} else if (strcmp(kind, "fmc") == 0) {
		parse->kind = "fmc";
		policy->fmc.at = spot->at;
		parse->fmc_at = parse->fmc_at.line ? parse->fmc_at : spot->at;
	} else if (strcmp(kind, "daemon") == 0) {
		parse->kind = "daemon";
		parse->daemon_at = parse->daemon_at.line ? parse->daemon_at : spot->at;
	} else {
		parse->kind = "nic";
		policy->sections = alloc_more(policy->sections, policy->nsections, sizeof *policy->sections);
		policy->sections[policy->nsections++] = (struct section){ .name = alloc_string(name), .at = spot->at };
	}
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

/* Where the present section has the key already; NULL: nowhere. Remembers it. */
static const struct origin *key_before(struct parse *parse, const struct spot *spot, const struct key *key,
				       const char *name)
{
	struct origin *seen = &parse->seen[key - parse->keys];

	if (!key->type) {
		for (size_t i = 0; i < parse->policy->nsysctls; i++)
			if (strcmp(parse->policy->sysctls[i].name, name) == 0)
				return &parse->policy->sysctls[i].at;
		return NULL;
	}
	if (seen->line)
		return seen;
	*seen = spot->at;
	return NULL;
}

/* A "#" behind a blank is a comment in other files, and part of the value here. */
static const char *hash_comment(const struct key *key, const char *value)
{
	for (const char *at = value; (at = strchr(at, '#')); at++)
		if (at > value && isblank((unsigned char)at[-1]))
			return strcmp(key->name, "description") == 0 ? NULL : at;
	return NULL;
}

static int read_value(struct parse *parse, const struct spot *spot, const struct key *key, const char *name,
		      const char *value, struct problem *problem)
{
	struct policy *policy = parse->policy;
	const char *hash = hash_comment(key, value);
	char *field = (char *)policy;

	if (!*value || *value == ';') { /* inih finds no comment without a blank before it */
		problem_set(problem, 0, "has no value");
		problem->hint = text_format("it takes %s; without the line the setting is left alone", key->values);
		return -EINVAL;
	}
	if (hash) {
		problem_set(problem, (unsigned)(hash - value) + 1, "'#' begins no comment behind a value");
		problem->hint = alloc_string("write ' ;'");
		return -EINVAL;
	}
	if (!key->type)
		return sysctl_add(policy, name, value, spot->at, problem);
	if (strcmp(key->section, "nic") == 0)
		field = (char *)&policy->sections[policy->nsections - 1];
	return key->type->read(key, value, spot->at, field + key->offset, problem);
}

static void on_key(void *user, const struct spot *spot, const char *name, const char *value)
{
	CLEANUP(problem_clear) struct problem problem = { 0 };
	struct parse *parse = user;
	const struct key *key;
	const struct origin *before;

	if (!parse->kind)
		return;
	key = key_find(parse->kind, name);
	if (!key) {
		key_explain(parse->kind, name, &problem);
		complain(parse, spot, spot->name_column, NULL, &problem);
		return;
	}
	before = key_before(parse, spot, key, name);
	if (before) {
		CLEANUP(free_string) char *place = place_of(before, spot);

		problem_set(&problem, 0, "is a second time here, first in %s", place);
		complain(parse, spot, spot->name_column, name, &problem);
		return;
	}
	if (read_value(parse, spot, key, name, value, &problem) < 0)
		complain(parse, spot, problem.column ? spot->value_column + problem.column - 1 : spot->name_column,
			 name, &problem);
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

void parse_text(struct parse *parse, const char *name, const char *text, size_t length)
{
	struct listener listener = { .section = on_section, .key = on_key, .user = parse };
	struct strings *files = &parse->policy->files;

	strings_add(files, name);
	parse->kind = NULL;
	policy_read(files->items[files->n - 1], text, length, &listener, parse->notes);
}

int policy_finish(struct policy **policy, struct notes *found, struct policy **ret, struct notes *notes)
{
	bool failed;

	policy_check_errors(*policy, found);
	failed = notes_have(found, NOTE_ERROR);
	if (!failed)
		policy_check_warnings(*policy, found);
	notes_move(notes, found);
	if (failed)
		return -EINVAL;
	*ret = TAKE(*policy);
	return 0;
}

int policy_parse(const char *name, const char *text, struct policy **ret, struct notes *notes)
{
	CLEANUP(policy_freep) struct policy *policy = alloc_zero(1, sizeof *policy);
	CLEANUP(notes_clear) struct notes own = { 0 };
	CLEANUP(parse_clear) struct parse parse = { 0 };

	parse_begin(&parse, policy, &own);
	policy->name = alloc_string(name);
	parse_text(&parse, name, text, strlen(text));
	return policy_finish(&policy, &own, ret, notes);
}

int policy_builtin(struct policy **ret)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };

	return policy_parse("auto (built in)", policy_builtin_text(), ret, &notes);
}
