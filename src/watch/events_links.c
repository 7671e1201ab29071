/* Knows the devices of this namespace and tells what happened to them from what the kernel and udev say. Pure: no
 * clock, no system call.
 *
 * 1. A device is announced once: at the kernel's first word of it, or, where udev is waited for, when udev is done with
 *    it or has taken too long.
 * 2. Before that nothing is said of it, and nothing of its end.
 * 3. Up and carrier count as one: whichever comes is "up", whichever goes is "down".
 * 4. Where udev has failed one device and finished none, it is another namespace's: the next devices wait less. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "sources.h"

enum { NO_PATIENCE = 500 };

void links_clear(struct links *links)
{
	free(links->items);
	links->items = NULL;
	links->n = links->last = 0;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

/* The place of a device, or where it would be. */
static size_t place(const struct links *links, unsigned ifindex)
{
	size_t low = 0, high = links->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (links->items[middle].news.ifindex < ifindex)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct link *find(const struct links *links, unsigned ifindex)
{
	size_t at = place(links, ifindex);

	return at < links->n && links->items[at].news.ifindex == ifindex ? &links->items[at] : NULL;
}

const struct link *links_find(const struct links *links, unsigned ifindex)
{
	return find(links, ifindex);
}

/* Many words about one device come in a row. */
const struct link *links_named(struct links *links, const char *name)
{
	for (size_t i = 0; i < links->n; i++) {
		size_t at = (links->last + i) % links->n;

		if (strcmp(links->items[at].news.name, name) == 0) {
			links->last = at;
			return &links->items[at];
		}
	}
	return NULL;
}

static struct link *add(struct links *links, uint64_t now, unsigned ifindex)
{
	size_t at = place(links, ifindex);

	links->items = alloc_more(links->items, links->n, sizeof *links->items);
	memmove(&links->items[at + 1], &links->items[at], (links->n - at) * sizeof *links->items);
	links->n++;
	links->items[at] = (struct link){
		.news.ifindex = ifindex,
		.announced = !links->wait_for_udev,
		.deadline = now + (links->gave_up && !links->heard ? NO_PATIENCE : links->patience),
	};
	return &links->items[at];
}

/* Shrinks where alloc_more() grows: a storm leaves no large table behind. */
static void drop(struct links *links, struct link *link)
{
	size_t at = (size_t)(link - links->items), n = --links->n;
	struct link *smaller;

	memmove(link, link + 1, (n - at) * sizeof *link);
	links->last = 0;
	if (n == 0 || (n & (n - 1)) != 0)
		return;
	smaller = reallocarray(links->items, n, sizeof *link);
	if (smaller)
		links->items = smaller;
}

/* ---- the kernel's words ----------------------------------------------------------------------------------------- */

/* Rule 3. */
static void compare(const struct link_news *was, const struct link_news *is, struct event_list *list)
{
	if ((is->up && !was->up) || (is->carrier && !was->carrier))
		event_list_add(list, EVENT_NIC_UP, is->ifindex);
	else if ((was->up && !is->up) || (was->carrier && !is->carrier))
		event_list_add(list, EVENT_NIC_DOWN, is->ifindex);
	if (strcmp(was->name, is->name) != 0 || was->master != is->master || was->xdp != is->xdp)
		event_list_add(list, EVENT_NIC_CHANGED, is->ifindex);
}

void links_tell(struct links *links, uint64_t now, const struct link_news *news, struct event_list *list)
{
	struct link *link = find(links, news->ifindex);

	if (!link) {
		link = add(links, now, news->ifindex);
		if (link->announced)
			event_list_add(list, EVENT_NIC_ADDED, news->ifindex);
	} else if (link->announced) {
		compare(&link->news, news, list);
	}
	link->news = *news;
	link->listed = true;
}

void links_gone(struct links *links, unsigned ifindex, struct event_list *list)
{
	struct link *link = find(links, ifindex);

	if (!link)
		return;
	if (link->announced)
		event_list_add(list, EVENT_NIC_REMOVED, ifindex);
	drop(links, link);
}

/* A name that is not known is that of a device that comes, goes or is renamed: its own event is on the way. */
void links_queues(struct links *links, const char *name, struct event_list *list)
{
	const struct link *link = links_named(links, name);

	if (link && link->announced)
		event_list_add(list, EVENT_NIC_QUEUES, link->news.ifindex);
}

void links_settings(struct links *links, unsigned ifindex, enum event_kind kind, struct event_list *list)
{
	const struct link *link = find(links, ifindex);

	if (link && link->announced)
		event_list_add(list, kind, ifindex);
}

/* ---- udev's words ----------------------------------------------------------------------------------------------- */

/* Udev lags behind the kernel: a device that is not here has gone. */
void links_ready(struct links *links, unsigned ifindex, struct event_list *list)
{
	struct link *link = find(links, ifindex);

	links->heard = true;
	if (!link)
		return;
	event_list_add(list, link->announced ? EVENT_NIC_CHANGED : EVENT_NIC_ADDED, ifindex);
	link->announced = true;
}

int64_t links_wait(const struct links *links, uint64_t now)
{
	int64_t wait = -1;

	for (size_t i = 0; i < links->n; i++) {
		const struct link *link = &links->items[i];
		int64_t left = link->deadline > now ? (int64_t)(link->deadline - now) : 0;

		if (!link->announced && (wait < 0 || left < wait))
			wait = left;
	}
	return wait;
}

void links_expire(struct links *links, uint64_t now, struct event_list *list)
{
	for (size_t i = 0; i < links->n; i++) {
		struct link *link = &links->items[i];

		if (link->announced || link->deadline > now)
			continue;
		link->announced = links->gave_up = true;
		event_list_add(list, EVENT_NIC_ADDED, link->news.ifindex);
	}
}

/* ---- a list of all ---------------------------------------------------------------------------------------------- */

void links_begin(struct links *links)
{
	for (size_t i = 0; i < links->n; i++)
		links->items[i].listed = false;
}

void links_enter(struct links *links, uint64_t now, const struct link_news *news, bool done)
{
	struct link *link = find(links, news->ifindex);

	if (!link)
		link = add(links, now, news->ifindex);
	link->announced |= done;
	link->news = *news;
	link->listed = true;
}

void links_end(struct links *links)
{
	for (size_t i = links->n; i-- > 0;)
		if (!links->items[i].listed)
			drop(links, &links->items[i]);
}
