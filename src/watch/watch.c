/* When to look, and what to make of what was found. Pure: no clock, no system call.
 *
 * 1. A pass is due after 150 ms without an event, and at the latest 1 s after the first: a storm is one pass.
 * 2. It looks at the devices that events named; at everything after a CPU event, an overrun, a reload, an audit.
 * 3. A change to a setting that an earlier pass had left as wanted is drift: counted and told.
 * 4. It is not drift when the driver had cause to write: in this pass the device was new or set up, its channels were
 *    changed, or CPUs came or went.
 * 5. A setting that drifts five times within a minute is fought over: left alone for five minutes, doubling each time
 *    up to an hour, and told once.
 * 6. What the kernel refused is not asked for again until its device is new or set up, or a reload or audit comes. */
#include <inttypes.h>
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/watch.h>

enum {
	QUIET = 150,
	PATIENCE = 1000,
	FIGHT_TIMES = 5,
	FIGHT_WINDOW = 60 * 1000,
	TRUCE_FIRST = 5 * 60 * 1000,
	TRUCE_LONGEST = 60 * 60 * 1000,
};

struct memory {               /* of one setting */
	struct change change; /* as it was last seen */
	bool settled;         /* a pass left it as wanted */
	bool refused;
	uint64_t drifts[FIGHT_TIMES]; /* when it last drifted, oldest first; only `ndrifts` of them */
	size_t ndrifts;
	uint64_t truce;     /* how long it was left alone last */
	uint64_t truce_end; /* 0: not left alone */
};

struct tally { /* of one setting of one device in one pass */
	size_t drifts, fights;
	uint64_t truce;
};

struct watch {
	uint64_t audit, next_audit;
	bool pending; /* something is to be looked at */
	bool at_once;
	uint64_t first_event, last_event;
	struct pass pass;
	bool forgiving; /* the pending pass asks again for what was refused */
	struct memory *memories;
	size_t nmemories;
	struct attempts spared;
	struct watch_counts counts;
};

/* ---- life ------------------------------------------------------------------------------------------------------- */

void pass_clear(struct pass *pass)
{
	free(pass->ifindexes);
	free(pass->caused);
	*pass = (struct pass){ 0 };
}

struct watch *watch_new(uint64_t audit, uint64_t now)
{
	struct watch *watch = alloc_zero(1, sizeof *watch);

	watch->audit = audit;
	watch->next_audit = now + audit;
	return watch;
}

void watch_free(struct watch *watch)
{
	if (!watch)
		return;
	for (size_t i = 0; i < watch->nmemories; i++)
		change_clear(&watch->memories[i].change);
	pass_clear(&watch->pass);
	free(watch->memories);
	free(watch->spared.items);
	free(watch);
}

void watch_freep(struct watch **watch)
{
	watch_free(*watch);
	*watch = NULL;
}

/* ---- events to passes (rules 1, 2) ------------------------------------------------------------------------------ */

static bool listed(const unsigned *items, size_t n, unsigned item)
{
	for (size_t i = 0; i < n; i++)
		if (items[i] == item)
			return true;
	return false;
}

bool pass_includes(const struct pass *pass, unsigned ifindex)
{
	return pass->everything || listed(pass->ifindexes, pass->n, ifindex);
}

/* Rule 4. After a CPU event every driver has cause. */
static bool pass_caused(const struct pass *pass, unsigned ifindex)
{
	return pass->cpus || listed(pass->caused, pass->ncaused, ifindex);
}

static unsigned *list(unsigned *items, size_t *n, unsigned item)
{
	if (listed(items, *n, item))
		return items;
	items = alloc_more(items, *n, sizeof *items);
	items[(*n)++] = item;
	return items;
}

static void pend(struct watch *watch, uint64_t now)
{
	if (!watch->pending)
		watch->first_event = now;
	watch->pending = true;
	watch->last_event = now;
}

/* Rule 4: drivers write their own settings when these happen. */
static bool is_cause(enum event_kind kind)
{
	switch (kind) {
	case EVENT_NIC_ADDED:
	case EVENT_NIC_UP:
	case EVENT_NIC_QUEUES:
	case EVENT_NIC_REMOVED:
	case EVENT_CPU: return true;
	case EVENT_NIC_CHANGED:
	case EVENT_NIC_DOWN:
	case EVENT_NIC_SETTINGS:
	case EVENT_FLOWTABLE:
	case EVENT_OVERRUN: return false;
	}
	return false;
}

static void forget(struct watch *watch, size_t index)
{
	change_clear(&watch->memories[index].change);
	watch->memories[index] = watch->memories[--watch->nmemories];
}

static void forget_device(struct watch *watch, unsigned ifindex)
{
	for (size_t i = watch->nmemories; i-- > 0;)
		if (watch->memories[i].change.ifindex == ifindex)
			forget(watch, i);
}

void watch_event(struct watch *watch, uint64_t now, const struct event *event)
{
	watch->counts.events++;
	pend(watch, now);
	if (event->kind == EVENT_CPU)
		watch->pass.cpus = true;
	if (event->kind == EVENT_CPU || event->kind == EVENT_OVERRUN || event->kind == EVENT_FLOWTABLE ||
	    !event->ifindex)
		watch->pass.everything = true;
	else
		watch->pass.ifindexes = list(watch->pass.ifindexes, &watch->pass.n, event->ifindex);
	if (is_cause(event->kind))
		watch->pass.caused = list(watch->pass.caused, &watch->pass.ncaused, event->ifindex);
	if (event->kind == EVENT_NIC_REMOVED)
		forget_device(watch, event->ifindex);
}

void watch_everything(struct watch *watch, uint64_t now)
{
	pend(watch, now);
	watch->at_once = true;
	watch->pass.everything = true;
	watch->pass.cpus = true;
	watch->forgiving = true;
}

static uint64_t due(const struct watch *watch)
{
	uint64_t quiet = watch->last_event + QUIET, latest = watch->first_event + PATIENCE;

	return watch->at_once ? watch->first_event : quiet < latest ? quiet : latest;
}

int64_t watch_wait(const struct watch *watch, uint64_t now)
{
	uint64_t next = watch->pending ? due(watch) : UINT64_MAX;

	if (watch->audit && watch->next_audit < next)
		next = watch->next_audit;
	if (next == UINT64_MAX)
		return WATCH_NEVER;
	return next > now ? (int64_t)(next - now) : 0;
}

/* Rule 6. */
static void forgive(struct watch *watch, const struct pass *pass)
{
	for (size_t i = 0; i < watch->nmemories; i++) {
		struct memory *memory = &watch->memories[i];

		if (watch->forgiving || pass_caused(pass, memory->change.ifindex))
			memory->refused = false;
	}
	watch->forgiving = false;
}

bool watch_take(struct watch *watch, uint64_t now, struct pass *ret)
{
	bool audit = watch->audit && now >= watch->next_audit;

	if (!audit && (!watch->pending || now < due(watch)))
		return false;
	if (watch->audit)
		watch->next_audit = now + watch->audit;
	*ret = watch->pass;
	ret->everything |= audit;
	watch->forgiving |= audit;
	watch->pass = (struct pass){ 0 };
	watch->pending = watch->at_once = false;
	watch->counts.passes++;
	forgive(watch, ret);
	return true;
}

/* ---- drift and fights (rules 3 to 6) ---------------------------------------------------------------------------- */

static bool same_setting(const struct change *a, const struct change *b)
{
	return a->setting == b->setting && a->queue == b->queue && a->index == b->index && text_equal(a->path, b->path);
}

static struct memory *recall(struct watch *watch, const struct change *change)
{
	for (size_t i = 0; i < watch->nmemories; i++)
		if (same_setting(&watch->memories[i].change, change))
			return &watch->memories[i];
	watch->memories = alloc_more(watch->memories, watch->nmemories, sizeof *watch->memories);
	change_copy(&watch->memories[watch->nmemories].change, change);
	return &watch->memories[watch->nmemories++];
}

/* Whether five drifts lie within the window, with one more at `now`. */
static bool is_fight(struct memory *memory, uint64_t now)
{
	if (memory->ndrifts == FIGHT_TIMES) {
		for (size_t i = 1; i < FIGHT_TIMES; i++)
			memory->drifts[i - 1] = memory->drifts[i];
		memory->ndrifts--;
	}
	memory->drifts[memory->ndrifts++] = now;
	return memory->ndrifts == FIGHT_TIMES && now - memory->drifts[0] <= FIGHT_WINDOW;
}

static void call_truce(struct memory *memory, uint64_t now)
{
	memory->truce = memory->truce ? 2 * memory->truce : TRUCE_FIRST;
	if (memory->truce > TRUCE_LONGEST)
		memory->truce = TRUCE_LONGEST;
	memory->truce_end = now + memory->truce;
	memory->ndrifts = 0;
}

/* Somebody else changed a value that was as wanted; it has been put right. */
static void note_drift(struct watch *watch, uint64_t now, struct memory *memory, struct tally *tally)
{
	watch->counts.drift++;
	tally->drifts++;
	if (!is_fight(memory, now))
		return;
	call_truce(memory, now);
	tally->fights++;
	tally->truce = memory->truce;
}

static void learn_one(struct watch *watch, uint64_t now, const struct pass *pass, const struct change *change,
		      struct tally *tally)
{
	struct memory *memory = recall(watch, change);

	switch (change->state) {
	case CHANGE_SAME: memory->settled = true; break;
	case CHANGE_DONE:
		if (memory->settled && !pass_caused(pass, change->ifindex))
			note_drift(watch, now, memory, tally);
		memory->settled = true;
		break;
	case CHANGE_FAILED:
		memory->settled = false;
		memory->refused = true;
		break;
	case CHANGE_TODO:
	case CHANGE_SKIPPED:
	case CHANGE_DEFERRED:
	case CHANGE_GONE: memory->settled = false; break;
	}
	change_clear(&memory->change);
	change_copy(&memory->change, change);
}

static void tell(const struct change *change, const struct tally *tally, rival_of *rival, struct notes *notes)
{
	const char *likely = rival(change->setting);
	struct note *note;

	if (tally->drifts) {
		note = notes_add(notes, NOTE_WARNING, change->device,
				 "%s: %zu value%s changed by somebody else, put right", setting_name(change->setting),
				 tally->drifts, tally->drifts == 1 ? "" : "s");
		note->hint = text_format("likely %s", likely);
	}
	if (tally->fights) {
		note = notes_add(notes, NOTE_ERROR, change->device,
				 "%s: changed %d times within a minute by somebody else, left alone for %" PRIu64
				 " minutes",
				 setting_name(change->setting), FIGHT_TIMES, tally->truce / 60000);
		note->hint = text_format("likely %s; stop it, or take the key out of the policy", likely);
	}
}

/* The plan lists the settings of a device together: each run of equal device and setting is told in one note. */
void watch_learn(struct watch *watch, uint64_t now, const struct pass *pass, const struct plan *plan, rival_of *rival,
		 struct notes *notes)
{
	struct tally tally = { 0 };

	for (size_t i = 0; i < plan->nchanges; i++) {
		const struct change *change = &plan->changes[i], *next = change + 1;

		if (change->stage == 1)
			learn_one(watch, now, pass, change, &tally);
		if (i + 1 < plan->nchanges && next->setting == change->setting &&
		    text_equal(next->device, change->device))
			continue;
		tell(change, &tally, rival, notes);
		tally = (struct tally){ 0 };
	}
}

const struct attempts *watch_spared(struct watch *watch, uint64_t now)
{
	free(watch->spared.items);
	watch->spared = (struct attempts){ 0 };
	for (size_t i = 0; i < watch->nmemories; i++) {
		const struct memory *memory = &watch->memories[i];

		if (!memory->refused && memory->truce_end <= now)
			continue;
		watch->spared.items = alloc_more(watch->spared.items, watch->spared.n, sizeof *watch->spared.items);
		watch->spared.items[watch->spared.n] = memory->change; /* borrowed */
		watch->spared.items[watch->spared.n++].state = CHANGE_FAILED;
	}
	return &watch->spared;
}

void watch_count(const struct watch *watch, uint64_t now, struct watch_counts *ret)
{
	*ret = watch->counts;
	ret->fights = 0;
	for (size_t i = 0; i < watch->nmemories; i++)
		ret->fights += watch->memories[i].truce_end > now;
}
