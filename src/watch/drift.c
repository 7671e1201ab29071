/* Decides what to make of what a pass found: drift, a fight, a refusal, or nothing special. Pure: no clock, no system
 * call. The numbers go on from watch.c.
 *
 *  6. A value that an earlier pass had left as wanted, that is still wanted, and that had to be put right: somebody
 *     else changed it. That is drift, counted and told.
 *  7. It is not drift when the device's driver, or the kernel, had cause to write it: see excused().
 *  8. A setting that drifts again and again is fought over: dispute.c.
 *  9. What was refused is told once, and not asked for again until its device is new or set up, or CPUs came or went.
 * 10. What somebody asks for (start, reload, apply) ends truces and forgives refusals.
 * 11. A setting that a pass looked for and did not find is forgotten; so is a device that goes. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "watch.h"

#define BIT(kind) (1u << (kind))

struct tally { /* of one setting of one device in one pass */
	size_t sets, resets, drifts, refusals;
	const struct change *set, *drifted, *refused; /* one of them */
};

/* ---- memory ----------------------------------------------------------------------------------------------------- */

/* What has no queue is told apart by its file: interrupts without a role, sysctls. */
static bool same_setting(const struct change *a, const struct change *b)
{
	if (a->ifindex != b->ifindex || a->setting != b->setting || a->queue != b->queue || a->index != b->index)
		return false;
	return a->queue != QUEUE_NONE || text_equal(a->target, b->target);
}

static struct memory *recall(struct watch *watch, const struct change *change)
{
	for (size_t i = 0; i < watch->nmemories; i++) {
		size_t at = (watch->cursor + i) % watch->nmemories;

		if (!same_setting(&watch->memories[at].change, change))
			continue;
		watch->cursor = at + 1;
		return &watch->memories[at];
	}
	watch->memories = alloc_more(watch->memories, watch->nmemories, sizeof *watch->memories);
	change_copy(&watch->memories[watch->nmemories].change, change);
	return &watch->memories[watch->nmemories++];
}

/* Keeps the order, and forgets what `gone` says. */
static void sift(struct watch *watch, bool (*gone)(const struct memory *memory, const void *context),
		 const void *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < watch->nmemories; i++) {
		if (gone(&watch->memories[i], context))
			change_clear(&watch->memories[i].change);
		else
			watch->memories[kept++] = watch->memories[i];
	}
	watch->nmemories = kept;
	watch->cursor = 0;
}

static bool is_of(const struct memory *memory, const void *ifindex)
{
	return memory->change.ifindex == *(const unsigned *)ifindex;
}

static bool is_missing(const struct memory *memory, const void *pass)
{
	return !memory->seen && pass_includes(pass, memory->change.ifindex);
}

static bool always(const struct memory *memory, const void *context)
{
	(void)memory;
	(void)context;
	return true;
}

bool drift_knows(const struct watch *watch, unsigned ifindex)
{
	for (size_t i = 0; i < watch->nmemories; i++)
		if (is_of(&watch->memories[i], &ifindex))
			return true;
	return false;
}

/* ---- forgetting and forgiving (rules 9 to 11) ------------------------------------------------------------------- */

void drift_clear(struct watch *watch)
{
	sift(watch, always, NULL);
	free(watch->memories);
	free(watch->spared.items);
}

void drift_forget(struct watch *watch, unsigned ifindex)
{
	sift(watch, is_of, &ifindex);
	disputes_forget(watch, ifindex);
}

void drift_forgive(struct watch *watch, const struct pass *pass)
{
	const unsigned reasons = BIT(EVENT_NIC_ADDED) | BIT(EVENT_NIC_UP) | BIT(EVENT_CPU) | BIT(EVENT_OVERRUN);

	for (size_t i = 0; i < watch->nmemories; i++) {
		struct memory *memory = &watch->memories[i];

		if (pass->asked || pass_kinds(pass, memory->change.ifindex) & reasons)
			memory->refused = false;
		memory->told &= !pass->asked;
	}
	if (pass->asked)
		disputes_end(watch);
}

void watch_unsettle(struct watch *watch)
{
	for (size_t i = 0; i < watch->nmemories; i++)
		watch->memories[i].settled = false;
}

/* ---- drift (rules 6, 7) ----------------------------------------------------------------------------------------- */

static bool lives_on_queues(enum setting setting)
{
	return setting >= SETTING_IRQ && setting <= SETTING_XPS_RXQS;
}

/* RPS lives and dies with its queue: no driver writes it. The rest is set anew when a driver opens the device. */
static bool made_at_open(enum setting setting)
{
	return setting == SETTING_PAUSE || setting == SETTING_CHANNELS_COMBINED || setting == SETTING_CHANNELS_RX ||
	       setting == SETTING_CHANNELS_TX || setting == SETTING_IRQ || setting == SETTING_IRQ_CONTROL ||
	       setting == SETTING_XPS || setting == SETTING_XPS_RXQS;
}

/* Rule 7. Whether what happened makes the kernel or a driver write a setting by itself. */
static bool excuses(enum event_kind kind, enum setting setting)
{
	switch (kind) {
	case EVENT_NIC_ADDED:
	case EVENT_NIC_REMOVED:
	case EVENT_OVERRUN: return true;
	case EVENT_NIC_UP: return made_at_open(setting);
	case EVENT_NIC_QUEUES:
	case EVENT_CPU: return lives_on_queues(setting);
	case EVENT_NIC_SETTINGS: return lives_on_queues(setting) && made_at_open(setting);
	case EVENT_NIC_CHANGED: /* XDP takes channels */
		return setting == SETTING_CHANNELS_COMBINED || setting == SETTING_CHANNELS_RX ||
		       setting == SETTING_CHANNELS_TX;
	case EVENT_FLOWS:
	case EVENT_NIC_DOWN:
	case EVENT_KINDS: return false;
	}
	return false;
}

/* Whether this pass itself reset the device: what it then set again nobody else had changed. */
static bool was_reset(const struct plan *plan, const struct change *change)
{
	for (size_t i = 0; i < plan->nchanges; i++) {
		const struct change *other = &plan->changes[i];

		if (other->ifindex == change->ifindex && other->cost && other->state == CHANGE_DONE)
			return true;
	}
	return false;
}

static bool excused(const struct pass *pass, const struct plan *plan, const struct change *change)
{
	unsigned kinds = pass_kinds(pass, change->ifindex);

	for (unsigned kind = 0; kind < EVENT_KINDS; kind++)
		if (kinds & BIT(kind) && excuses((enum event_kind)kind, change->setting))
			return true;
	return lives_on_queues(change->setting) && was_reset(plan, change);
}

/* ---- learning --------------------------------------------------------------------------------------------------- */

/* A value was put right; why it was not right any more. */
static void note_done(const struct memory *memory, const struct pass *pass, const struct plan *plan,
		      const struct change *change, struct tally *tally)
{
	bool was_right = memory->settled && text_equal(memory->change.to, change->to);

	if (was_right && !excused(pass, plan, change)) {
		tally->drifts++;
		tally->drifted = change;
		return;
	}
	tally->sets++;
	tally->resets += was_right && change->cost;
	tally->set = change;
}

static void note_refusal(struct memory *memory, const struct change *change, struct tally *tally)
{
	if (!memory->told) {
		tally->refusals++;
		tally->refused = change;
	}
	memory->told = memory->refused = true;
}

static void learn_one(struct watch *watch, const struct pass *pass, const struct plan *plan,
		      const struct change *change, struct tally *tally)
{
	struct memory *memory = recall(watch, change);
	bool settled = false;

	switch (change->state) {
	case CHANGE_SAME: settled = true; break;
	case CHANGE_DONE:
		settled = !change->skipped; /* with words: not quite as wanted */
		note_done(memory, pass, plan, change, tally);
		break;
	case CHANGE_FAILED: note_refusal(memory, change, tally); break;
	case CHANGE_TODO:
	case CHANGE_SKIPPED:
	case CHANGE_DEFERRED:
	case CHANGE_GONE: break;
	}
	if (settled)
		memory->refused = memory->told = false;
	memory->settled = settled;
	memory->seen = true;
	change_clear(&memory->change);
	change_copy(&memory->change, change);
}

/* "rps of rx-3", or "rps" when there are several. */
static char *subject(const struct change *change, size_t n)
{
	CLEANUP(free_string) char *queue = change_queue(change);

	if (n == 1 && !change->device)
		return alloc_string(change->target);
	if (n > 1 || !queue)
		return alloc_string(setting_name(change->setting));
	return text_format("%s of %s", setting_name(change->setting), queue);
}

static void tell_truce(const struct watch *watch, const struct change *change, struct notes *notes)
{
	notes_add(notes, NOTE_ERROR, change->device, "%s: %s", setting_name(change->setting),
		  dispute_find(watch, change)->words)
		->hint =
		alloc_string("stop the other, or take the key out of the policy; `steerctl reload` tries at once");
}

/* Rule 8, its second half: what resets the link may be the very cause of what undoes it. */
static void tell_set(struct watch *watch, uint64_t now, const struct tally *tally, struct notes *notes)
{
	const struct change *change = tally->set;
	CLEANUP(free_string) char *what = subject(change, tally->sets);

	if (tally->sets > 1)
		notes_add(notes, NOTE_INFO, change->device, "%s: %zu values set", what, tally->sets);
	else
		notes_add(notes, NOTE_INFO, change->device, "%s set from '%s' to '%s'", what,
			  change->from ? change->from : "unknown", change->to ? change->to : "unknown");
	if (tally->resets && dispute_add(watch, now, change, "its driver"))
		tell_truce(watch, change, notes);
}

static void tell_drift(struct watch *watch, uint64_t now, const struct tally *tally, const struct rivals *rivals,
		       struct notes *notes)
{
	const struct change *change = tally->drifted;
	const char *rival = rivals->likely(rivals->context, change);
	CLEANUP(free_string) char *what = subject(change, tally->drifts);
	struct note *note;

	watch->counts.drift += tally->drifts;
	if (tally->drifts > 1)
		note = notes_add(notes, NOTE_WARNING, change->device,
				 "%s: %zu values were changed by somebody else, put right", what, tally->drifts);
	else
		note = notes_add(notes, NOTE_WARNING, change->device,
				 "%s was changed to '%s' by somebody else, put right to '%s'", what,
				 change->from ? change->from : "unknown", change->to ? change->to : "unknown");
	note->hint = text_format("likely %s", rival);
	if (dispute_add(watch, now, change, rival))
		tell_truce(watch, change, notes);
}

static void tell_refusal(const struct tally *tally, struct notes *notes)
{
	const struct change *change = tally->refused;
	CLEANUP(free_string) char *what = subject(change, tally->refusals);
	const char *why = change->skipped ? change->skipped : "it could not be set";

	if (tally->refusals > 1)
		notes_add(notes, NOTE_ERROR, change->device, "%s: %zu values could not be set; one of them: %s", what,
			  tally->refusals, why);
	else
		notes_add(notes, NOTE_ERROR, change->device, "%s: %s", what, why);
}

void watch_learn(struct watch *watch, uint64_t now, const struct pass *pass, const struct plan *plan,
		 const struct rivals *rivals, struct notes *notes)
{
	struct tally tally = { 0 };

	for (size_t i = 0; i < watch->nmemories; i++)
		watch->memories[i].seen = false;
	for (size_t i = 0; i < plan->nchanges; i++) { /* a plan lists a setting of a device together */
		const struct change *change = &plan->changes[i], *next = change + 1;

		if (change->stage == 1)
			learn_one(watch, pass, plan, change, &tally);
		if (i + 1 < plan->nchanges && next->setting == change->setting && next->ifindex == change->ifindex)
			continue;
		if (tally.sets)
			tell_set(watch, now, &tally, notes);
		if (tally.drifts)
			tell_drift(watch, now, &tally, rivals, notes);
		if (tally.refusals)
			tell_refusal(&tally, notes);
		tally = (struct tally){ 0 };
	}
	sift(watch, is_missing, pass);
}

/* ---- what is left alone ----------------------------------------------------------------------------------------- */

/* Of a setting's refused values the first speaks for all. */
static bool speaks(const struct watch *watch, size_t index)
{
	const struct change *change = &watch->memories[index].change;

	for (size_t i = index; i-- > 0;) {
		const struct change *before = &watch->memories[i].change;

		if (watch->memories[i].refused && before->ifindex == change->ifindex &&
		    before->setting == change->setting)
			return false;
	}
	return true;
}

void watch_problems(const struct watch *watch, uint64_t now, struct notes *notes)
{
	for (size_t i = 0; i < watch->nmemories; i++) {
		const struct memory *memory = &watch->memories[i];

		if (memory->refused && speaks(watch, i))
			notes_add(notes, NOTE_ERROR, memory->change.device, "%s: %s",
				  setting_name(memory->change.setting),
				  memory->change.skipped ? memory->change.skipped : "could not be set");
	}
	disputes_tell(watch, now, notes);
}

static void spare(struct watch *watch, const struct memory *memory, enum change_state state, char *words)
{
	struct change *item;

	watch->spared.items = alloc_more(watch->spared.items, watch->spared.n, sizeof *watch->spared.items);
	item = &watch->spared.items[watch->spared.n++];
	*item = memory->change; /* borrowed */
	item->state = state;
	item->skipped = words;
}

const struct attempts *watch_spared(struct watch *watch, uint64_t now)
{
	free(watch->spared.items);
	watch->spared = (struct attempts){ 0 };
	for (size_t i = 0; i < watch->nmemories; i++) {
		const struct memory *memory = &watch->memories[i];
		const struct dispute *dispute = dispute_find(watch, &memory->change);

		if (dispute_rests(dispute, now))
			spare(watch, memory, CHANGE_SKIPPED, dispute->words);
		else if (memory->refused)
			spare(watch, memory, CHANGE_FAILED, memory->change.skipped);
	}
	return &watch->spared;
}
