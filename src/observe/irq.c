/* Decides which interrupts are a NIC's, and reads where they go:
 *
 * 1. Those its device lists (msi_irqs, or irqs of an auxiliary device; a virtio device's are listed by the PCI function
 *    that it sits on), requested or not.
 * 2. Without a list: rows that name its PCI function in clear or as a number, its INTx line, and rows whose action has
 *    its name, or that of its device, in a format of its driver. Never a row that another NIC lists.
 * 3. Those of its NAPI instances (netdev-genl), which is how a NIC of several functions has vectors of them all.
 * 4. A row that names another NIC of the same device is that NIC's; two rows of one name without a list are nobody's,
 *    as one of them may be of another network namespace.
 *
 * What a vector serves is told by netdev-genl first, then by the naming rules. */
#include "private.h"

#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "irq_names.h"
#include "irq_owner.h"
#include "proc_interrupts.h"

/* ---- what a vector serves -------------------------------------------------------------------------------------- */

/* netdev-genl: the kernel itself. An instance without queues says nothing. */
static bool judge_by_napi(const struct nic *nic, struct irq *irq)
{
	for (size_t i = 0; i < nic->nnapis; i++) {
		const struct napi *napi = &nic->napis[i];

		if (!napi->irq.set || napi->irq.value != irq->number || (!napi->nrx && !napi->ntx))
			continue;
		irq->role = !napi->ntx ? IRQ_RX : !napi->nrx ? IRQ_TX : IRQ_COMBINED;
		irq->rx = napi->nrx == 1 ? SOME_U32(napi->rx[0]) : (struct opt_u32){ 0 };
		irq->tx = napi->ntx == 1 ? SOME_U32(napi->tx[0]) : (struct opt_u32){ 0 };
		irq->rule = "netdev-genl";
		return true;
	}
	return false;
}

static bool same_queue(const struct irq *a, const struct irq *b)
{
	return (a->rx.set && b->rx.set && a->rx.value == b->rx.value) ||
	       (a->tx.set && b->tx.set && a->tx.value == b->tx.value);
}

/* Two names for one queue: what the names say is not so. What the kernel says stays. */
static void distrust_doubles(struct nic *nic, const bool *sure)
{
	bool *doubled = alloc_zero(nic->nirqs, sizeof *doubled);

	for (size_t i = 0; i < nic->nirqs; i++)
		for (size_t j = 0; j < nic->nirqs; j++)
			doubled[i] |= i != j && !sure[i] && same_queue(&nic->irqs[i], &nic->irqs[j]);
	for (size_t i = 0; i < nic->nirqs; i++) {
		if (!doubled[i])
			continue;
		nic->irqs[i].role = IRQ_UNKNOWN;
		nic->irqs[i].rx = nic->irqs[i].tx = (struct opt_u32){ 0 };
	}
	free(doubled);
}

/* ---- where it goes --------------------------------------------------------------------------------------------- */

static void read_affinity(struct host *host, unsigned details, struct irq *irq)
{
	CLEANUP(free_string) char *directory = text_format("proc/irq/%u", irq->number);
	CLEANUP(free_string) char *file = text_format("%s/smp_affinity_list", directory);
	unsigned mode;

	irq->affinity = read_cpus(host, directory, "smp_affinity_list");
	irq->fixed = irq->affinity && host_file_mode(host, file, &mode) == 0 && !(mode & 0222);
	if (details & DETAIL_EFFECTIVE)
		irq->effective = read_cpus(host, directory, "effective_affinity_list");
}

static void read_nic_irqs(struct host *host, const struct owners *owners, struct nic *nic)
{
	CLEANUP(owned_clear) struct vectors vectors = { 0 };
	bool *sure;

	owners_find(owners, nic, &vectors);
	sure = alloc_zero(vectors.n, sizeof *sure);
	nic->irqs = alloc_zero(vectors.n, sizeof *nic->irqs);
	for (size_t i = 0; i < vectors.n; i++) {
		const struct vector *vector = &vectors.items[i];
		struct irq *irq = &nic->irqs[nic->nirqs++];

		irq->number = vector->irq;
		irq->name = alloc_string(vector->action);
		irq->vector = vector->index;
		irq->shared = vector->shared;
		irq->requested = vector->action;
		sure[i] = judge_by_napi(nic, irq);
		if (!sure[i])
			irq_judge(&vectors, i, irq);
		if (irq->requested)
			read_affinity(host, nic->details, irq);
	}
	distrust_doubles(nic, sure);
	free(sure);
}

/* They are read once, also where there are none. */
static bool lacks_irqs(const struct nic *nic)
{
	return nic->details & DETAIL_IRQS && nic->bus && !nic->irqs;
}

void read_irqs(struct host *host, struct machine *machine)
{
	CLEANUP(owners_clear) struct owners owners = { 0 };
	bool asked = false;

	for (size_t i = 0; i < machine->nnics; i++)
		asked |= lacks_irqs(&machine->nics[i]);
	if (!asked)
		return;
	owners_init(&owners, host, machine);
	for (size_t i = 0; i < machine->nnics; i++)
		if (lacks_irqs(&machine->nics[i]))
			read_nic_irqs(host, &owners, &machine->nics[i]);
}
