/* Settings of a device as a whole that are neither channels nor flow control: ring sizes, and that it is up. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "draft.h"
#include "drivers.h"

/* ---- rings ------------------------------------------------------------------------------------------------------ */

static uint64_t power_of_two(uint64_t least)
{
	uint64_t power = 1;

	while (power < least)
		power *= 2;
	return power;
}

/* Drivers round a ring size up, to a power of two or to a multiple of 8 to 128, and say nothing. */
static bool rounds_to(uint32_t asked, uint32_t is)
{
	if (is <= asked)
		return is == asked;
	if (is == power_of_two(asked))
		return true;
	for (uint32_t step = 8; step <= 128; step *= 2)
		if (is % step == 0 && is - asked < step)
			return true;
	return false;
}

static void plan_ring(struct draft *draft, struct job *job, enum setting setting, const struct count_value *key,
		      struct opt_u32 is, struct opt_u32 max)
{
	struct change change = { .setting = setting, .cost = COST_LINK_RESET, .origin = key->at };
	uint32_t want = key->mode == COUNT_MAX ? max.value : key->number;

	if (key->mode != COUNT_MAX && key->mode != COUNT_NUMBER)
		return;
	if (driver_has(job->nic, DRIVER_RINGS_REMAKE))
		change.cost |= COST_RENUMBERS;
	change.target = alloc_string("ethtool:rings");
	change.from = is.set ? text_format("%u", is.value) : NULL;
	if (!is.set || (max.set ? max.value == 0 : key->mode == COUNT_MAX)) {
		change.skipped = alloc_string("the driver has no ring sizes to set");
	} else if (key->mode == COUNT_MAX) {
		change.why = text_format("the device's maximum, %u descriptors", max.value);
	} else if (max.set && want > max.value) {
		change.why = text_format("asked %u descriptors, the device has at most %u", want, max.value);
		want = max.value;
	} else if (want != is.value && rounds_to(want, is.value)) {
		change.why = text_format("asked %u descriptors, which the driver rounds to %u", want, is.value);
		want = is.value;
	} else {
		change.why = text_format("asked %u descriptors", want);
	}
	change.to = want ? text_format("%u", want) : NULL;
	draft_add(draft, job, change);
}

void plan_rings(struct draft *draft, struct job *job)
{
	const struct rings *rings = &job->nic->rings;

	plan_ring(draft, job, SETTING_RING_RX, &job->section->ring_rx, rings->rx, rings->rx_max);
	plan_ring(draft, job, SETTING_RING_TX, &job->section->ring_tx, rings->tx, rings->tx_max);
}

/* ---- link ------------------------------------------------------------------------------------------------------- */

void plan_link(struct draft *draft, struct job *job)
{
	const struct word_value *key = &job->section->link;
	enum link_state link = job->nic->link;
	struct change change = { .setting = SETTING_LINK, .origin = key->at };
	bool barrier = forecast_waits_for_link(job);

	if (!key->at.line || !key->value)
		return;
	if (link == LINK_UNKNOWN)
		change.skipped = alloc_string("whether the device is up is not known");
	else
		change.from = alloc_string(link == LINK_DOWN ? "down" : "up");
	change.to = alloc_string("up");
	change.target = alloc_string("rtnetlink:link");
	change.why = alloc_string(barrier ? "the device is to be up; its interrupts exist from then on"
					  : "the device is to be up");
	change.cost = barrier ? COST_RENUMBERS : 0;
	if (draft_add(draft, job, change)->state != CHANGE_TODO)
		return;
	job->then.link = LINK_UP;
	if (barrier)
		forecast_barrier(job);
}
