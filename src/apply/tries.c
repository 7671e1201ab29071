/* Remembers what was tried in one run and decides when to give up. Pure. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "tries.h"
#include "value.h"

void tries_clear(struct tries *tries)
{
	for (size_t i = 0; i < tries->n; i++)
		change_clear(&tries->items[i].change);
	free(tries->items);
	*tries = (struct tries){ 0 };
}

static bool same_target(const struct change *a, const struct change *b)
{
	if (a->setting != b->setting || a->queue != b->queue || a->index != b->index)
		return false;
	if (!text_equal(a->device, b->device) || !text_equal(a->path, b->path))
		return false;
	if (setting_is_irq(a->setting) && a->queue == QUEUE_NONE)
		return a->irq.value == b->irq.value;
	return a->setting != SETTING_SYSCTL || text_equal(a->target, b->target);
}

static struct tried *find_value(const struct tries *tries, const struct change *change)
{
	for (size_t i = tries->n; i-- > 0;)
		if (same_target(&tries->items[i].change, change) && text_equal(tries->items[i].change.to, change->to))
			return &tries->items[i];
	return NULL;
}

static struct tried *find_target(const struct tries *tries, const struct change *change)
{
	for (size_t i = tries->n; i-- > 0;)
		if (same_target(&tries->items[i].change, change))
			return &tries->items[i];
	return NULL;
}

struct tried *tries_add(struct tries *tries, const struct change *change)
{
	struct tried *tried = find_value(tries, change);

	if (!tried) {
		tries->items = alloc_more(tries->items, tries->n, sizeof *tries->items);
		tried = &tries->items[tries->n++];
		change_copy(&tried->change, change);
	}
	free_string(&tried->change.skipped);
	tried->change.error = 0;
	tried->times++;
	return tried;
}

bool tries_kept(const struct tries *tries, const struct change *change)
{
	const struct tried *tried = find_value(tries, change);

	return tried && tried->kept;
}

/* ---- judging ---------------------------------------------------------------------------------------------------- */

static void become(struct change *change, const struct tried *tried)
{
	free_string(&change->skipped);
	change->state = tried->change.state;
	change->skipped = alloc_string(tried->change.skipped);
	change->error = tried->change.error;
}

static void give_up(struct tried *tried, const char *now)
{
	if (!now)
		now = "unknown";
	tried->change.state = CHANGE_FAILED;
	tried->final = true;
	free_string(&tried->change.skipped);
	if (!tried->kept)
		tried->change.skipped =
			text_format("taken without an error, but the driver or the kernel made it %s", now);
	else
		tried->change.skipped = text_format("set %u times and undone each time, it is %s now: the driver, the "
						    "other end of the link or another program makes it so",
						    tried->times, now);
}

/* True: given up just now. */
static bool judge(struct tried *tried, struct change *change)
{
	bool undone = tried->change.state == CHANGE_DONE && (!tried->kept || tried->times >= TRIES_MOST);

	if (!tried->final && undone) {
		give_up(tried, change->from);
		become(change, tried);
		return true;
	}
	if (tried->final)
		become(change, tried);
	return false;
}

bool tries_judge(struct tries *tries, struct plan *plan)
{
	bool given_up = false;

	for (size_t i = 0; i < plan->nchanges; i++) {
		struct change *change = &plan->changes[i];
		struct tried *tried = NULL;

		if (change->state == CHANGE_TODO && change->stage == 1)
			tried = find_value(tries, change);
		if (tried && judge(tried, change))
			given_up = true;
	}
	return given_up;
}

void tries_attempts(const struct tries *tries, struct attempts *ret)
{
	*ret = (struct attempts){ 0 };
	for (size_t i = 0; i < tries->n; i++) {
		if (!tries->items[i].final)
			continue;
		ret->items = alloc_more(ret->items, ret->n, sizeof *ret->items);
		ret->items[ret->n++] = tries->items[i].change;
	}
}

/* ---- the report ------------------------------------------------------------------------------------------------- */

static void become_done(struct change *change, const struct tried *tried)
{
	become(change, tried);
	free_string(&change->from);
	change->from = alloc_string(tried->change.from);
}

void tries_merge(const struct tries *tries, struct plan *plan)
{
	size_t planned = plan->nchanges;

	for (size_t i = 0; i < planned; i++) {
		struct change *change = &plan->changes[i];
		const struct tried *tried = find_target(tries, change);

		if (tried && tried->change.state == CHANGE_DONE && change->state == CHANGE_SAME)
			become_done(change, tried);
	}
	for (size_t i = 0; i < tries->n; i++) {
		const struct change *change = &tries->items[i].change;
		bool listed = find_target(tries, change) != &tries->items[i];

		for (size_t j = 0; j < planned && !listed; j++)
			listed = same_target(&plan->changes[j], change);
		if (listed)
			continue;
		plan->changes = alloc_more(plan->changes, plan->nchanges, sizeof *plan->changes);
		change_copy(&plan->changes[plan->nchanges++], change);
	}
}
