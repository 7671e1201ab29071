/* Machines and policies in a few lines, for tests of what is pure. Every function is for the tests alone.
 *
 *	CLEANUP(machine_clear) struct machine machine = { 0 };
 *	fixture_cpus(&machine, 2, (const char *[]){ "0-19", "20-39" }, NULL, 0);
 *	struct nic *nic = fixture_nic(&machine, "eth0", "igb", 0);
 *	fixture_combined(nic, 8, 4, 40, "0-19"); */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/plan.h>

static inline cpuset *fixture_set(const char *list)
{
	cpuset *set = NULL;

	assert_int_equal(cpuset_parse_list(list, &set), 0);
	return set;
}

/* ---- CPUs ------------------------------------------------------------------------------------------------------- */

static inline void fixture_threads(struct topology *topology, int node, const char *list, unsigned rank, unsigned core,
				   unsigned llc_size)
{
	CLEANUP(cpuset_freep) cpuset *set = fixture_set(list);

	for (int id = cpuset_next(set, -1); id >= 0; id = cpuset_next(set, id), core++) {
		topology->cpus = alloc_more(topology->cpus, topology->ncpus, sizeof *topology->cpus);
		topology->cpus[topology->ncpus++] = (struct cpu){ .id = (unsigned)id,
								  .node = node,
								  .package = (unsigned)node,
								  .core = core,
								  .llc = llc_size ? core / llc_size : (unsigned)node,
								  .rank = rank };
		cpuset_add(topology->online, (unsigned)id);
	}
}

/* Nodes 0.. with the CPUs that are online on each, first threads and (NULL: none) their siblings; llc_size cores share
 * a cache (0: a node's). */
static inline void fixture_cpus(struct machine *machine, size_t nodes, const char *const *first,
				const char *const *second, unsigned llc_size)
{
	struct topology *topology = &machine->topology;
	unsigned core;

	topology->online = cpuset_new();
	topology->isolated = cpuset_new();
	topology->rps_excluded = cpuset_new();
	for (unsigned rank = 0; rank < (second ? 2 : 1); rank++) {
		core = 0;
		for (size_t i = 0; i < nodes; i++) {
			CLEANUP(cpuset_freep) cpuset *set = fixture_set(first[i]);

			fixture_threads(topology, (int)i, rank ? second[i] : first[i], rank, core, llc_size);
			core += cpuset_count(set);
		}
	}
	for (size_t i = 0; i < nodes; i++) {
		topology->nodes = alloc_more(topology->nodes, topology->nnodes, sizeof *topology->nodes);
		topology->nodes[topology->nnodes].id = (int)i;
		topology->nodes[topology->nnodes].cpus = fixture_set(first[i]);
		if (second) {
			CLEANUP(cpuset_freep) cpuset *siblings = fixture_set(second[i]);

			cpuset_add_all(topology->nodes[topology->nnodes].cpus, siblings);
		}
		topology->nnodes++;
	}
	topology->possible = cpuset_dup(topology->online);
	topology->nr_cpu_ids = (unsigned)cpuset_last(topology->possible) + 1;
}

static inline void fixture_isolate(struct machine *machine, const char *list, bool from_rps)
{
	CLEANUP(cpuset_freep) cpuset *set = fixture_set(list);

	cpuset_add_all(machine->topology.isolated, set);
	if (from_rps)
		cpuset_add_all(machine->topology.rps_excluded, set);
}

/* ---- NICs ------------------------------------------------------------------------------------------------------- */

/* A physical NIC that is up; node -1: not known. The result is valid until the next NIC is added. */
static inline struct nic *fixture_nic(struct machine *machine, const char *name, const char *driver, int node)
{
	const struct node *home = topology_node(&machine->topology, node);
	struct nic *nic;

	machine->nics = alloc_more(machine->nics, machine->nnics, sizeof *machine->nics);
	nic = &machine->nics[machine->nnics++];
	nic->name = alloc_string(name);
	nic->driver = alloc_string(driver);
	nic->ifindex = (unsigned)machine->nnics + 1;
	nic->kind = NIC_PHYSICAL;
	nic->bus = text_format("0000:81:00.%zu", machine->nnics - 1);
	nic->path = text_format("devices/pci0000:80/%s", nic->bus);
	nic->node = node;
	nic->local = cpuset_dup(home ? home->cpus : NULL);
	nic->link = LINK_UP;
	nic->details = DETAIL_ALL;
	return nic;
}

static inline void fixture_channels(struct nic *nic, enum channel_kind kind, uint32_t max, uint32_t count)
{
	nic->channels.max[kind] = SOME_U32(max);
	nic->channels.count[kind] = SOME_U32(count);
}

static inline void fixture_queues(struct nic *nic, unsigned rx, unsigned tx)
{
	for (unsigned i = 0; i < rx + tx; i++) {
		struct queue queue = { .type = i < rx ? QUEUE_RX : QUEUE_TX, .index = i < rx ? i : i - rx };

		if (queue.type == QUEUE_RX) {
			queue.rps = cpuset_new();
			queue.rps_flows = SOME_U32(0);
		} else {
			queue.xps = tx > 1 ? cpuset_new() : NULL;
			queue.xps_rxqs = cpuset_new();
		}
		nic->queues = alloc_more(nic->queues, nic->nqueues, sizeof *nic->queues);
		nic->queues[nic->nqueues++] = queue;
	}
}

static inline struct irq *fixture_irq(struct nic *nic, unsigned number, enum irq_role role, unsigned queue,
				      const char *affinity)
{
	struct irq irq = { .number = number, .role = role, .requested = true };

	irq.vector = SOME_U32((uint32_t)nic->nirqs);
	if (role == IRQ_RX || role == IRQ_COMBINED)
		irq.rx = SOME_U32(queue);
	if (role == IRQ_TX || role == IRQ_COMBINED)
		irq.tx = SOME_U32(queue);
	irq.affinity = fixture_set(affinity);
	nic->irqs = alloc_more(nic->irqs, nic->nirqs, sizeof *nic->irqs);
	nic->irqs[nic->nirqs] = irq;
	return &nic->irqs[nic->nirqs++];
}

/* Combined channels, `count` of `max`, with their queues and vectors: a control vector first, then one a queue. */
static inline void fixture_combined(struct nic *nic, uint32_t max, uint32_t count, unsigned first_irq,
				    const char *affinity)
{
	fixture_channels(nic, CHANNEL_COMBINED, max, count);
	fixture_queues(nic, count, count);
	fixture_irq(nic, first_irq, IRQ_CONTROL, 0, affinity);
	for (unsigned i = 0; i < count; i++)
		fixture_irq(nic, first_irq + 1 + i, IRQ_COMBINED, i, affinity);
}

static inline void fixture_forget_queues(struct nic *nic)
{
	for (size_t i = 0; i < nic->nqueues; i++) {
		cpuset_free(nic->queues[i].rps);
		cpuset_free(nic->queues[i].xps);
		cpuset_free(nic->queues[i].xps_rxqs);
	}
	for (size_t i = 0; i < nic->nirqs; i++) {
		cpuset_free(nic->irqs[i].affinity);
		cpuset_free(nic->irqs[i].effective);
		free(nic->irqs[i].name);
	}
	free(nic->queues);
	free(nic->irqs);
	nic->queues = NULL;
	nic->irqs = NULL;
	nic->nqueues = nic->nirqs = 0;
}

/* ---- policies and plans ----------------------------------------------------------------------------------------- */

static inline struct policy *fixture_policy(const char *text)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	struct policy *policy = NULL;

	if (policy_parse("test.ini", text, &policy, &notes) != 0)
		fail_msg("%s: %s", text, notes.n ? notes.items[0].text : "no note");
	return policy;
}

static inline void fixture_plan(const struct machine *machine, const char *text, struct plan *ret)
{
	CLEANUP(policy_freep) struct policy *policy = fixture_policy(text);

	plan_make(machine, policy, NULL, ret);
	for (size_t i = 0; i < ret->nchanges; i++)
		ret->changes[i].origin.file = NULL; /* it went with the policy */
}

/* The change of a setting of a queue ("rx-3", NULL: of the device). NULL: the plan does not speak of it. */
static inline const struct change *fixture_find(const struct plan *plan, const char *device, enum setting setting,
						const char *queue)
{
	for (size_t i = 0; i < plan->nchanges; i++) {
		CLEANUP(free_string) char *name = change_queue(&plan->changes[i]);

		if (plan->changes[i].setting == setting && text_equal(plan->changes[i].device, device) &&
		    text_equal(name, queue))
			return &plan->changes[i];
	}
	return NULL;
}

/* Fails unless the plan has the change in the state, with that `to`. Returns it. */
static inline const struct change *fixture_expect(const struct plan *plan, const char *device, enum setting setting,
						  const char *queue, enum change_state state, const char *to)
{
	const struct change *change = fixture_find(plan, device, setting, queue);

	if (!change)
		fail_msg("%s %s %s: not in the plan", device, setting_name(setting), queue ? queue : "");
	if (change->state != state)
		fail_msg("%s %s %s: is %s (%s), not %s", device, setting_name(setting), queue ? queue : "",
			 change_state_name(change->state), change->skipped ? change->skipped : change->to,
			 change_state_name(state));
	if (to)
		assert_string_equal(change->to, to);
	if (state == CHANGE_SKIPPED || state == CHANGE_DEFERRED)
		assert_non_null(change->skipped);
	else
		assert_non_null(change->why);
	return change;
}

/* The whole plan as text, for comparing. */
static inline char *fixture_text(const struct plan *plan)
{
	CLEANUP(strings_clear) struct strings lines = { 0 };

	for (size_t i = 0; i < plan->nchanges; i++) {
		const struct change *change = &plan->changes[i];
		CLEANUP(free_string) char *queue = change_queue(change);

		strings_take(&lines, text_format("%u %s %s %s irq %d:%u %s: %s -> %s at %s since %s but %s line %u",
						 change->stage, change->device, setting_name(change->setting), queue,
						 change->irq.set, change->irq.value, change_state_name(change->state),
						 change->from, change->to, change->target, change->why, change->skipped,
						 change->origin.line));
	}
	for (size_t i = 0; i < plan->unmet.n; i++)
		strings_add(&lines, plan->unmet.items[i]);
	return strings_join(&lines, "\n");
}
