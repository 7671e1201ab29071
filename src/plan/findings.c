/* Finds what is wrong with a machine, and puts the worst last. Never says one thing twice about a device: a finding
 * counts queues, it does not list them. What the policy wants as it is, is not wrong. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "findings.h"

void finding_add(const struct inquiry *inquiry, enum note_level level, const char *code, const char *device, char *text,
		 char *hint)
{
	struct findings *found = inquiry->found;

	found->items = alloc_more(found->items, found->n, sizeof *found->items);
	found->items[found->n++] = (struct finding){
		.level = level, .code = code, .device = alloc_string(device), .text = text, .hint = hint
	};
}

size_t planned(const struct inquiry *inquiry, const char *device, enum change_state state)
{
	const struct plan *plan = inquiry->plan;
	size_t n = 0;

	for (size_t i = 0; plan && i < plan->nchanges; i++)
		n += plan->changes[i].state == state && text_equal(plan->changes[i].device, device);
	return n;
}

bool spoken_of(const struct inquiry *inquiry, const char *device, enum setting first, enum setting last)
{
	for (size_t i = 0; inquiry->plan && i < inquiry->plan->nchanges; i++) {
		const struct change *change = &inquiry->plan->changes[i];

		if (change->setting >= first && change->setting <= last &&
		    (change->state == CHANGE_SAME || change->state == CHANGE_TODO) &&
		    text_equal(change->device, device))
			return true;
	}
	return false;
}

char *plan_hint(const struct inquiry *inquiry, const char *device)
{
	size_t n = planned(inquiry, device, CHANGE_TODO);

	if (n == 0)
		return NULL;
	return text_format("run `steerctl plan %s` to see %zu change%s", device, n,
			   n == 1 ? " that puts it right" : "s that put it right");
}

cpuset *cpus_near(const struct topology *topology, const struct nic *nic)
{
	const struct node *node = nic->node >= 0 ? topology_node(topology, nic->node) : NULL;
	cpuset *set = topology->online ? cpuset_dup(topology->online) : cpuset_new();

	if (cpuset_overlap(nic->local, set))
		cpuset_keep(set, nic->local);
	else if (node && cpuset_overlap(node->cpus, set))
		cpuset_keep(set, node->cpus);
	return set;
}

unsigned cores_in(const struct topology *topology, const cpuset *cpus)
{
	unsigned n = 0;

	for (size_t i = 0; i < topology->ncpus; i++) {
		bool seen = false;

		if (!cpuset_has(cpus, topology->cpus[i].id))
			continue;
		for (size_t j = 0; j < i && !seen; j++)
			seen = cpuset_has(cpus, topology->cpus[j].id) &&
			       topology->cpus[j].core == topology->cpus[i].core;
		n += !seen;
	}
	return n;
}

const cpuset *irq_runs_on(const struct irq *irq)
{
	if (cpuset_count(irq->affinity) == 1 || cpuset_empty(irq->effective))
		return irq->affinity;
	return irq->effective;
}

/* ---- the host --------------------------------------------------------------------------------------------------- */

/* The kernel takes LRO off a device when forwarding is switched on, but not when LRO is switched on later. */
static void find_lro(const struct inquiry *inquiry, const struct nic *nic)
{
	if (!text_equal(machine_sysctl(inquiry->machine, "net.ipv4.ip_forward"), "1") &&
	    !text_equal(machine_sysctl(inquiry->machine, "net.ipv6.conf.all.forwarding"), "1"))
		return;
	for (size_t i = 0; i < nic->nfeatures; i++)
		if (strcmp(nic->features[i].name, "rx-lro") == 0 && nic->features[i].active)
			finding_add(inquiry, NOTE_WARNING, "lro-forwarding", nic->name,
				    alloc_string("merges received packets (LRO) on a host that forwards them"),
				    alloc_string("`offload.lro = off`"));
}

static void find_node(const struct inquiry *inquiry, const struct nic *nic)
{
	const struct topology *topology = &inquiry->machine->topology;
	const struct node *node = nic->node >= 0 ? topology_node(topology, nic->node) : NULL;

	if (topology->nnodes < 2 || nic_is_virtual(nic))
		return;
	if (nic->node < 0)
		finding_add(
			inquiry, NOTE_INFO, "unknown-node", nic->name,
			alloc_string("the kernel does not say which node the device is on: all CPUs count as local"),
			NULL);
	else if (!cpuset_overlap(nic->local, topology->online) && (!node || cpuset_empty(node->cpus)))
		finding_add(inquiry, NOTE_WARNING, "offline-node", nic->name,
			    text_format("no CPU of node %d, where the device is, is online", nic->node), NULL);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static int by_level(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	int order;

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (!x->device || !y->device)
		order = (x->device == NULL) - (y->device == NULL);
	else
		order = text_natural(x->device, y->device);
	if (!order)
		order = strcmp(x->code, y->code);
	return order ? order : strcmp(x->text, y->text);
}

void findings_make(const struct machine *machine, const struct policy *policy, const struct plan *plan,
		   struct findings *ret)
{
	struct inquiry inquiry = { .machine = machine, .plan = plan, .found = ret };

	*ret = (struct findings){ 0 };
	for (size_t i = 0; i < machine->nnics; i++) {
		find_node(&inquiry, &machine->nics[i]);
		find_lro(&inquiry, &machine->nics[i]);
		find_irq(&inquiry, &machine->nics[i]);
		find_steering(&inquiry, &machine->nics[i]);
	}
	find_fman(&inquiry);
	find_plan(&inquiry, policy);
	if (ret->n)
		qsort(ret->items, ret->n, sizeof *ret->items, by_level);
}

void findings_clear(struct findings *findings)
{
	for (size_t i = 0; i < findings->n; i++) {
		free(findings->items[i].device);
		free(findings->items[i].text);
		free(findings->items[i].hint);
	}
	free(findings->items);
	*findings = (struct findings){ 0 };
}
