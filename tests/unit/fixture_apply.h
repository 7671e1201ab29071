/* Carries out a plan on a machine in memory, as an ordinary driver would: a channel change makes all queues and
 * interrupts anew, with new numbers and wide affinity. For tests alone. */
#pragma once

#include "fixture.h"

static inline struct queue *fixture_queue_of(struct nic *nic, const struct change *change)
{
	struct queue *queue = nic_queue(nic, change->queue, change->index);

	assert_non_null(queue);
	return queue;
}

static inline void fixture_replace(cpuset **set, const char *list)
{
	cpuset_free(*set);
	*set = fixture_set(list);
}

static inline void fixture_write(struct machine *machine, const struct change *change)
{
	struct nic *nic = change->device ? machine_nic(machine, change->device) : NULL;
	uint32_t number = 0;

	text_u32(change->to, &number);
	switch (change->setting) {
	case SETTING_PAUSE: assert_int_equal(pause_parse(change->to, &nic->pause), 0); return;
	case SETTING_OFFLOAD:
		for (size_t i = 0; i < nic->nfeatures; i++)
			if (text_equal(nic->features[i].name, offload_feature(change->index)))
				nic->features[i].active = text_equal(change->to, "on");
		return;
	case SETTING_RING_RX: nic->rings.rx = SOME_U32(number); return;
	case SETTING_RING_TX: nic->rings.tx = SOME_U32(number); return;
	case SETTING_CHANNELS_RX: nic->channels.count[CHANNEL_RX] = SOME_U32(number); return;
	case SETTING_CHANNELS_TX: nic->channels.count[CHANNEL_TX] = SOME_U32(number); return;
	case SETTING_CHANNELS_COMBINED: nic->channels.count[CHANNEL_COMBINED] = SOME_U32(number); return;
	case SETTING_LINK: nic->link = LINK_UP; return;
	case SETTING_IRQ:
	case SETTING_IRQ_CONTROL:
		for (size_t i = 0; i < nic->nirqs; i++)
			if (nic->irqs[i].number == change->irq.value)
				fixture_replace(&nic->irqs[i].affinity, change->to);
		return;
	case SETTING_RPS: fixture_replace(&fixture_queue_of(nic, change)->rps, change->to); return;
	case SETTING_RPS_FLOWS: fixture_queue_of(nic, change)->rps_flows = SOME_U32(number); return;
	case SETTING_XPS: fixture_replace(&fixture_queue_of(nic, change)->xps, change->to); return;
	case SETTING_XPS_RXQS: fixture_replace(&fixture_queue_of(nic, change)->xps_rxqs, change->to); return;
	case SETTING_SYSCTL:
		for (size_t i = 0; i < machine->nsysctls; i++) {
			if (!text_equal(machine->sysctls[i].name, change->path))
				continue;
			free(machine->sysctls[i].value);
			machine->sysctls[i].value = alloc_string(change->to);
		}
		return;
	case SETTING_FMC: /* never by a reconciliation */
	case SETTINGS: return;
	}
}

static inline void fixture_remake(struct machine *machine, struct nic *nic, unsigned first_irq)
{
	const struct opt_u32 *count = nic->channels.count;
	unsigned combined = count[CHANNEL_COMBINED].value;
	unsigned rx = combined + count[CHANNEL_RX].value, tx = combined + count[CHANNEL_TX].value;
	CLEANUP(free_string) char *online = cpuset_list(machine->topology.online);

	fixture_forget_queues(nic);
	fixture_queues(nic, rx, tx);
	fixture_irq(nic, first_irq++, IRQ_CONTROL, 0, online);
	for (unsigned i = 0; i < combined; i++)
		fixture_irq(nic, first_irq++, IRQ_COMBINED, i, online);
	for (unsigned i = combined; i < rx; i++)
		fixture_irq(nic, first_irq++, IRQ_RX, i, online);
	for (unsigned i = combined; i < tx; i++)
		fixture_irq(nic, first_irq++, IRQ_TX, i, online);
}

/* Applies the first stage of a plan. Returns how many changes that were. All counts of a device go in one message. */
static inline size_t fixture_apply(struct machine *machine, const struct plan *plan, unsigned round)
{
	const char *remade = NULL;
	size_t n = 0;

	for (size_t i = 0; i < plan->nchanges; i++)
		if (plan->changes[i].state == CHANGE_TODO && plan->changes[i].stage == 1) {
			fixture_write(machine, &plan->changes[i]);
			n++;
		}
	for (size_t i = 0; i < plan->nchanges; i++) {
		const struct change *change = &plan->changes[i];

		if (change->state != CHANGE_TODO || !(change->cost & COST_RENUMBERS) ||
		    text_equal(remade, change->device))
			continue;
		remade = change->device;
		fixture_remake(machine, machine_nic(machine, remade), 10000 * round + 1100 * (unsigned)i);
	}
	return n;
}

/* Rounds of plan and apply until nothing is left. Returns how many it took; fails beyond eight. */
static inline unsigned fixture_settle(struct machine *machine, const char *policy)
{
	for (unsigned round = 1; round <= 8; round++) {
		CLEANUP(plan_clear) struct plan plan = { 0 };

		fixture_plan(machine, policy, &plan);
		if (plan_todo(&plan, 0) == 0)
			return round - 1;
		assert_int_not_equal(fixture_apply(machine, &plan, round), 0);
	}
	fail_msg("the plan never becomes empty");
	return 0;
}
