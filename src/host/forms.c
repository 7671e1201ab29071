/* Says what the kernel would show after a value was written to one of its files, or why it would refuse it
 * (net/core/net-sysfs.c, kernel/irq/proc.c). Writes nothing. */
#include "replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "recorded.h"

/* ---- CPU sets -------------------------------------------------------------------------------------------------- */

cpuset *replay_cpus(struct host *host, const char *which)
{
	CLEANUP(free_string) char *path = text_format("sys/devices/system/cpu/%s", which), *text = NULL;
	cpuset *set = NULL;

	if (host_read(host, path, &text) < 0 || cpuset_parse_list(text, &set) < 0)
		return NULL;
	return set;
}

/* How many ids masks are wide: that of the machine, or where it is not known, of the mask that is there. */
unsigned replay_mask_width(struct host *host, const char *now)
{
	CLEANUP(cpuset_freep) cpuset *possible = replay_cpus(host, "possible");
	unsigned width = 0;

	if (possible && !cpuset_empty(possible))
		return (unsigned)cpuset_last(possible) + 1;
	for (; *now; now++)
		width += *now != ',' && *now != '\n' ? 4 : 0;
	return width ? width : 1;
}

static void keep_known(cpuset *set, cpuset *known)
{
	if (known && !cpuset_empty(known))
		cpuset_keep(set, known);
}

static int parse_mask(const char *value, unsigned width, cpuset **ret)
{
	int r = cpuset_parse_mask(value, ret);

	if (r == 0 && cpuset_last(*ret) >= (int)width) {
		cpuset_freep(ret);
		r = -EOVERFLOW;
	}
	return r == -ERANGE ? -EOVERFLOW : r;
}

/* ---- one form a file ------------------------------------------------------------------------------------------- */

/* Each turns a value into the text the kernel would show afterwards, without the line end. now: the text before. */
typedef int form(struct host *host, const char *path, const char *value, const char *now, char **ret);

/* Isolated CPUs and offline ones are dropped in silence; only a mask of nothing but isolated CPUs is refused. */
static int form_rps_cpus(struct host *host, const char *path, const char *value, const char *now, char **ret)
{
	CLEANUP(cpuset_freep) cpuset *isolated = replay_cpus(host, "isolated"), *nohz = replay_cpus(host, "nohz_full");
	CLEANUP(cpuset_freep) cpuset *online = replay_cpus(host, "online"), *set = NULL;
	unsigned width = replay_mask_width(host, now);
	bool off;
	int r = parse_mask(value, width, &set);

	(void)path;
	if (r < 0)
		return r;
	off = cpuset_empty(set);
	if (isolated)
		cpuset_drop_all(set, isolated);
	if (nohz)
		cpuset_drop_all(set, nohz);
	if (!off && cpuset_empty(set))
		return -EINVAL;
	keep_known(set, online);
	*ret = cpuset_mask(set, width);
	return 0;
}

static int form_rps_flow_cnt(struct host *host, const char *path, const char *value, const char *now, char **ret)
{
	CLEANUP(free_string) char *copy = alloc_string(value);
	uint64_t flows = 1;
	uint32_t wanted;

	(void)host;
	(void)path;
	(void)now;
	if (text_u32(text_trim(copy), &wanted) < 0)
		return -EINVAL;
	while (flows < wanted)
		flows *= 2;
	*ret = text_format("%llu", wanted ? (unsigned long long)flows : 0);
	return 0;
}

/* The device of a queue's file: the directory above "queues". */
static char *device_name(const char *path)
{
	const char *queues = strstr(path, "/queues/"), *start = queues;

	if (!queues)
		return NULL;
	while (start > path && start[-1] != '/')
		start--;
	return text_format("%.*s", (int)(queues - start), start);
}

/* How many tx queues the device was made with, as far as that is known. */
static unsigned allocated_tx(struct host *host, const char *path)
{
	CLEANUP(free_string) char *name = device_name(path), *directory = NULL;
	CLEANUP(strings_clear) struct strings queues = { 0 };
	CLEANUP(nic_clear) struct nic nic = { .name = alloc_string(name ? name : "") };
	unsigned existing = 0, max = 0;

	if (!name)
		return 0;
	directory = text_format("%.*s", (int)(strstr(path, "/queues/") + strlen("/queues") - path), path);
	host_list(host, directory, &queues);
	for (size_t i = 0; i < queues.n; i++)
		existing += text_starts(queues.items[i], "tx-");
	recorded_read(host, &nic, DETAIL_CHANNELS);
	max = (nic.channels.max[CHANNEL_TX].set ? nic.channels.max[CHANNEL_TX].value : 0) +
	      (nic.channels.max[CHANNEL_COMBINED].set ? nic.channels.max[CHANNEL_COMBINED].value : 0);
	return max > existing ? max : existing;
}

static int form_xps_cpus(struct host *host, const char *path, const char *value, const char *now, char **ret)
{
	CLEANUP(cpuset_freep) cpuset *online = replay_cpus(host, "online"), *set = NULL;
	unsigned width = replay_mask_width(host, now);
	int r;

	if (allocated_tx(host, path) == 1)
		return -ENOENT;
	r = parse_mask(value, width, &set);
	if (r < 0)
		return r;
	keep_known(set, online);
	*ret = cpuset_mask(set, width);
	return 0;
}

static int check_affinity(struct host *host, const cpuset *set)
{
	CLEANUP(cpuset_freep) cpuset *online = replay_cpus(host, "online");

	return online && !cpuset_overlap(set, online) ? -EINVAL : 0;
}

static int form_affinity_list(struct host *host, const char *path, const char *value, const char *now, char **ret)
{
	CLEANUP(cpuset_freep) cpuset *possible = replay_cpus(host, "possible"), *set = NULL;
	int r = cpuset_parse_list(value, &set);

	(void)path;
	(void)now;
	if (r == 0 && possible && cpuset_last(set) > cpuset_last(possible))
		r = -ERANGE;
	if (r == 0)
		r = check_affinity(host, set);
	if (r == 0)
		*ret = cpuset_list(set);
	return r;
}

static int form_affinity_mask(struct host *host, const char *path, const char *value, const char *now, char **ret)
{
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	unsigned width = replay_mask_width(host, now);
	int r = parse_mask(value, width, &set);

	(void)path;
	if (r == 0)
		r = check_affinity(host, set);
	if (r == 0)
		*ret = cpuset_mask(set, width);
	return r;
}

int replay_form(struct host *host, const char *path, const char *value, const char *now, char **ret)
{
	static const struct {
		const char *name;
		form *form;
	} forms[] = {
		{ "rps_cpus", form_rps_cpus },          { "rps_flow_cnt", form_rps_flow_cnt },
		{ "xps_cpus", form_xps_cpus },          { "smp_affinity_list", form_affinity_list },
		{ "smp_affinity", form_affinity_mask },
	};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < COUNT_OF(forms); i++)
		if (text_equal(forms[i].name, name))
			return forms[i].form(host, path, value, now, ret);
	*ret = alloc_string(value);
	text_trim(*ret);
	return 0;
}
