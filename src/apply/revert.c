/* Puts back the values that were there before steerd, by the same rounds, and forgets those that are back. */
#include <errno.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "originals.h"
#include "run.h"
#include "value.h"
#include "write.h"

/* ---- one original against the machine --------------------------------------------------------------------------- */

enum verdict {
	BACK, /* is as it was */
	DIFFERS,
	NOT_NOW,   /* the device is down: its interrupts may exist again when it is up */
	NO_PART,   /* the device is there, this queue or interrupt is not */
	NO_DEVICE, /* it may come back */
};

static const struct nic *nic_of(const struct machine *machine, const struct original *original)
{
	for (size_t i = 0; original->path && i < machine->nnics; i++)
		if (original_is_of(original, machine, &machine->nics[i]))
			return &machine->nics[i];
	return NULL;
}

static enum verdict verdict_on(const struct machine *machine, const struct original *original, char **ret_now)
{
	const struct nic *nic = nic_of(machine, original);
	char *now;

	*ret_now = NULL;
	if (original->path && !nic)
		return NO_DEVICE;
	now = *ret_now = value_now(machine, nic, original->setting, original->part);
	if (now)
		return value_same(original->setting, now, original->value) ? BACK : DIFFERS;
	return nic && nic->link == LINK_DOWN ? NOT_NOW : NO_PART;
}

static bool selected(const struct run *run, const struct original *original)
{
	const struct nic *nic = nic_of(&run->machine, original);

	if (!run->devices || run->devices->n == 0)
		return true;
	return original->device && strings_have(run->devices, nic ? nic->name : original->device);
}

/* ---- planning --------------------------------------------------------------------------------------------------- */

static bool lives_on_queues(enum setting setting)
{
	return setting >= SETTING_IRQ && setting <= SETTING_XPS_RXQS;
}

static unsigned cost_of(enum setting setting)
{
	if (setting_is_channels(setting, NULL))
		return COST_LINK_RESET | COST_RENUMBERS;
	return setting == SETTING_PAUSE || setting == SETTING_RING_RX || setting == SETTING_RING_TX ? COST_LINK_RESET
												    : 0;
}

static char *target_of(const struct nic *nic, const struct change *change)
{
	CLEANUP(free_string) char *path = NULL;

	if (setting_is_channels(change->setting, NULL))
		return alloc_string("ethtool:channels");
	if (change->setting == SETTING_PAUSE)
		return alloc_string("ethtool:pause");
	if (change->setting == SETTING_RING_RX || change->setting == SETTING_RING_TX)
		return alloc_string("ethtool:rings");
	if (setting_is_irq(change->setting) && !change->irq.set)
		return NULL;
	path = write_path(nic, change);
	return path ? text_format("/%s", path) : NULL;
}

/* The queue and the interrupt that a part stands for, as a change says it. */
static void set_part(struct change *change, const struct nic *nic, const struct original *original)
{
	static const enum queue_type types[] = { QUEUE_RX, QUEUE_TX, QUEUE_COMBINED };
	const struct irq *irq = setting_is_irq(original->setting) && nic ? irq_of_part(nic, original->part) : NULL;

	for (size_t i = 0; original->part && i < COUNT_OF(types); i++) {
		CLEANUP(free_string) char *prefix = text_format("%s-", queue_type_name(types[i]));
		uint32_t index;

		if (text_suffix_u32(original->part, prefix, &index) < 0)
			continue;
		change->queue = types[i];
		change->index = index;
	}
	if (irq)
		change->irq = SOME_U32(irq->number);
}

/* A setting that is missing now may come back with the channels. */
static void set_state(struct change *change, enum verdict verdict, bool behind)
{
	switch (verdict) {
	case BACK: change->state = CHANGE_SAME; break;
	case DIFFERS: change->state = CHANGE_TODO; break;
	case NOT_NOW:
		change->state = CHANGE_DEFERRED;
		change->skipped = alloc_string("not there while the device is down; it is kept for later");
		break;
	case NO_PART:
		change->state = behind ? CHANGE_TODO : CHANGE_GONE;
		change->skipped = behind ? NULL : alloc_string("this queue or interrupt is no longer there");
		break;
	case NO_DEVICE:
		change->state = CHANGE_GONE;
		change->skipped = alloc_string("the device is gone; its values are kept in case it comes back");
		break;
	}
}

static void take_attempt(struct change *change, const struct attempts *attempts)
{
	for (size_t i = 0; i < attempts->n; i++) {
		const struct change *tried = &attempts->items[i];

		if (change->state != CHANGE_TODO || tried->setting != change->setting ||
		    tried->queue != change->queue || tried->index != change->index ||
		    !text_equal(tried->path, change->path) || !text_equal(tried->to, change->to) ||
		    !text_equal(tried->target, change->target))
			continue;
		change->state = tried->state;
		change->skipped = alloc_string(tried->skipped);
		change->error = tried->error;
	}
}

static void add_change(const struct run *run, const struct original *original, const struct attempts *attempts,
		       struct plan *plan)
{
	const struct nic *nic = nic_of(&run->machine, original);
	struct change change = { .setting = original->setting, .stage = 1, .cost = cost_of(original->setting) };
	bool behind = false;
	enum verdict verdict;

	for (size_t i = 0; nic && lives_on_queues(original->setting) && i < plan->nchanges; i++)
		behind |= plan->changes[i].state == CHANGE_TODO && plan->changes[i].cost & COST_RENUMBERS &&
			  text_equal(plan->changes[i].device, nic->name);
	verdict = verdict_on(&run->machine, original, &change.from);
	change.device = alloc_string(nic ? nic->name : original->device);
	change.path = alloc_string(original->path); /* NULL for a sysctl, whose name stands there */
	change.ifindex = nic ? nic->ifindex : 0;
	change.to = alloc_string(original->value);
	change.why = alloc_string("as it was before steerd");
	if (original->setting == SETTING_SYSCTL) {
		CLEANUP(free_string) char *path = sysctl_path(original->part);

		change.path = alloc_string(original->part);
		change.target = text_format("/%s", path);
	} else {
		set_part(&change, nic, original);
		change.target = nic ? target_of(nic, &change) : NULL;
	}
	change.stage = behind ? 2 : 1;
	set_state(&change, verdict, behind);
	take_attempt(&change, attempts);
	plan->changes = alloc_more(plan->changes, plan->nchanges, sizeof *plan->changes);
	plan->changes[plan->nchanges++] = change;
}

/* The originals are in the order of a plan: by device, and its channels before its queues. */
static void plan_back(const struct run *run, const struct attempts *attempts, struct plan *ret)
{
	*ret = (struct plan){ .policy = alloc_string("the values found before steerd") };
	for (size_t i = 0; i < run->originals->n; i++)
		if (selected(run, &run->originals->items[i]))
			add_change(run, &run->originals->items[i], attempts, ret);
}

/* ---- afterwards ------------------------------------------------------------------------------------------------- */

/* What stays remembered has not come back yet. */
static void forget(struct run *run)
{
	for (size_t i = run->originals->n; i-- > 0;) {
		CLEANUP(free_string) char *now = NULL;
		enum verdict verdict = verdict_on(&run->machine, &run->originals->items[i], &now);

		if (selected(run, &run->originals->items[i]) && (verdict == BACK || verdict == NO_PART))
			originals_forget(run->originals, i);
	}
}

static void tell_gone(struct run *run)
{
	CLEANUP(strings_clear) struct strings told = { 0 };

	for (size_t i = 0; i < run->originals->n; i++) {
		const struct original *original = &run->originals->items[i];

		if (!original->device || nic_of(&run->machine, original) || strings_have(&told, original->device))
			continue;
		strings_add(&told, original->device);
		if (selected(run, original))
			notes_add(&run->notes, NOTE_WARNING, original->device,
				  "is not there: what is remembered of it is kept in case it comes back");
	}
}

static unsigned remembered_details(const void *context, const struct machine *machine, const struct nic *nic)
{
	const struct run *run = context;

	for (size_t i = 0; i < run->originals->n; i++)
		if (original_is_of(&run->originals->items[i], machine, nic))
			return DETAIL_ALL & ~(unsigned)(DETAIL_FEATURES | DETAIL_EFFECTIVE);
	return 0;
}

static const struct run_kind reverting = { .details = remembered_details, .plan = plan_back };

int revert(struct host *host, struct originals *originals, const struct strings *devices, struct report *ret)
{
	CLEANUP(run_clear)
	struct run run = {
		.kind = &reverting,
		.host = host,
		.originals = originals,
		.devices = devices,
	};
	int r;

	for (size_t i = 0; i < originals->n; i++)
		if (originals->items[i].setting == SETTING_SYSCTL)
			strings_add(&run.sysctls, originals->items[i].part);
	if ((r = run_rounds(&run)) < 0)
		return r;
	forget(&run);
	tell_gone(&run);
	if ((r = originals_save(originals)) < 0)
		return r;
	run_report(&run, ret);
	return 0;
}
