/* Decides how many channels of each kind a device gets: what the policy asks for, solved against the device's maxima.
 * Never places a queue.
 *
 *  1. `channels` is a number of queues: combined channels where the device has them, else rx and tx alike.
 *  2. `channels.KIND` speaks for one kind and wins over `channels`.
 *  3. What is above the device's maximum is capped, and said.
 *  4. A device with rx and tx channels apart gives them up when it gets combined ones: most have one or the other.
 *  5. While an XDP program is attached no count is raised, and none changed where the driver refuses or miscounts it.
 *  6. No device is left without a receive or a transmit queue.
 *  7. `other` channels are never touched. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "draft.h"
#include "drivers.h"

static const enum setting settings[CHANNEL_KINDS] = {
	[CHANNEL_RX] = SETTING_CHANNELS_RX,
	[CHANNEL_TX] = SETTING_CHANNELS_TX,
	[CHANNEL_COMBINED] = SETTING_CHANNELS_COMBINED,
};

struct solution {
	struct {
		const struct count_value *key; /* NULL: this kind is left as it is */
		struct opt_u32 count;
		char *why;
		char *why_not;
	} kinds[CHANNEL_KINDS];
};

static bool has(const struct nic *nic, enum channel_kind kind)
{
	const struct channels *channels = &nic->channels;

	if (channels->max[kind].set)
		return channels->max[kind].value > 0;
	return channels->count[kind].set && channels->count[kind].value > 0;
}

static uint32_t now(const struct nic *nic, enum channel_kind kind)
{
	return nic->channels.count[kind].value; /* 0 when the device has none of the kind */
}

/* ---- what there can be ------------------------------------------------------------------------------------------ */

static bool has_none(const struct nic *nic)
{
	return !has(nic, CHANNEL_RX) && !has(nic, CHANNEL_TX) && !has(nic, CHANNEL_COMBINED);
}

static uint32_t greater(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t most(const struct nic *nic, enum channel_kind kind)
{
	if (!has(nic, kind))
		return 0;
	return nic->channels.max[kind].set ? nic->channels.max[kind].value : UINT32_MAX;
}

uint32_t channels_most_rx(const struct nic *nic)
{
	if (has_none(nic) || driver_has(nic, DRIVER_FIXED_CHANNELS))
		return nic_queue_count(nic, QUEUE_RX);
	return greater(most(nic, CHANNEL_COMBINED), most(nic, CHANNEL_RX));
}

/* What the section may make of a kind of channels. */
static uint32_t attainable(const struct job *job, enum channel_kind kind)
{
	const struct count_value *key = &job->section->channels_kind[kind];
	uint32_t limit = most(job->nic, kind);

	if (key->mode == COUNT_ABSENT)
		key = &job->section->channels;
	if (key->mode == COUNT_NUMBER && key->number < limit)
		return key->number;
	return key->mode == COUNT_ABSENT ? now(job->nic, kind) : limit;
}

static uint32_t present(const struct nic *nic)
{
	uint32_t queues = greater(nic_queue_count(nic, QUEUE_RX), nic_queue_count(nic, QUEUE_TX));

	if (queues == 0)
		queues = now(nic, CHANNEL_COMBINED) + greater(now(nic, CHANNEL_RX), now(nic, CHANNEL_TX));
	return queues ? queues : UINT32_MAX;
}

uint32_t channels_demand(const struct job *job)
{
	const struct nic *nic = job->nic;
	uint32_t combined, apart;

	if (has_none(nic) || driver_has(nic, DRIVER_FIXED_CHANNELS) || nic->xdp || draft_forbids(job, COST_RENUMBERS))
		return present(nic);
	combined = attainable(job, CHANNEL_COMBINED);
	apart = greater(attainable(job, CHANNEL_RX), attainable(job, CHANNEL_TX));
	return combined ? combined : greater(apart, 1);
}

/* ---- what is asked ---------------------------------------------------------------------------------------------- */

/* The number a key stands for, with its reason in words. Not set: why_not says why. */
static struct opt_u32 asked(const struct job *job, const struct count_value *key, struct opt_u32 max, char **ret_why,
			    char **ret_why_not)
{
	switch (key->mode) {
	case COUNT_ABSENT: break;
	case COUNT_NUMBER: *ret_why = text_format("asked %u", key->number); return SOME_U32(key->number);
	case COUNT_MAX:
		if (!max.set) {
			*ret_why_not = alloc_string("the driver does not say its maximum");
			break;
		}
		*ret_why = text_format("the device's maximum, %u", max.value);
		return max;
	case COUNT_PER_CPU:
		if (job->ncpus == 0) {
			*ret_why_not = text_format("there is no CPU to count: %s", job->cpus_why);
			break;
		}
		*ret_why = job->ncpus == 1 ? text_format("one for the only CPU: %s", job->cpus_why)
					   : text_format("one for each of %zu CPUs: %s", job->ncpus, job->cpus_why);
		return SOME_U32((uint32_t)job->ncpus);
	}
	return (struct opt_u32){ 0 };
}

static void solve_kind(const struct job *job, struct solution *solution, enum channel_kind kind,
		       const struct count_value *key)
{
	struct opt_u32 max = job->nic->channels.max[kind];
	CLEANUP(free_string) char *why = NULL;

	free_string(&solution->kinds[kind].why);
	free_string(&solution->kinds[kind].why_not);
	solution->kinds[kind].key = key;
	if (!has(job->nic, kind)) {
		solution->kinds[kind].why_not = text_format("the device has no %s channels", channel_kind_name(kind));
		return;
	}
	solution->kinds[kind].count = asked(job, key, max, &why, &solution->kinds[kind].why_not);
	if (why && max.set && solution->kinds[kind].count.value > max.value) { /* rule 3 */
		solution->kinds[kind].count = max;
		solution->kinds[kind].why = text_format("%s, but the device has at most %u", why, max.value);
		return;
	}
	solution->kinds[kind].why = TAKE(why);
}

static void solve_drop(struct solution *solution, enum channel_kind kind, const struct count_value *key)
{
	solution->kinds[kind].key = key;
	solution->kinds[kind].count = SOME_U32(0);
	solution->kinds[kind].why = alloc_string("combined channels take the place of rx and tx ones");
}

static void solve(const struct job *job, struct solution *solution)
{
	static const enum channel_kind kinds[] = { CHANNEL_RX, CHANNEL_TX, CHANNEL_COMBINED };
	const struct count_value *all = &job->section->channels;
	const struct nic *nic = job->nic;
	bool combined = has(nic, CHANNEL_COMBINED);

	for (size_t i = 0; i < COUNT_OF(kinds) && all->mode != COUNT_ABSENT; i++) { /* rule 1 */
		if (combined == (kinds[i] == CHANNEL_COMBINED) && has(nic, kinds[i]))
			solve_kind(job, solution, kinds[i], all);
		else if (combined && now(nic, CHANNEL_COMBINED) == 0 && now(nic, kinds[i]) > 0) /* rule 4 */
			solve_drop(solution, kinds[i], all);
	}
	for (size_t i = 0; i < COUNT_OF(kinds); i++) /* rule 2 */
		if (job->section->channels_kind[kinds[i]].mode != COUNT_ABSENT)
			solve_kind(job, solution, kinds[i], &job->section->channels_kind[kinds[i]]);
}

static uint32_t then(const struct nic *nic, const struct solution *solution, enum channel_kind kind)
{
	return solution->kinds[kind].count.set ? solution->kinds[kind].count.value : now(nic, kind);
}

/* Why nothing may be changed at all, or NULL. */
static const char *refused(const struct nic *nic, const struct solution *solution)
{
	uint32_t combined = then(nic, solution, CHANNEL_COMBINED);
	uint32_t rx = combined + then(nic, solution, CHANNEL_RX), tx = combined + then(nic, solution, CHANNEL_TX);

	if (driver_has(nic, DRIVER_FIXED_CHANNELS))
		return "the driver shows its channels but has no way to set them";
	if (nic->xdp && driver_has(nic, DRIVER_XDP_LOCKS)) /* rule 5 */
		return "an XDP program is attached: the driver keeps its channels for it";
	if (nic->xdp && (rx > now(nic, CHANNEL_COMBINED) + now(nic, CHANNEL_RX) ||
			 tx > now(nic, CHANNEL_COMBINED) + now(nic, CHANNEL_TX)))
		return "an XDP program is attached: more channels could leave it without transmit queues";
	if (rx == 0 || tx == 0) /* rule 6 */
		return "the device would be left without a receive or a transmit queue";
	return NULL;
}

static struct change change_of(const struct job *job, const struct solution *solution, enum channel_kind kind)
{
	const struct opt_u32 *count = &solution->kinds[kind].count;
	struct change change = {
		.setting = settings[kind],
		.origin = solution->kinds[kind].key->at,
		.cost = COST_RENUMBERS | (driver_has(job->nic, DRIVER_KEEPS_LINK) ? 0 : COST_LINK_RESET),
		.from = has(job->nic, kind) ? text_format("%u", now(job->nic, kind)) : NULL,
		.to = count->set ? text_format("%u", count->value) : NULL,
		.target = alloc_string("ethtool:channels"),
		.why = alloc_string(solution->kinds[kind].why),
		.skipped = alloc_string(solution->kinds[kind].why_not),
	};

	return change;
}

/* A device without channels has the queues it has. That is as wanted where more, or as many as can be, are asked for.
 */
static void none_to_set(struct draft *draft, struct job *job, enum channel_kind kind, const struct count_value *key)
{
	struct change change = { .setting = settings[kind], .origin = key->at };
	uint32_t rx = nic_queue_count(job->nic, QUEUE_RX), tx = nic_queue_count(job->nic, QUEUE_TX);
	uint32_t is = kind == CHANNEL_RX ? rx : kind == CHANNEL_TX ? tx : rx == tx ? rx : 0;
	CLEANUP(free_string) char *why = NULL, *why_not = NULL;
	struct opt_u32 want;

	if (key->mode == COUNT_ABSENT)
		return;
	change.target = alloc_string("ethtool:channels");
	want = asked(job, key, SOME_U32(is), &why, &why_not);
	if (is && (want.value == is || (want.value > is && key->mode == COUNT_PER_CPU))) {
		change.from = text_format("%u", is);
		change.to = text_format("%u", is);
		change.why = text_format(want.value > is ? "%s, but the device has no more than %u" : "%s", why, is);
	}
	change.skipped = alloc_string("the driver has no channels to set");
	draft_add(draft, job, change);
}

void plan_channels(struct draft *draft, struct job *job)
{
	static const enum channel_kind kinds[] = { CHANNEL_RX, CHANNEL_TX, CHANNEL_COMBINED };
	struct solution solution = { 0 };
	const char *refusal;
	bool barrier = false;

	if (has_none(job->nic)) {
		none_to_set(draft, job, CHANNEL_COMBINED, &job->section->channels);
		for (size_t i = 0; i < COUNT_OF(kinds); i++)
			none_to_set(draft, job, kinds[i], &job->section->channels_kind[kinds[i]]);
		return;
	}
	solve(job, &solution);
	refusal = refused(job->nic, &solution);
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		struct change change;

		if (!solution.kinds[kinds[i]].key)
			continue;
		change = change_of(job, &solution, kinds[i]);
		if (refusal && !change.skipped)
			change.skipped = alloc_string(refusal);
		if (draft_add(draft, job, change)->state == CHANGE_TODO) {
			job->then.channels.count[kinds[i]] = solution.kinds[kinds[i]].count;
			barrier = true;
		}
		free(solution.kinds[kinds[i]].why);
		free(solution.kinds[kinds[i]].why_not);
	}
	if (barrier)
		forecast_barrier(job);
}
