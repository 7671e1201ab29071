/* Layouts: how the number in a name becomes a queue, where it is not simply the queue's. Each function states its
 * driver's rule; where the rule does not decide, the vector has no queue, or is unknown. */
#include "irq_names.h"

#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

/* ---- what layouts ask ------------------------------------------------------------------------------------------ */

static const struct irq_rule *rule_of(const struct vectors *all, size_t i)
{
	return all->items[i].match.rule;
}

size_t vectors_with_role(const struct vectors *all, enum irq_role role)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += rule_of(all, i) && rule_of(all, i)->role == role;
	return n;
}

static bool says_queue(const struct irq_rule *rule)
{
	return rule && strchr(rule->format, '<') && strstr(rule->format, "<n>") && rule->role != IRQ_CONTROL;
}

bool vectors_have_queues(const struct vectors *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (says_queue(rule_of(all, i)))
			return true;
	return false;
}

size_t vectors_alike(const struct vectors *all, size_t i, size_t *ret_place)
{
	size_t n = 0;

	for (size_t j = 0; j < all->n; j++) {
		if (j == i)
			*ret_place = n;
		n += rule_of(all, j) == rule_of(all, i);
	}
	return n;
}

void irq_serve(struct irq *irq, uint32_t queue)
{
	if (irq->role == IRQ_RX || irq->role == IRQ_COMBINED)
		irq->rx = SOME_U32(queue);
	if (irq->role == IRQ_TX || irq->role == IRQ_COMBINED)
		irq->tx = SOME_U32(queue);
}

static void unknown(struct irq *irq)
{
	irq->role = IRQ_UNKNOWN;
	irq->rx = irq->tx = (struct opt_u32){ 0 };
}

/* ---- many drivers ---------------------------------------------------------------------------------------------- */

void as_numbered(const struct vectors *all, size_t i, struct irq *irq)
{
	irq_serve(irq, all->items[i].match.n);
}

void as_first(const struct vectors *all, size_t i, struct irq *irq)
{
	(void)all;
	(void)i;
	irq_serve(irq, 0);
}

void as_second(const struct vectors *all, size_t i, struct irq *irq)
{
	(void)all;
	(void)i;
	irq_serve(irq, 1);
}

/* One vector for everything: a queue of its own only where there is no other. */
void as_only(const struct vectors *all, size_t i, struct irq *irq)
{
	(void)i;
	if (nic_queue_count(all->nic, QUEUE_RX) <= 1)
		irq->rx = SOME_U32(0);
	if (nic_queue_count(all->nic, QUEUE_TX) <= 1)
		irq->tx = SOME_U32(0);
	if (!irq->rx.set || !irq->tx.set)
		irq->rx = irq->tx = (struct opt_u32){ 0 };
}

/* The number counts vectors. Where there are fewer of them than queues, each has several. */
void as_counted(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t both = vectors_with_role(all, IRQ_COMBINED);

	irq_serve(irq, all->items[i].match.n);
	if (nic_queue_count(all->nic, QUEUE_RX) > both + vectors_with_role(all, IRQ_RX))
		irq->rx.set = false;
	if (nic_queue_count(all->nic, QUEUE_TX) > both + vectors_with_role(all, IRQ_TX))
		irq->tx.set = false;
}

/* The numbers begin anywhere and run through. */
void as_from_least(const struct vectors *all, size_t i, struct irq *irq)
{
	uint32_t least = UINT32_MAX;

	for (size_t j = 0; j < all->n; j++)
		if (rule_of(all, j) == rule_of(all, i) && all->items[j].match.n < least)
			least = all->items[j].match.n;
	irq_serve(irq, all->items[i].match.n - least);
}

/* A driver that is not in the table: its numbers are believed if they are 0..k-1 without a gap, for no fewer vectors
 * than there are queues. No layout below has such numbers. */
void as_consecutive(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t place, n = vectors_alike(all, i, &place);
	bool *seen = alloc_zero(n, sizeof *seen);
	bool whole = nic_queue_count(all->nic, irq->role == IRQ_TX ? QUEUE_TX : QUEUE_RX) <= n;

	for (size_t j = 0; j < all->n; j++) {
		uint32_t number = all->items[j].match.n;

		if (rule_of(all, j) != rule_of(all, i))
			continue;
		whole = whole && number < n && !seen[number];
		if (whole)
			seen[number] = true;
	}
	free(seen);
	if (whole)
		as_numbered(all, i, irq);
	else
		unknown(irq);
}

/* The name alone: control beside vectors that name queues, the only vector without them, and neither if several have
 * it. */
void as_bare(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t place;

	if (vectors_have_queues(all))
		irq->role = IRQ_CONTROL;
	else if (vectors_alike(all, i, &place) > 1)
		unknown(irq);
	else
		as_only(all, i, irq);
}

/* The same for a driver that is not in the table; of one that is not even known, the number of queues may not be all
 * there is to know. */
void as_bare_general(const struct vectors *all, size_t i, struct irq *irq)
{
	as_bare(all, i, irq);
	if (!all->nic->driver)
		irq->rx = irq->tx = (struct opt_u32){ 0 };
}

/* ---- one driver each ------------------------------------------------------------------------------------------- */

/* Vector 0 is tx 0, or with several tx queues serves none; the others begin at 1 (tg3_mem_rx_acquire). */
void as_tg3_vector(const struct vectors *all, size_t i, struct irq *irq)
{
	if (all->items[i].match.n > 0)
		irq_serve(irq, all->items[i].match.n - 1);
	else
		unknown(irq);
}

/* Beside "-txrx-" names number 0 serves none. Old kernels named all vectors so, and it is not told what for. */
void as_tg3_plain(const struct vectors *all, size_t i, struct irq *irq)
{
	for (size_t j = 0; j < all->n; j++)
		if (rule_of(all, j) && rule_of(all, j) != rule_of(all, i) && all->items[i].match.n == 0)
			irq->role = IRQ_CONTROL;
}

/* A name cut at 15 characters has lost its number, which was that of the vector. */
void as_tg3_cut(const struct vectors *all, size_t i, struct irq *irq)
{
	const struct vector *vector = &all->items[i];
	size_t tx = nic_queue_count(all->nic, QUEUE_TX);

	if (!vector->index.set || !tx || strlen(vector->action) != 15)
		return;
	if (tx > 1)
		irq->role = vector->index.value ? IRQ_COMBINED : IRQ_CONTROL;
	else
		irq->role = vector->index.value ? IRQ_RX : IRQ_TX;
	irq_serve(irq, vector->index.value ? vector->index.value - 1 : 0);
}

void as_qlcnic_mixed(const struct vectors *all, size_t i, struct irq *irq)
{
	irq->tx = SOME_U32(all->items[i].match.n);
	irq->rx = SOME_U32(all->items[i].match.m);
}

/* "TxRx-2-3": the queues from 2 to 3. */
void as_range(const struct vectors *all, size_t i, struct irq *irq)
{
	if (all->items[i].match.n == all->items[i].match.m)
		as_numbered(all, i, irq);
}

/* Completion rings are numbered rx first (bnxt_setup_msix). */
void as_bnxt_tx(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t rx = vectors_with_role(all, IRQ_RX);

	if (all->items[i].match.n >= rx)
		irq_serve(irq, all->items[i].match.n - (uint32_t)rx);
	else
		unknown(irq);
}

/* Fast paths are rx only, then combined, then tx only (qede_alloc_fp_array). */
void as_qede(const struct vectors *all, size_t i, struct irq *irq)
{
	const struct opt_u32 *count = all->nic->channels.count;
	uint32_t n = all->items[i].match.n, rx = count[CHANNEL_RX].set ? count[CHANNEL_RX].value : 0;
	uint32_t both = count[CHANNEL_COMBINED].set ? count[CHANNEL_COMBINED].value : UINT32_MAX - rx;

	if (n < rx)
		irq->role = IRQ_RX;
	else if (n - rx >= both)
		irq->role = IRQ_TX;
	if (irq->role != IRQ_TX)
		irq->rx = SOME_U32(n);
	if (irq->role != IRQ_RX)
		irq->tx = SOME_U32(n - rx);
}

/* The first ring also completes tx. */
void as_netxen(const struct vectors *all, size_t i, struct irq *irq)
{
	if (all->items[i].match.n == 0)
		irq->role = IRQ_COMBINED;
	irq_serve(irq, all->items[i].match.n);
}

/* Completion vectors are numbered from 0, but some kernels with dynamic vectors numbered them from 1, as their MSI-X
 * index. Those have the control vector first, so that only there an index equal to the number is one too high. */
void as_mlx5_comp(const struct vectors *all, size_t i, struct irq *irq)
{
	const struct vector *vector = &all->items[i];
	bool from_zero = false, from_one = false, control_first = false;

	for (size_t j = 0; j < all->n; j++) {
		const struct vector *other = &all->items[j];

		from_zero |= rule_of(all, j) == rule_of(all, i) && other->match.n == 0;
		from_one |= rule_of(all, j) == rule_of(all, i) && other->match.n == 1;
		control_first |= other->action && text_starts(other->action, "mlx5_async0@");
	}
	if (from_zero || !control_first)
		irq_serve(irq, vector->match.n);
	else if (vector->index.set && vector->index.value > 0)
		irq_serve(irq, vector->index.value - 1);
	else if (!from_one)
		irq_serve(irq, vector->match.n);
}

void as_ionic_rx(const struct vectors *all, size_t i, struct irq *irq)
{
	if (vectors_with_role(all, IRQ_TX) > 0)
		irq->role = IRQ_RX;
	irq_serve(irq, all->items[i].match.n);
}

/* The counter steps by two where rx and tx share a vector. */
void as_hns3_txrx(const struct vectors *all, size_t i, struct irq *irq)
{
	uint32_t step = 2;

	for (size_t j = 0; j < all->n; j++)
		if (rule_of(all, j) == rule_of(all, i) && all->items[j].match.n % 2)
			step = 1;
	as_counted(all, i, irq);
	if (irq->rx.set)
		irq->rx.value /= step;
	if (irq->tx.set)
		irq->tx.value /= step;
}

/* gve_tx_idx_to_ntfy, gve_rx_idx_to_ntfy: the blocks are made for the maximum, half of them for tx. */
void as_gve(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t place, blocks = vectors_alike(all, i, &place);
	uint32_t n = all->items[i].match.n;

	if (blocks % 2 || n >= blocks)
		return;
	irq->role = n < blocks / 2 ? IRQ_TX : IRQ_RX;
	irq_serve(irq, n < blocks / 2 ? n : n - (uint32_t)(blocks / 2));
}

/* Vectors are numbered tx first. */
void as_vmxnet3_rx(const struct vectors *all, size_t i, struct irq *irq)
{
	size_t tx = vectors_with_role(all, IRQ_TX);

	if (all->items[i].match.n >= tx)
		irq_serve(irq, all->items[i].match.n - (uint32_t)tx);
	else
		unknown(irq);
}

static bool fires(const struct vectors *all, uint32_t number)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].match.rule && all->items[i].match.n == number && all->items[i].fired)
			return true;
	return false;
}

/* Messages 0-3 are rx, 16 is tx 0; tx 1 is 17 or 18 by the version of the chip, and only the right one ever fires. All
 * others are requested too. */
void as_r8125(const struct vectors *all, size_t i, struct irq *irq)
{
	uint32_t n = all->items[i].match.n;

	if (n <= 3)
		irq->role = IRQ_RX;
	else if (n == 16 || (n == 17 && fires(all, 17) && !fires(all, 18)) ||
		 (n == 18 && fires(all, 18) && !fires(all, 17)))
		irq->role = IRQ_TX;
	else if (n == 21)
		irq->role = IRQ_CONTROL;
	irq_serve(irq, n <= 3 ? n : n > 16);
}

void as_rtase(const struct vectors *all, size_t i, struct irq *irq)
{
	if (all->items[i].match.n == 0)
		irq->role = IRQ_CONTROL;
}
