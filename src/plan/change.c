/* One change: copying and freeing it, and the words of its enums. Decides nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/plan.h>

void change_clear(struct change *change)
{
	free(change->device);
	free(change->path);
	free(change->from);
	free(change->to);
	free(change->target);
	free(change->why);
	free(change->skipped);
	*change = (struct change){ 0 };
}

void change_copy(struct change *to, const struct change *from)
{
	*to = *from;
	to->device = alloc_string(from->device);
	to->path = alloc_string(from->path);
	to->from = alloc_string(from->from);
	to->to = alloc_string(from->to);
	to->target = alloc_string(from->target);
	to->why = alloc_string(from->why);
	to->skipped = alloc_string(from->skipped);
}

char *change_queue(const struct change *change)
{
	if (change->setting == SETTING_OFFLOAD)
		return alloc_string(offload_feature(change->index));
	if (change->queue == QUEUE_NONE)
		return NULL;
	return text_format("%s-%u", queue_type_name(change->queue), change->index);
}

static const char *const setting_names[SETTINGS] = {
	[SETTING_PAUSE] = "pause",
	[SETTING_OFFLOAD] = "offload",
	[SETTING_RING_RX] = "ring.rx",
	[SETTING_RING_TX] = "ring.tx",
	[SETTING_CHANNELS_RX] = "channels.rx",
	[SETTING_CHANNELS_TX] = "channels.tx",
	[SETTING_CHANNELS_COMBINED] = "channels.combined",
	[SETTING_LINK] = "link",
	[SETTING_IRQ] = "irq",
	[SETTING_IRQ_CONTROL] = "irq.control",
	[SETTING_RPS] = "rps",
	[SETTING_RPS_FLOWS] = "rps.flows",
	[SETTING_XPS] = "xps",
	[SETTING_XPS_RXQS] = "xps.rxqs",
	[SETTING_SYSCTL] = "sysctl",
	[SETTING_FMC] = "fmc",
};

const char *setting_name(enum setting setting)
{
	return setting_names[setting];
}

int setting_parse(const char *word, enum setting *ret)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		if (strcmp(setting_names[i], word) == 0) {
			*ret = (enum setting)i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *change_state_name(enum change_state state)
{
	switch (state) {
	case CHANGE_SAME: return "same";
	case CHANGE_TODO: return "todo";
	case CHANGE_SKIPPED: return "skipped";
	case CHANGE_DONE: return "done";
	case CHANGE_FAILED: return "failed";
	case CHANGE_DEFERRED: return "deferred";
	case CHANGE_GONE: return "gone";
	}
	return "?";
}
