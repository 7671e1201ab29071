/* Hands the values of changes to the kernel, by file or message, and reads them back. Decides nothing: neither what to
 * write nor what a refusal means. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/net.h>

#include "value.h"
#include "write.h"

void answer_clear(struct answer *answer)
{
	free(answer->said);
	free(answer->now);
	*answer = (struct answer){ 0 };
}

static bool is_ring(enum setting setting)
{
	return setting == SETTING_RING_RX || setting == SETTING_RING_TX;
}

size_t write_together(struct change *const *changes, size_t n)
{
	size_t together = 1;

	while (together < n) {
		enum setting first = changes[0]->setting, next = changes[together]->setting;

		if (!(setting_is_channels(first, NULL) && setting_is_channels(next, NULL)) &&
		    !(is_ring(first) && is_ring(next)))
			break;
		together++;
	}
	return together;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

char *write_path(const struct nic *nic, const struct change *change)
{
	static const char *const files[SETTINGS] = {
		[SETTING_RPS] = "rx-%u/rps_cpus",
		[SETTING_RPS_FLOWS] = "rx-%u/rps_flow_cnt",
		[SETTING_XPS] = "tx-%u/xps_cpus",
		[SETTING_XPS_RXQS] = "tx-%u/xps_rxqs",
	};
	const char *slash;

	if (change->setting == SETTING_SYSCTL)
		return alloc_string(change->target + strspn(change->target, "/"));
	if (setting_is_irq(change->setting))
		return text_format("proc/irq/%u/smp_affinity_list", change->irq.value);
	if (!files[change->setting])
		return NULL;
	slash = strchr(files[change->setting], '/');
	return text_format("sys/class/net/%s/queues/%.3s%u%s", nic->name, files[change->setting], change->index, slash);
}

/* A mask is as wide as the kernel prints it: by CPUs, or in xps_rxqs by receive queues. */
static unsigned mask_width(const struct machine *machine, const struct nic *nic, enum setting setting)
{
	return setting == SETTING_XPS_RXQS ? nic_queue_count(nic, QUEUE_RX) : machine->topology.nr_cpu_ids;
}

static bool is_mask(enum setting setting)
{
	return setting == SETTING_RPS || setting == SETTING_XPS || setting == SETTING_XPS_RXQS;
}

static int to_text(const struct machine *machine, const struct nic *nic, const struct change *change, char **ret)
{
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	int r;

	if (!is_mask(change->setting)) {
		*ret = alloc_string(change->to);
		return 0;
	}
	if ((r = cpuset_parse_list(change->to, &set)) < 0)
		return r;
	*ret = cpuset_mask(set, mask_width(machine, nic, change->setting));
	return 0;
}

static int put_file(struct host *host, const struct machine *machine, const struct nic *nic,
		    const struct change *change, char **now)
{
	CLEANUP(free_string) char *path = write_path(nic, change), *text = NULL;
	int r = to_text(machine, nic, change, &text);

	return r < 0 ? r : host_write_back(host, path, text, now);
}

/* The canonical form of what a file says, or NULL. */
static char *from_text(enum setting setting, const char *text)
{
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	int r;

	if (!is_mask(setting) && !setting_is_irq(setting))
		return alloc_string(text);
	r = is_mask(setting) ? cpuset_parse_mask(text, &set) : cpuset_parse_list(text, &set);
	return r < 0 ? NULL : cpuset_list(set);
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

static int put_channels(struct host *host, const struct nic *nic, struct change *const *changes, size_t n, char **said)
{
	struct channels want = { 0 };

	for (size_t i = 0; i < n; i++) {
		enum channel_kind kind;
		uint32_t count;
		int r = text_u32(changes[i]->to, &count);

		if (r < 0 || !setting_is_channels(changes[i]->setting, &kind))
			return r < 0 ? r : -EINVAL;
		want.count[kind] = SOME_U32(count);
	}
	return net_set_channels(host, nic, &want, said);
}

static int put_rings(struct host *host, const struct nic *nic, struct change *const *changes, size_t n, char **said)
{
	struct rings want = { 0 };

	for (size_t i = 0; i < n; i++) {
		uint32_t size;
		int r = text_u32(changes[i]->to, &size);

		if (r < 0)
			return r;
		if (changes[i]->setting == SETTING_RING_RX)
			want.rx = SOME_U32(size);
		else
			want.tx = SOME_U32(size);
	}
	return net_set_rings(host, nic, &want, said);
}

/* With autonegotiation on, many drivers ignore what rx and tx say; others refuse to be told about autonegotiation at
 * all. So all three are sent, and where that is refused rx and tx alone. */
static int put_pause(struct host *host, const struct nic *nic, const struct change *change, char **said,
		     unsigned *values)
{
	struct pause want;
	int r = pause_parse(change->to, &want);

	if (r < 0)
		return r;
	r = net_set_pause(host, nic, &want, said);
	if ((r == -EINVAL || r == -EOPNOTSUPP) && want.autoneg.set && !want.autoneg.value) {
		CLEANUP(free_string) char *again = NULL;

		want.autoneg.set = false;
		if (net_set_pause(host, nic, &want, &again) == 0) {
			++*values;
			free_string(said);
			return 0;
		}
	}
	return r;
}

static int put_feature(struct host *host, const struct nic *nic, const struct change *change, char **said)
{
	return net_set_feature(host, nic, offload_feature(change->index), strcmp(change->to, "on") == 0, said);
}

static unsigned detail_of(enum setting setting)
{
	if (setting_is_channels(setting, NULL))
		return DETAIL_CHANNELS;
	if (setting == SETTING_PAUSE)
		return DETAIL_PAUSE;
	return setting == SETTING_OFFLOAD ? DETAIL_FEATURES : DETAIL_RINGS;
}

static char *read_message(struct host *host, const struct nic *nic, const struct change *change)
{
	CLEANUP(nic_clear) struct nic probe = { .name = alloc_string(nic->name), .ifindex = nic->ifindex };
	CLEANUP(free_string) char *part = change_queue(change);

	if (net_read(host, &probe, detail_of(change->setting)) < 0)
		return NULL;
	return value_now(NULL, &probe, change->setting, part);
}

static char *read_link(struct host *host, const struct nic *nic)
{
	CLEANUP(free_string) char *path = text_format("sys/class/net/%s/flags", nic->name), *text = NULL;

	if (host_read(host, path, &text) < 0)
		return NULL;
	return alloc_string(strtoul(text, NULL, 16) & 1 ? "up" : "down");
}

static bool is_message(enum setting setting)
{
	return setting_is_channels(setting, NULL) || is_ring(setting) || setting == SETTING_PAUSE ||
	       setting == SETTING_OFFLOAD;
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

char *write_read_back(struct host *host, const struct nic *nic, const struct change *change,
		      const struct answer *answer)
{
	if (change->setting == SETTING_LINK)
		return read_link(host, nic);
	if (is_message(change->setting))
		return read_message(host, nic, change);
	return answer->now ? from_text(change->setting, answer->now) : NULL;
}

unsigned write_values(struct host *host, const struct machine *machine, const struct nic *nic,
		      struct change *const *changes, size_t n, struct answer *ret)
{
	const struct change *first = changes[0];
	struct answer answer = { 0 };
	unsigned values = (unsigned)n;

	if (setting_is_channels(first->setting, NULL))
		answer.error = put_channels(host, nic, changes, n, &answer.said);
	else if (is_ring(first->setting))
		answer.error = put_rings(host, nic, changes, n, &answer.said);
	else if (first->setting == SETTING_PAUSE)
		answer.error = put_pause(host, nic, first, &answer.said, &values);
	else if (first->setting == SETTING_OFFLOAD)
		answer.error = put_feature(host, nic, first, &answer.said);
	else if (first->setting == SETTING_LINK)
		answer.error = net_set_up(host, nic, &answer.said);
	else
		answer.error = put_file(host, machine, nic, first, &answer.now);
	*ret = answer;
	return values;
}
