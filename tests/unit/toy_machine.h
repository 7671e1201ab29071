/* A toy machine for the tests of the views: 8 CPUs on two nodes, eth0 with four combined queues on node 0. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/show.h>

static inline cpuset *cpus(const char *list)
{
	cpuset *set;

	if (cpuset_parse_list(list, &set) < 0)
		abort();
	return set;
}

static inline void toy_topology(struct topology *topology)
{
	*topology = (struct topology){ .cpus = alloc_zero(8, sizeof *topology->cpus),
				       .ncpus = 8,
				       .nodes = alloc_zero(2, sizeof *topology->nodes),
				       .nnodes = 2,
				       .online = cpus("0-7"),
				       .possible = cpus("0-7"),
				       .isolated = cpus(""),
				       .rps_excluded = cpus(""),
				       .nr_cpu_ids = 8 };
	for (unsigned i = 0; i < 8; i++)
		topology->cpus[i] = (struct cpu){ .id = i, .node = i < 4 ? 0 : 1, .package = i / 4, .core = i };
	topology->nodes[0] = (struct node){ .id = 0, .cpus = cpus("0-3") };
	topology->nodes[1] = (struct node){ .id = 1, .cpus = cpus("4-7") };
}

/* Queue i is served by interrupt 30 + i on CPU `first` + i; interrupt 29 is control. */
static inline void toy_nic(struct nic *nic, const char *name, unsigned queues, unsigned first)
{
	*nic = (struct nic){ .name = alloc_string(name),
			     .ifindex = 2,
			     .kind = NIC_PHYSICAL,
			     .driver = alloc_string("mlx5_core"),
			     .bus = alloc_string("0000:81:00.0"),
			     .node = 0,
			     .local = cpus("0-3"),
			     .link = LINK_UP,
			     .speed = SOME_U32(25000),
			     .queues = alloc_zero(2 * queues, sizeof *nic->queues),
			     .nqueues = 2 * queues,
			     .irqs = alloc_zero(queues + 1, sizeof *nic->irqs),
			     .nirqs = queues + 1 };
	nic->channels.max[CHANNEL_COMBINED] = SOME_U32(8);
	nic->channels.count[CHANNEL_COMBINED] = SOME_U32(queues);
	nic->pause = (struct pause){ SOME_BOOL(false), SOME_BOOL(true), SOME_BOOL(true) };
	nic->irqs[0] = (struct irq){ .number = 29,
				     .role = IRQ_CONTROL,
				     .requested = true,
				     .name = alloc_string("mlx5_async"),
				     .affinity = cpus("0-7") };
	for (unsigned i = 0; i < queues; i++) {
		nic->queues[i] = (struct queue){ .type = QUEUE_RX, .index = i, .rps = cpus("") };
		nic->queues[queues + i] = (struct queue){ .type = QUEUE_TX, .index = i, .xps = cpuset_one(first + i) };
		nic->irqs[i + 1] = (struct irq){ .number = 30 + i,
						 .role = IRQ_COMBINED,
						 .requested = true,
						 .name = text_format("mlx5_comp%u", i),
						 .rx = SOME_U32(i),
						 .tx = SOME_U32(i),
						 .affinity = cpuset_one(first + i) };
	}
}

static inline void toy_machine(struct machine *machine)
{
	*machine = (struct machine){ .nics = alloc_zero(2, sizeof *machine->nics),
				     .nnics = 2,
				     .irqbalance = alloc_string("inactive"),
				     .arch = alloc_string("x86_64") };
	toy_topology(&machine->topology);
	machine->nics[0] =
		(struct nic){ .name = alloc_string("br-lan"), .kind = NIC_BRIDGE, .node = -1, .link = LINK_UP };
	strings_add(&machine->nics[0].lowers, "eth0");
	toy_nic(&machine->nics[1], "eth0", 4, 0);
}

static inline void toy_change(struct plan *plan, enum setting setting, enum change_state state, const char *from,
			      const char *to)
{
	plan->changes = alloc_more(plan->changes, plan->nchanges, sizeof *plan->changes);
	plan->changes[plan->nchanges++] = (struct change){ .setting = setting,
							   .state = state,
							   .device = alloc_string("eth0"),
							   .from = alloc_string(from),
							   .to = alloc_string(to),
							   .why = alloc_string("because the policy says so"),
							   .origin = { "etc/toy.ini", 7 },
							   .stage = 1 };
}

/* What a view prints. The caller frees. */
static inline char *printed(void (*print)(FILE *, const struct view *), const struct view *view)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	print(out, view);
	fclose(out);
	return text;
}
