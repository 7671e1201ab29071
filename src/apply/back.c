/* Plans the way back: what is remembered, held against the machine. Pure.
 *
 * The channels of a device come first; what lives on its queues and interrupts is behind that barrier. A device whose
 * channels are remembered was recorded whole before they were changed: a queue or interrupt that was recorded later and
 * is not there once the channels are back came with steerd's own counts and went with them. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "back.h"
#include "value.h"
#include "write.h"

/* ---- one value -------------------------------------------------------------------------------------------------- */

const struct nic *back_nic(const struct run *run, const struct original *original)
{
	for (size_t i = 0; original->path && i < run->machine.nnics; i++)
		if (original_is_of(original, &run->machine, &run->machine.nics[i]))
			return &run->machine.nics[i];
	return NULL;
}

bool back_selected(const struct run *run, const struct original *original)
{
	const struct nic *nic = back_nic(run, original);

	if (!run->devices || run->devices->n == 0)
		return true;
	return original->device && strings_have(run->devices, nic ? nic->name : original->device);
}

static bool lives_on_queues(enum setting setting)
{
	return setting >= SETTING_IRQ && setting <= SETTING_XPS_RXQS;
}

static bool negotiates(const char *pause)
{
	struct pause parsed;

	return pause_parse(pause, &parsed) == 0 && parsed.autoneg.value;
}

/* What was negotiated then is no setting that could be put back, unless it is what the device was told to offer. */
static bool is_back(const struct nic *nic, const struct original *original, const char *now)
{
	if (original->setting == SETTING_PAUSE && nic && !pause_is_as_asked(nic) && negotiates(now) &&
	    negotiates(original->value))
		return true;
	return value_same(original->setting, now, original->value);
}

enum counts { NOT_REMEMBERED, AS_THEY_WERE, OTHERS };

static enum counts channels_of(const struct run *run, const struct nic *nic)
{
	enum counts found = NOT_REMEMBERED;

	for (size_t i = 0; i < run->originals->n; i++) {
		const struct original *original = &run->originals->items[i];
		CLEANUP(free_string) char *now = NULL;

		if (!setting_is_channels(original->setting, NULL) || !original_is_of(original, &run->machine, nic))
			continue;
		now = value_now(&run->machine, nic, original->setting, NULL);
		if (!value_same(original->setting, now, original->value))
			return OTHERS;
		found = AS_THEY_WERE;
	}
	return found;
}

enum verdict back_verdict(const struct run *run, const struct original *original, char **ret_now)
{
	const struct nic *nic = back_nic(run, original);
	CLEANUP(free_string) char *now = NULL;
	enum verdict verdict;

	if (original->path && !nic)
		verdict = NO_DEVICE;
	else if ((now = value_now(&run->machine, nic, original->setting, original->part)))
		verdict = is_back(nic, original, now) ? BACK : DIFFERS;
	else if (nic && channels_of(run, nic) == OTHERS)
		verdict = NOT_BEFORE;
	else
		verdict = nic && nic->link == LINK_DOWN ? NOT_NOW : NO_PART;
	if (ret_now)
		*ret_now = TAKE(now);
	return verdict;
}

/* ---- its change ------------------------------------------------------------------------------------------------- */

static unsigned cost_of(enum setting setting)
{
	if (setting_is_channels(setting, NULL))
		return COST_LINK_RESET | COST_RENUMBERS;
	return setting < SETTING_CHANNELS_RX && setting != SETTING_OFFLOAD ? COST_LINK_RESET : 0;
}

static char *target_of(const struct nic *nic, const struct change *change)
{
	CLEANUP(free_string) char *path = NULL;

	if (setting_is_channels(change->setting, NULL))
		return alloc_string("ethtool:channels");
	if (change->setting == SETTING_PAUSE)
		return alloc_string("ethtool:pause");
	if (change->setting == SETTING_OFFLOAD)
		return text_format("ethtool:features:%s", offload_feature(change->index));
	if (change->setting == SETTING_RING_RX || change->setting == SETTING_RING_TX)
		return alloc_string("ethtool:rings");
	if (!nic || (setting_is_irq(change->setting) && !change->irq.set))
		return NULL;
	path = write_path(nic, change);
	return text_format("/%s", path);
}

/* The queue and the interrupt that a part stands for, as a change says it. */
static void set_part(struct change *change, const struct nic *nic, const char *part)
{
	static const enum queue_type types[] = { QUEUE_RX, QUEUE_TX, QUEUE_COMBINED };
	const struct irq *irq = setting_is_irq(change->setting) && nic ? irq_of_part(nic, part) : NULL;

	for (size_t i = 0; part && i < COUNT_OF(types); i++) {
		CLEANUP(free_string) char *prefix = text_format("%s-", queue_type_name(types[i]));
		uint32_t index;

		if (text_suffix_u32(part, prefix, &index) < 0)
			continue;
		change->queue = types[i];
		change->index = index;
	}
	if (irq)
		change->irq = SOME_U32(irq->number);
	for (unsigned i = 0; change->setting == SETTING_OFFLOAD && offload_feature(i); i++)
		if (text_equal(offload_feature(i), part))
			change->index = i;
}

static void set_place(struct change *change, const struct nic *nic, const struct original *original)
{
	change->device = alloc_string(nic ? nic->name : original->device);
	change->ifindex = nic ? nic->ifindex : 0;
	if (original->setting == SETTING_SYSCTL) {
		CLEANUP(free_string) char *path = sysctl_path(original->part);

		change->path = alloc_string(original->part);
		change->target = text_format("/%s", path);
	} else {
		change->path = alloc_string(original->path);
		set_part(change, nic, original->part);
		change->target = target_of(nic, change);
	}
}

static void set_state(struct change *change, enum verdict verdict)
{
	switch (verdict) {
	case BACK: change->state = CHANGE_SAME; break;
	case DIFFERS: change->state = CHANGE_TODO; break;
	case NOT_BEFORE:
		change->state = CHANGE_DEFERRED;
		change->skipped = alloc_string("it comes with channels that could not be put back");
		break;
	case NOT_NOW:
		change->state = CHANGE_DEFERRED;
		change->skipped = alloc_string("it is not there while the device is down, and kept for later");
		break;
	case NO_PART:
		change->state = CHANGE_GONE;
		change->skipped = alloc_string("this queue or interrupt is no longer there");
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

		if (tried->setting != change->setting || !text_equal(tried->path, change->path) ||
		    !text_equal(tried->target, change->target) || !text_equal(tried->to, change->to))
			continue;
		change->state = tried->state;
		change->skipped = alloc_string(tried->skipped);
		change->error = tried->error;
		return;
	}
}

/* ---- the plan --------------------------------------------------------------------------------------------------- */

/* Is a barrier of this device in the plan already? The originals are in the order of a plan, channels before queues. */
static bool is_behind(const struct plan *plan, const struct change *change)
{
	for (size_t i = plan->nchanges; lives_on_queues(change->setting) && i-- > 0;) {
		const struct change *before = &plan->changes[i];

		if (!text_equal(before->device, change->device))
			return false;
		if (before->state == CHANGE_TODO && before->cost & COST_RENUMBERS)
			return true;
	}
	return false;
}

static void add_change(const struct run *run, const struct original *original, const struct attempts *attempts,
		       struct plan *plan)
{
	const struct nic *nic = back_nic(run, original);
	struct change change = { .setting = original->setting, .stage = 1, .cost = cost_of(original->setting) };
	enum verdict verdict = back_verdict(run, original, &change.from);

	if (verdict == NO_PART && nic && channels_of(run, nic) == AS_THEY_WERE) {
		free(change.from);
		return;
	}
	change.to = alloc_string(original->value);
	change.why = alloc_string("as it was before steerd");
	set_place(&change, nic, original);
	if (verdict != NO_DEVICE && is_behind(plan, &change)) {
		change.stage = 2;
		verdict = DIFFERS;
	}
	set_state(&change, verdict);
	if (change.state == CHANGE_TODO)
		take_attempt(&change, attempts);
	plan->changes = alloc_more(plan->changes, plan->nchanges, sizeof *plan->changes);
	plan->changes[plan->nchanges++] = change;
}

void back_plan(const struct run *run, const struct attempts *attempts, struct plan *ret)
{
	*ret = (struct plan){ .policy = alloc_string("the values found before steerd") };
	for (size_t i = 0; i < run->originals->n; i++)
		if (back_selected(run, &run->originals->items[i]))
			add_change(run, &run->originals->items[i], attempts, ret);
}
