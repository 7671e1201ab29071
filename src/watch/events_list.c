/* Keeps the events that wait to be taken, in their order. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "sources.h"

void event_list_add(struct event_list *list, enum event_kind kind, unsigned ifindex)
{
	const struct event *last = list->n > list->taken ? &list->items[list->n - 1] : NULL;

	if (last && last->kind == kind && last->ifindex == ifindex)
		return;
	list->items = alloc_more(list->items, list->n, sizeof *list->items);
	list->items[list->n++] = (struct event){ .kind = kind, .ifindex = ifindex };
}

bool event_list_take(struct event_list *list, struct event *ret)
{
	if (list->taken < list->n) {
		*ret = list->items[list->taken++];
		return true;
	}
	free(list->items); /* a storm's worth is not kept */
	*list = (struct event_list){ 0 };
	return false;
}

const char *event_kind_name(enum event_kind kind)
{
	switch (kind) {
	case EVENT_NIC_ADDED: return "added";
	case EVENT_NIC_CHANGED: return "changed";
	case EVENT_NIC_QUEUES: return "queues";
	case EVENT_NIC_UP: return "up";
	case EVENT_NIC_DOWN: return "down";
	case EVENT_NIC_SETTINGS: return "settings";
	case EVENT_NIC_REMOVED: return "removed";
	case EVENT_CPU: return "cpu";
	case EVENT_FLOWS: return "flows";
	case EVENT_OVERRUN: return "overrun";
	case EVENT_KINDS: break;
	}
	return "?";
}
