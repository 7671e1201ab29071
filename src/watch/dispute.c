/* Decides when a setting is fought over, and for how long it is left alone. Pure: no clock, no system call.
 *
 * 8. A setting of a device that drifts in five passes within a minute is fought over: told once, and left alone for 5
 *    minutes; then looked at again. What resets the link and has to be set again and again is so too, excused or not.
 *    Each truce is twice as long as the one before, an hour at most; after an hour without a fight the next is
 *    short again. */
#include <inttypes.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "watch.h"

enum {
	FIGHT_WINDOW = 60 * 1000,
	TRUCE_FIRST = 5 * 60 * 1000,
	TRUCE_LONGEST = 60 * 60 * 1000,
};

static void dispute_clear(struct dispute *dispute)
{
	free(dispute->device);
	free(dispute->rival);
	free(dispute->words);
}

static void settle_dispute(struct watch *watch, size_t index)
{
	dispute_clear(&watch->disputes[index]);
	watch->disputes[index] = watch->disputes[--watch->ndisputes];
}

struct dispute *dispute_find(const struct watch *watch, const struct change *change)
{
	for (size_t i = 0; i < watch->ndisputes; i++)
		if (watch->disputes[i].ifindex == change->ifindex && watch->disputes[i].setting == change->setting)
			return &watch->disputes[i];
	return NULL;
}

static struct dispute *open_dispute(struct watch *watch, const struct change *change)
{
	struct dispute *dispute = dispute_find(watch, change);

	if (dispute)
		return dispute;
	watch->disputes = alloc_more(watch->disputes, watch->ndisputes, sizeof *watch->disputes);
	dispute = &watch->disputes[watch->ndisputes++];
	dispute->ifindex = change->ifindex;
	dispute->setting = change->setting;
	dispute->device = alloc_string(change->device);
	return dispute;
}

/* Whether five drifts lie within the window, with one more at `now`. */
static bool is_fight(struct dispute *dispute, uint64_t now)
{
	if (dispute->ndrifts == FIGHT_TIMES) {
		for (size_t i = 1; i < FIGHT_TIMES; i++)
			dispute->drifts[i - 1] = dispute->drifts[i];
		dispute->ndrifts--;
	}
	dispute->drifts[dispute->ndrifts++] = now;
	return dispute->ndrifts == FIGHT_TIMES && now - dispute->drifts[0] <= FIGHT_WINDOW;
}

static void call_truce(struct dispute *dispute, uint64_t now, const char *rival)
{
	bool long_ago = now > dispute->truce_end + TRUCE_LONGEST;

	dispute->truce = !dispute->truce || long_ago ? TRUCE_FIRST : 2 * dispute->truce;
	if (dispute->truce > TRUCE_LONGEST)
		dispute->truce = TRUCE_LONGEST;
	dispute->truce_end = now + dispute->truce;
	dispute->ndrifts = 0;
	dispute->on = true;
	free(dispute->rival);
	free(dispute->words);
	dispute->rival = alloc_string(rival);
	dispute->words = text_format("changed %d times within a minute, likely by %s; left alone for "
				     "%" PRIu64 " minutes",
				     FIGHT_TIMES, rival, dispute->truce / 60000);
}

bool dispute_add(struct watch *watch, uint64_t now, const struct change *change, const char *rival)
{
	struct dispute *dispute = open_dispute(watch, change);

	if (!is_fight(dispute, now))
		return false;
	call_truce(dispute, now, rival);
	return true;
}

bool dispute_rests(const struct dispute *dispute, uint64_t now)
{
	return dispute && dispute->on && dispute->truce_end > now;
}

int64_t disputes_wait(const struct watch *watch, uint64_t now)
{
	int64_t wait = WATCH_NEVER;

	for (size_t i = 0; i < watch->ndisputes; i++) {
		const struct dispute *dispute = &watch->disputes[i];
		int64_t left = dispute->truce_end > now ? (int64_t)(dispute->truce_end - now) : 0;

		if (dispute->on && (wait == WATCH_NEVER || left < wait))
			wait = left;
	}
	return wait;
}

bool disputes_next(struct watch *watch, uint64_t now, unsigned *ret_ifindex)
{
	for (size_t i = 0; i < watch->ndisputes; i++) {
		if (!watch->disputes[i].on || watch->disputes[i].truce_end > now)
			continue;
		watch->disputes[i].on = false;
		*ret_ifindex = watch->disputes[i].ifindex;
		return true;
	}
	return false;
}

void disputes_end(struct watch *watch)
{
	for (size_t i = 0; i < watch->ndisputes; i++)
		watch->disputes[i].on = false;
}

void disputes_forget(struct watch *watch, unsigned ifindex)
{
	for (size_t i = watch->ndisputes; i-- > 0;)
		if (watch->disputes[i].ifindex == ifindex)
			settle_dispute(watch, i);
}

void disputes_clear(struct watch *watch)
{
	while (watch->ndisputes)
		settle_dispute(watch, 0);
	free(watch->disputes);
}

void disputes_tell(const struct watch *watch, uint64_t now, struct notes *notes)
{
	for (size_t i = 0; i < watch->ndisputes; i++) {
		const struct dispute *dispute = &watch->disputes[i];

		if (dispute_rests(dispute, now))
			notes_add(notes, NOTE_ERROR, dispute->device, "%s: %s", setting_name(dispute->setting),
				  dispute->words);
	}
}

void watch_findings(const struct watch *watch, uint64_t now, struct findings *findings)
{
	for (size_t i = 0; i < watch->ndisputes; i++) {
		const struct dispute *dispute = &watch->disputes[i];

		if (!dispute_rests(dispute, now))
			continue;
		findings->items = alloc_more(findings->items, findings->n, sizeof *findings->items);
		findings->items[findings->n++] = (struct finding){
			.level = NOTE_ERROR,
			.code = "fought-over",
			.device = alloc_string(dispute->device),
			.text = text_format("%s: %s", setting_name(dispute->setting), dispute->words),
			.hint = text_format("stop %s, or take the key out of the policy", dispute->rival),
		};
	}
}
