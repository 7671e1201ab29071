/* `steerctl explain IFACE`: which section matched and why the others did not, what each of its keys became, and for
 * each queue where it belongs and why. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "table.h"
#include "views.h"

/* ---- keys ------------------------------------------------------------------------------------------------------- */

/* Does a setting come from a key? channels, ring and xps have settings below them ("channels.combined", "xps.rxqs"). */
static bool comes_from(const struct change *change, const char *key)
{
	const char *name = setting_name(change->setting);
	size_t length = strlen(key);

	if (change->setting == SETTING_OFFLOAD)
		return text_equal(offload_key(change->index), key);
	if (strncmp(name, key, length) != 0)
		return false;
	return name[length] == '\0' ||
	       (name[length] == '.' && (strcmp(key, "channels") == 0 || strcmp(key, "xps") == 0));
}

struct tally { /* what became of a key */
	size_t same, todo, skipped;
	const struct change *one; /* the last one seen */
	unsigned line;
};

static struct tally tally_of(const struct view *view, const struct nic *nic, const char *key)
{
	struct tally tally = { 0 };

	for (size_t i = 0; view->plan && i < view->plan->nchanges; i++) {
		const struct change *change = &view->plan->changes[i];

		if (!text_equal(change->device, nic->name) || !comes_from(change, key))
			continue;
		tally.one = change;
		tally.line = change->origin.line;
		tally.same += change->state == CHANGE_SAME;
		tally.todo += change->state == CHANGE_TODO;
		tally.skipped += change->state == CHANGE_SKIPPED || change->state == CHANGE_DEFERRED;
	}
	return tally;
}

static char *tally_text(const struct tally *tally)
{
	size_t n = tally->same + tally->todo + tally->skipped;
	CLEANUP(strings_clear) struct strings parts = { 0 };

	if (n == 0)
		return alloc_string("nothing here that it applies to");
	if (n == 1 && tally->todo)
		return change_text(tally->one);
	if (n == 1 && tally->same) {
		CLEANUP(free_string) char *to = value_text(tally->one->setting, tally->one->to);

		return text_format("%s, as it is", to);
	}
	if (n == 1)
		return text_format("left alone: %s", tally->one->skipped ? tally->one->skipped : "no reason known");
	if (tally->same)
		strings_take(&parts, text_format("%zu as they are", tally->same));
	if (tally->todo)
		strings_take(&parts, text_format("%zu to change", tally->todo));
	if (tally->skipped)
		strings_take(&parts, text_format("%zu left alone", tally->skipped));
	return strings_join(&parts, ", ");
}

/* `cpus` sets nothing by itself: it is the set that the other keys use. */
static char *cpus_result(const struct view *view, const struct block *block)
{
	CLEANUP(cpuset_freep) cpuset *cpus = NULL;
	CLEANUP(free_string) char *why = NULL;
	CLEANUP(free_string) char *list = NULL;

	if (!block->section->cpus.expr)
		return alloc_string("none");
	cpuexpr_eval(block->section->cpus.expr, view->machine, block->nic, &cpus, &why);
	list = cpuset_list(cpus);
	return text_format("%s%s%s", *list ? list : "none", why && *why ? ": " : "", why ? why : "");
}

static void add_key(const struct view *view, const struct block *block, struct table *table, char *line)
{
	char *equals = strchr(line, '=');
	CLEANUP(free_string) char *result = NULL;
	CLEANUP(free_string) char *where = NULL;
	struct tally tally;
	char *key, *value;

	if (!equals)
		return;
	*equals = '\0';
	key = text_trim(line);
	value = text_trim(equals + 1);
	if (text_starts(key, "match.") || text_starts(key, "when."))
		return;
	tally = tally_of(view, block->nic, key);
	if (strcmp(key, "cpus") == 0) {
		result = cpus_result(view, block);
		tally.line = block->section->cpus.at.line;
	} else if (strcmp(key, "share") == 0) {
		tally.line = block->section->share.at.line;
	} else if (strcmp(key, "disruptive") == 0) {
		tally.line = block->section->disruptive.at.line;
	} else {
		result = tally_text(&tally);
	}
	if (tally.line)
		where = text_format("%u", tally.line);
	table_row(table, INK_PLAIN, (const char *[]){ where, key, value, result });
}

/* The keys of a section are taken from the canonical text of the policy, so that a new key is explained without a
 * change here. */
static void show_keys(const struct view *view, const struct block *block)
{
	static const struct column columns[] = {
		{ "line", COLUMN_RIGHT }, { "key", COLUMN_LEFT }, { "value", COLUMN_LEFT }, { "became", COLUMN_WRAP }
	};
	CLEANUP(table_freep) struct table *table = table_new(block->pen, columns, COUNT_OF(columns));
	CLEANUP(free_string) char *text = policy_text(view->policy);
	CLEANUP(free_string) char *heading = text_format("[nic %s]", block->section->name);
	CLEANUP(strings_clear) struct strings lines = { 0 };
	bool inside = false;

	strings_split(&lines, text, "\n");
	for (size_t i = 0; i < lines.n; i++) {
		char *line = lines.items[i];

		if (*line == '[')
			inside = text_equal(line, heading);
		else if (inside)
			add_key(view, block, table, line);
	}
	fprintf(block->pen->out, "\n  what the keys of [nic %s] became, %s:%u\n", block->section->name,
		block->section->at.file, block->section->at.line);
	table_print(table);
}

/* ---- queues ----------------------------------------------------------------------------------------------------- */

static const char *state_text(const struct change *change)
{
	switch (change->state) {
	case CHANGE_SAME: return "as it is";
	case CHANGE_TODO: return change->stage > 1 ? "forecast" : "to do";
	case CHANGE_SKIPPED: return "left alone";
	case CHANGE_DEFERRED: return "later";
	case CHANGE_DONE:
	case CHANGE_FAILED:
	case CHANGE_GONE: return change_state_name(change->state);
	}
	return "";
}

/* What the Frame Manager does holds for its ports. */
static bool concerns(const struct view *view, const struct change *change, const struct nic *nic)
{
	if (change->setting == SETTING_FMC)
		return fman_port_named(&view->machine->fman, nic->name) != NULL;
	return text_equal(change->device, nic->name);
}

static void show_placement(const struct view *view, const struct block *block)
{
	static const struct column columns[] = { { "setting", COLUMN_LEFT },
						 { "queue", COLUMN_LEFT },
						 { "value", COLUMN_LEFT },
						 { "state", COLUMN_LEFT },
						 { "why", COLUMN_WRAP } };
	CLEANUP(table_freep) struct table *table = table_new(block->pen, columns, COUNT_OF(columns));

	for (size_t i = 0; view->plan && i < view->plan->nchanges; i++) {
		const struct change *change = &view->plan->changes[i];
		CLEANUP(free_string) char *queue = NULL;
		CLEANUP(free_string) char *value = NULL;
		CLEANUP(free_string) char *why = NULL;

		if (!concerns(view, change, block->nic))
			continue;
		if (change->queue != QUEUE_NONE)
			queue = text_format("%s %u", queue_type_name(change->queue), change->index);
		else
			queue = change_queue(change);
		value = change->state == CHANGE_SAME ? value_text(change->setting, change->to) : change_text(change);
		why = text_format("%s%s%s", change->why ? change->why : "",
				  change->why && change->skipped ? "; but " : "",
				  change->skipped ? change->skipped : "");
		table_row(table, change->state == CHANGE_SAME ? INK_PLAIN : INK_WARNING,
			  (const char *[]){ setting_name(change->setting), queue, value, state_text(change), why });
	}
	fputc('\n', block->pen->out);
	table_print(table);
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

static void explain_device(const struct view *view, const struct pen *pen, const struct nic *nic)
{
	CLEANUP(block_clear) struct block block = block_make(view, pen, nic);
	CLEANUP(free_string) char *why = NULL;
	CLEANUP(strings_clear) struct strings lines = { 0 };

	policy_match(view->policy, view->machine, nic, &why);
	pen_put(pen, INK_STRONG, nic->name);
	if (block.section)
		fprintf(pen->out, ": section [nic %s] of policy %s\n", block.section->name, view->policy->name);
	else
		fprintf(pen->out, ": no section of policy %s matches, so nothing of it is ever changed\n",
			view->policy->name);
	strings_split(&lines, why ? why : "", "\n");
	for (size_t i = 0; i < lines.n; i++) {
		fputs("  ", pen->out);
		pen_wrap(pen, INK_PLAIN, lines.items[i], 2);
	}
	if (!block.section)
		return;
	show_keys(view, &block);
	show_placement(view, &block);
}

void show_explain(FILE *out, const struct view *view)
{
	struct pen pen = view_pen(out, view);
	bool first = true;

	for (size_t i = 0; i < view->machine->nnics; i++) {
		if (!view_has(view, view->machine->nics[i].name))
			continue;
		if (!first)
			fputc('\n', out);
		first = false;
		explain_device(view, &pen, &view->machine->nics[i]);
	}
}
