/* Names the part of a device that a setting belongs to, and reads the setting's present value out of the machine model.
 * Pure: reads no file. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "value.h"

bool setting_is_irq(enum setting setting)
{
	return setting == SETTING_IRQ || setting == SETTING_IRQ_CONTROL;
}

bool setting_is_channels(enum setting setting, enum channel_kind *ret)
{
	static const struct {
		enum setting setting;
		enum channel_kind kind;
	} kinds[] = {
		{ SETTING_CHANNELS_RX, CHANNEL_RX },
		{ SETTING_CHANNELS_TX, CHANNEL_TX },
		{ SETTING_CHANNELS_COMBINED, CHANNEL_COMBINED },
	};

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (kinds[i].setting != setting)
			continue;
		if (ret)
			*ret = kinds[i].kind;
		return true;
	}
	return false;
}

/* In a sysctl's name dots part the components, and a slash stands for a dot in one of them (sysctl(8)). */
static char *exchange_dots(const char *before, const char *text)
{
	char *copy = text_format("%s%s", before, text);

	for (char *c = copy + strlen(before); *c; c++) {
		if (*c == '.')
			*c = '/';
		else if (*c == '/')
			*c = '.';
	}
	return copy;
}

char *sysctl_name(const char *path)
{
	static const char below[] = "/proc/sys/";

	return exchange_dots("", text_starts(path, below) ? path + strlen(below) : path);
}

char *sysctl_path(const char *name)
{
	return exchange_dots("proc/sys/", name);
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/* The name without regard to others of the same name. */
static char *plain_part(const struct irq *irq)
{
	const char *role = irq_role_name(irq->role);

	if (irq->rx.set)
		return text_format("%s-%u", role, irq->rx.value);
	if (irq->tx.set)
		return text_format("%s-%u", role, irq->tx.value);
	if (irq->vector.set)
		return text_format("%s-vector-%u", role, irq->vector.value);
	return alloc_string(role);
}

char *part_of_irq(const struct nic *nic, const struct irq *irq)
{
	CLEANUP(free_string) char *part = plain_part(irq);
	unsigned before = 0;

	for (size_t i = 0; i < nic->nirqs && &nic->irqs[i] != irq; i++) {
		CLEANUP(free_string) char *other = plain_part(&nic->irqs[i]);

		before += text_equal(part, other);
	}
	return before ? text_format("%s+%u", part, before) : TAKE(part);
}

const struct irq *irq_of_part(const struct nic *nic, const char *part)
{
	CLEANUP(free_string) char *plain = alloc_string(part);
	char *plus = strchr(plain, '+');
	uint32_t before = 0;

	if (plus && text_u32(plus + 1, &before) < 0)
		return NULL;
	if (plus)
		*plus = '\0';
	for (size_t i = 0; i < nic->nirqs; i++) {
		CLEANUP(free_string) char *other = plain_part(&nic->irqs[i]);

		if (text_equal(plain, other) && before-- == 0)
			return &nic->irqs[i];
	}
	return NULL;
}

char *part_of_change(const struct nic *nic, const struct change *change)
{
	if (change->setting == SETTING_SYSCTL)
		return sysctl_name(change->target);
	if (!setting_is_irq(change->setting))
		return change_queue(change);
	for (size_t i = 0; nic && change->irq.set && i < nic->nirqs; i++)
		if (nic->irqs[i].number == change->irq.value)
			return part_of_irq(nic, &nic->irqs[i]);
	return NULL;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static char *number_text(struct opt_u32 number)
{
	return number.set ? text_format("%u", number.value) : NULL;
}

static char *set_text(const cpuset *set)
{
	return set ? cpuset_list(set) : NULL;
}

static const struct queue *queue_of_part(const struct nic *nic, const char *part)
{
	uint32_t index;

	if (part && text_suffix_u32(part, "rx-", &index) == 0)
		return nic_queue(nic, QUEUE_RX, index);
	if (part && text_suffix_u32(part, "tx-", &index) == 0)
		return nic_queue(nic, QUEUE_TX, index);
	return NULL;
}

static char *queue_value(const struct queue *queue, enum setting setting)
{
	if (!queue)
		return NULL;
	if (setting == SETTING_RPS)
		return set_text(queue->rps);
	if (setting == SETTING_RPS_FLOWS)
		return number_text(queue->rps_flows);
	return set_text(setting == SETTING_XPS ? queue->xps : queue->xps_rxqs);
}

static char *irq_value(const struct irq *irq)
{
	return irq ? set_text(irq->affinity) : NULL;
}

static char *link_value(const struct nic *nic)
{
	if (nic->link == LINK_UNKNOWN)
		return NULL;
	return alloc_string(nic->link == LINK_DOWN ? "down" : "up");
}

static char *feature_value(const struct nic *nic, const char *name)
{
	for (size_t i = 0; i < nic->nfeatures; i++)
		if (strcmp(nic->features[i].name, name) == 0)
			return alloc_string(nic->features[i].active ? "on" : "off");
	return NULL;
}

char *value_now(const struct machine *machine, const struct nic *nic, enum setting setting, const char *part)
{
	enum channel_kind kind;

	if (setting == SETTING_SYSCTL)
		return part ? alloc_string(machine_sysctl(machine, part)) : NULL;
	if (!nic)
		return NULL;
	if (setting_is_channels(setting, &kind))
		return number_text(nic->channels.count[kind]);
	if (setting_is_irq(setting))
		return part ? irq_value(irq_of_part(nic, part)) : NULL;
	if (setting == SETTING_PAUSE)
		return pause_text(&nic->pause);
	if (setting == SETTING_RING_RX || setting == SETTING_RING_TX)
		return number_text(setting == SETTING_RING_RX ? nic->rings.rx : nic->rings.tx);
	if (setting == SETTING_OFFLOAD)
		return part ? feature_value(nic, part) : NULL;
	if (setting == SETTING_LINK)
		return link_value(nic);
	return queue_value(queue_of_part(nic, part), setting);
}

static bool same_direction(struct opt_bool a, struct opt_bool b, bool negotiated)
{
	return a.value == b.value || (negotiated && (!a.set || !b.set));
}

/* Where negotiation alone is asked for, what comes of it is up to the other end. */
static bool same_pause(const char *a, const char *b)
{
	struct pause x, y;

	if (pause_parse(a, &x) < 0 || pause_parse(b, &y) < 0 || x.autoneg.value != y.autoneg.value)
		return false;
	return same_direction(x.rx, y.rx, x.autoneg.value) && same_direction(x.tx, y.tx, x.autoneg.value);
}

/* The kernel parts the numbers of a sysctl by tabs, people by blanks. */
static bool same_words(const char *a, const char *b)
{
	CLEANUP(strings_clear) struct strings x = { 0 }, y = { 0 };
	CLEANUP(free_string) char *first = NULL, *second = NULL;

	strings_split(&x, a, " \t\n");
	strings_split(&y, b, " \t\n");
	first = strings_join(&x, " ");
	second = strings_join(&y, " ");
	return text_equal(first, second);
}

bool value_same(enum setting setting, const char *a, const char *b)
{
	if (!a || !b)
		return false;
	if (text_equal(a, b))
		return true;
	if (setting == SETTING_PAUSE)
		return same_pause(a, b);
	return setting == SETTING_SYSCTL && same_words(a, b);
}
