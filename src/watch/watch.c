/* Decides when to look, and at what. Pure: no clock, no system call.
 *
 * 1. A pass is due after 150 ms without an event, and at the latest 1 s after the first: a storm is one pass. When one
 *    is due for another reason, it takes along what waits.
 * 2. It looks at the devices that events named; at everything after a CPU event or an overrun, and when it is asked for
 *    (start, reload, apply). What is asked for is due at once.
 * 3. A device with settings that goes, or gets another name or master, concerns those that share CPUs with it: it is
 *    everything too.
 * 4. A device that comes and goes before anybody looked is no reason for a pass.
 * 5. With an audit, everything is looked at so long after the last pass.
 *
 * What is made of what a pass found: drift.c, rules 6 to 11. */
#include "watch.h"

#include <stdlib.h>

#include <steer/cleanup.h>

enum { QUIET = 150, PATIENCE = 1000 };

#define BIT(kind) (1u << (kind))

/* ---- passes ----------------------------------------------------------------------------------------------------- */

void pass_clear(struct pass *pass)
{
	free(pass->devices);
	*pass = (struct pass){ 0 };
}

static struct pass_device *find(const struct pass *pass, unsigned ifindex)
{
	for (size_t i = 0; i < pass->n; i++)
		if (pass->devices[i].ifindex == ifindex)
			return &pass->devices[i];
	return NULL;
}

bool pass_includes(const struct pass *pass, unsigned ifindex)
{
	return pass->everything || find(pass, ifindex);
}

bool pass_remakes_topology(const struct pass *pass)
{
	return pass->asked || pass->kinds & (BIT(EVENT_CPU) | BIT(EVENT_OVERRUN));
}

unsigned pass_kinds(const struct pass *pass, unsigned ifindex)
{
	const struct pass_device *device = find(pass, ifindex);

	return pass->kinds | (device ? device->kinds : 0);
}

static struct pass_device *include(struct pass *pass, unsigned ifindex)
{
	struct pass_device *device = find(pass, ifindex);

	if (device)
		return device;
	pass->devices = alloc_more(pass->devices, pass->n, sizeof *pass->devices);
	device = &pass->devices[pass->n++];
	device->ifindex = ifindex;
	return device;
}

static void exclude(struct pass *pass, unsigned ifindex)
{
	struct pass_device *device = find(pass, ifindex);

	if (device)
		*device = pass->devices[--pass->n];
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

struct watch *watch_new(uint64_t audit, uint64_t now)
{
	struct watch *watch = alloc_zero(1, sizeof *watch);

	watch_set_audit(watch, audit, now);
	return watch;
}

void watch_free(struct watch *watch)
{
	if (!watch)
		return;
	drift_clear(watch);
	disputes_clear(watch);
	pass_clear(&watch->pass);
	free(watch);
}

void watch_freep(struct watch **watch)
{
	watch_free(*watch);
	*watch = NULL;
}

void watch_set_audit(struct watch *watch, uint64_t audit, uint64_t now)
{
	watch->audit = audit;
	watch->next_audit = now + audit;
}

/* ---- events to passes (rules 1 to 5) ---------------------------------------------------------------------------- */

static void pend(struct watch *watch, uint64_t now)
{
	if (!watch->pending)
		watch->first_event = now;
	watch->pending = true;
	watch->last_event = now;
}

static void note_device(struct watch *watch, const struct event *event)
{
	include(&watch->pass, event->ifindex)->kinds |= BIT(event->kind);
}

/* Rules 2 to 4. True: there is something to look at. */
static bool note_event(struct watch *watch, const struct event *event)
{
	switch (event->kind) {
	case EVENT_CPU:
	case EVENT_FLOWS:
	case EVENT_OVERRUN:
		watch->pass.everything = true;
		watch->pass.kinds |= BIT(event->kind);
		return true;
	case EVENT_NIC_REMOVED:
		exclude(&watch->pass, event->ifindex);
		if (!watch->pass.everything && !watch->pass.n) {
			pass_clear(&watch->pass);
			watch->pending = false;
		}
		if (!drift_knows(watch, event->ifindex))
			return false;
		watch->pass.everything = true;
		drift_forget(watch, event->ifindex);
		return true;
	case EVENT_NIC_CHANGED:
		watch->pass.everything |= drift_knows(watch, event->ifindex);
		note_device(watch, event);
		return true;
	case EVENT_NIC_ADDED:
	case EVENT_NIC_QUEUES:
	case EVENT_NIC_UP:
	case EVENT_NIC_DOWN:
	case EVENT_NIC_SETTINGS: note_device(watch, event); return true;
	case EVENT_KINDS: break;
	}
	return false;
}

void watch_event(struct watch *watch, uint64_t now, const struct event *event)
{
	watch->counts.events++;
	if (note_event(watch, event))
		pend(watch, now);
}

void watch_everything(struct watch *watch, uint64_t now)
{
	pend(watch, now);
	watch->at_once = true;
	watch->pass.everything = true;
	watch->pass.asked = true;
}

static uint64_t due(const struct watch *watch)
{
	uint64_t quiet = watch->last_event + QUIET, latest = watch->first_event + PATIENCE;

	return watch->at_once ? watch->first_event : quiet < latest ? quiet : latest;
}

static int64_t earlier(int64_t a, int64_t b)
{
	if (a == WATCH_NEVER || b == WATCH_NEVER)
		return a == WATCH_NEVER ? b : a;
	return a < b ? a : b;
}

static int64_t until(uint64_t when, uint64_t now)
{
	return when > now ? (int64_t)(when - now) : 0;
}

int64_t watch_wait(const struct watch *watch, uint64_t now)
{
	int64_t wait = disputes_wait(watch, now);

	if (watch->pending)
		wait = earlier(wait, until(due(watch), now));
	if (watch->audit)
		wait = earlier(wait, until(watch->next_audit, now));
	return wait;
}

bool watch_take(struct watch *watch, uint64_t now, struct pass *ret)
{
	bool audit = watch->audit && now >= watch->next_audit;
	unsigned ifindex;

	if (watch_wait(watch, now) != 0)
		return false;
	while (disputes_next(watch, now, &ifindex))
		include(&watch->pass, ifindex);
	watch->pass.everything |= audit;
	*ret = watch->pass;
	watch->pass = (struct pass){ 0 };
	watch->pending = watch->at_once = false;
	watch->next_audit = now + watch->audit;
	watch->counts.passes++;
	drift_forgive(watch, ret);
	return true;
}

void watch_count(const struct watch *watch, uint64_t now, struct watch_counts *ret)
{
	*ret = watch->counts;
	ret->fights = 0;
	for (size_t i = 0; i < watch->ndisputes; i++)
		ret->fights += dispute_rests(&watch->disputes[i], now);
	ret->remembered = watch->nmemories;
}
