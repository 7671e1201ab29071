/* What the views share: which devices are shown, and the words for what the plan wants of them. Prints nothing. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "views.h"

struct pen view_pen(FILE *out, const struct view *view)
{
	return (struct pen){ .out = out, .colour = view->colour, .width = view->width };
}

bool view_has(const struct view *view, const char *device)
{
	if (!view->devices || view->devices->n == 0)
		return true;
	return device && strings_have(view->devices, device);
}

struct block block_make(const struct view *view, const struct pen *pen, const struct nic *nic)
{
	struct block block = { .view = view, .pen = pen, .nic = nic };

	if (view->policy)
		block.section = policy_match(view->policy, view->machine, nic, NULL);
	block.nrows = rows_make(nic, &block.rows);
	return block;
}

void block_clear(struct block *block)
{
	free(block->rows);
	block->rows = NULL;
}

const char *change_subject(const struct change *change)
{
	return change->setting == SETTING_SYSCTL && change->path ? change->path : setting_name(change->setting);
}

static bool holds_cpus(enum setting setting)
{
	return setting == SETTING_IRQ || setting == SETTING_IRQ_CONTROL || setting == SETTING_RPS ||
	       setting == SETTING_XPS;
}

char *value_text(enum setting setting, const char *value)
{
	if (!value)
		return alloc_string("?");
	if (*value == '\0')
		return alloc_string("off");
	if (!holds_cpus(setting))
		return alloc_string(value);
	return text_format("%s %s", strpbrk(value, ",-") ? "CPUs" : "CPU", value);
}

char *change_text(const struct change *change)
{
	CLEANUP(free_string) char *from = value_text(change->setting, change->from);
	CLEANUP(free_string) char *to = value_text(change->setting, change->to);

	if (!change->from)
		return change->to ? text_format("-> %s", to) : NULL;
	return text_format("%s -> %s", from, to);
}

char *wanted_text(const struct plan *plan, const char *device, enum setting setting, bool tx)
{
	CLEANUP(free_string) char *to = NULL;
	const struct change *first = NULL;
	bool alike = true;
	size_t n = 0;

	for (size_t i = 0; plan && i < plan->nchanges; i++) {
		const struct change *change = &plan->changes[i];

		if (change->state != CHANGE_TODO || change->setting != setting || !text_equal(change->device, device) ||
		    (setting == SETTING_IRQ && (change->queue == QUEUE_TX) != tx))
			continue;
		if (!first)
			first = change;
		alike = alike && text_equal(first->to, change->to);
		n++;
	}
	if (n == 0)
		return NULL;
	if (!alike)
		return text_format("%zu to change", n);
	to = value_text(setting, first->to);
	return text_format("want %s", to);
}

size_t todo_of(const struct plan *plan, const char *device)
{
	size_t n = 0;

	for (size_t i = 0; plan && i < plan->nchanges; i++)
		n += plan->changes[i].state == CHANGE_TODO && text_equal(plan->changes[i].device, device);
	return n;
}
