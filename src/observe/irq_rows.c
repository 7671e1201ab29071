/* Layouts of drivers that give the same name to several interrupts: what a row is follows from its place among them,
 * in the order in which the driver requests them. Where the number of rows is not as expected, they are unknown. */
#include "irq_names.h"

#include <stdio.h>

static void set(struct irq *irq, enum irq_role role)
{
	irq->role = role;
	irq->rx = irq->tx = (struct opt_u32){ 0 };
}

/* Queue 0 of a role, if that is the only queue. */
static void set_only(const struct vectors *all, struct irq *irq, enum irq_role role)
{
	set(irq, role);
	if (role == IRQ_RX && nic_queue_count(all->nic, QUEUE_RX) == 1)
		irq_serve(irq, 0);
	if (role == IRQ_TX && nic_queue_count(all->nic, QUEUE_TX) == 1)
		irq_serve(irq, 0);
}

/* A name too long for "-rx-0" leaves rx, tx and other alike. */
void as_e1000e_rows(const struct vectors *all, size_t i, struct irq *irq)
{
	static const enum irq_role roles[] = { IRQ_RX, IRQ_TX, IRQ_CONTROL };
	size_t place, n = vectors_alike(all, i, &place);

	if (n != 3) {
		as_bare(all, i, irq);
		return;
	}
	set(irq, roles[place]);
	irq_serve(irq, 0);
}

/* Lines of the hardware in their order: queue 1, queue 2, queue 0 with everything else, PPS
 * (FEC_QUIRK_DT_IRQ2_IS_MAIN_IRQ). */
void as_fec_rows(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t place, n = vectors_alike(all, i, &place), below = 0;

	if (n == 1) {
		set(irq, IRQ_COMBINED);
		as_only(all, i, irq);
		return;
	}
	for (size_t j = 0; j < all->n; j++) {
		if (!all->items[j].line.set)
			return;
		below += all->items[j].match.rule == all->items[i].match.rule &&
			 all->items[j].line.value < all->items[i].line.value;
	}
	if (n != 4)
		return;
	set(irq, below == 3 ? IRQ_CONTROL : IRQ_COMBINED);
	irq_serve(irq, below == 2 ? 0 : (uint32_t)below + 1);
}

/* One request a queue; on one shared line all stand in one row. */
void as_macb_rows(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t place, n = vectors_alike(all, i, &place);

	set(irq, IRQ_COMBINED);
	if (n > 1)
		irq_serve(irq, (uint32_t)place);
	else if (all->items[i].times == 1)
		as_only(all, i, irq);
}

enum genet { GENET_OLD, GENET_NEW, GENET_EITHER };

/* Before 6.15 the first line was queue 0 and the link, the second the tx priority queues; now the link, and all
 * queues. Long-term kernels took the change over in mid-series. */
static enum genet genet_kind(const char *kernel)
{
	unsigned major, minor;

	if (!kernel || sscanf(kernel, "%u.%u", &major, &minor) != 2)
		return GENET_OLD;
	if (major > 6 || (major == 6 && minor >= 15))
		return GENET_NEW;
	return major == 6 && (minor == 1 || minor == 6 || minor == 12) ? GENET_EITHER : GENET_OLD;
}

void as_genet_rows(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t place, n = vectors_alike(all, i, &place);

	if (n != 2)
		return;
	switch (genet_kind(all->kernel)) {
	case GENET_OLD:
		set(irq, place ? IRQ_TX : IRQ_COMBINED);
		if (!place)
			irq_serve(irq, 0);
		break;
	case GENET_NEW: set(irq, place ? IRQ_COMBINED : IRQ_CONTROL); break;
	case GENET_EITHER: break;
	}
}

/* rx, tx; a chip with one line has both on it. */
void as_sysport_rows(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t place, n = vectors_alike(all, i, &place);

	if (n == 1)
		set(irq, IRQ_COMBINED);
	else if (n == 2)
		set_only(all, irq, place ? IRQ_TX : IRQ_RX);
}

/* tx for all its queues, then rx; or one line for both. */
void as_mtk_rows(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t place, n = vectors_alike(all, i, &place);

	if (n == 1)
		set(irq, IRQ_COMBINED);
	else if (n == 2 && place == 0)
		set(irq, IRQ_TX);
	else if (n == 2)
		set_only(all, irq, IRQ_RX);
}

/* rx, tx and, where it is used, the time stamps; each serves all channels. */
void as_cpsw_rows(const struct vectors *all, size_t i, struct irq *irq)
{
	static const enum irq_role roles[] = { IRQ_RX, IRQ_TX, IRQ_CONTROL };
	size_t place, n = vectors_alike(all, i, &place);

	if (n == 2 || n == 3)
		set(irq, roles[place]);
}

/* tx, rx, and where it has a line of its own the core. */
void as_axienet_rows(const struct vectors *all, size_t i, struct irq *irq)
{
	static const enum irq_role roles[] = { IRQ_TX, IRQ_RX, IRQ_CONTROL };
	size_t place, n = vectors_alike(all, i, &place);

	if (n == 2 || n == 3)
		set_only(all, irq, roles[place]);
}

/* Vector i is ring i; behind the rings come PTP and the link. Rings are 1, 2, 4 or 8 (aq_nic_cfg_start). */
void as_atlantic_rows(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t place, n = vectors_alike(all, i, &place), queues = nic_queue_count(all->nic, QUEUE_RX), rings = 1;

	while (rings < 8 && 2 * rings < n)
		rings *= 2;
	if (queues > 1)
		rings = queues;
	else if (n > 2 && (n & (n - 1)) == 0) /* with or without a vector for the link? */
		return;
	if (n == 1) {
		set(irq, IRQ_COMBINED);
		as_only(all, i, irq);
	} else if (place < rings) {
		set(irq, IRQ_COMBINED);
		irq_serve(irq, (uint32_t)place);
	} else {
		set(irq, IRQ_CONTROL);
	}
}
