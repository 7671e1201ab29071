/* Works out what a device will look like behind a barrier: its queues and interrupts after a channel change, or once it
 * is up. Never decides what they should be set to.
 *
 *  1. Queues below the new count stay, with what is known of their RPS and XPS; where the driver sets XPS by itself,
 *     that is not known. New ones begin with RPS off.
 *  2. Drivers that keep their vectors keep the interrupt numbers; where those run is not known, because drivers set the
 *     affinity again when they make their queues.
 *  3. All other queue interrupts are new: one a queue pair or one a queue, as the driver has it, without a number.
 *  4. A device without interrupts gets none. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "draft.h"
#include "drivers.h"

/* ---- the device as it is ---------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	const struct irq *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

static int by_type_and_index(const void *a, const void *b)
{
	const struct queue *x = a, *y = b;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static struct irq *add_irq(struct nic *then, struct irq irq)
{
	then->irqs = alloc_more(then->irqs, then->nirqs, sizeof *then->irqs);
	then->irqs[then->nirqs] = irq;
	return &then->irqs[then->nirqs++];
}

static void copy_irq(struct nic *then, const struct irq *irq)
{
	struct irq *copy = add_irq(then, *irq);

	copy->name = NULL; /* not needed here, and not owned */
	copy->affinity = cpuset_dup(irq->affinity);
	copy->effective = cpuset_dup(irq->effective);
}

static struct queue *add_queue(struct nic *then, struct queue queue)
{
	then->queues = alloc_more(then->queues, then->nqueues, sizeof *then->queues);
	then->queues[then->nqueues] = queue;
	return &then->queues[then->nqueues++];
}

static void copy_queue(struct nic *then, const struct queue *queue)
{
	struct queue *copy = add_queue(then, *queue);

	copy->rps = cpuset_dup(queue->rps);
	copy->xps = cpuset_dup(queue->xps);
	copy->xps_rxqs = cpuset_dup(queue->xps_rxqs);
}

static bool serves(const struct irq *irq, unsigned rx, unsigned tx)
{
	if (!irq->rx.set && !irq->tx.set)
		return true; /* a control vector, or one that is not known */
	return (irq->rx.set && irq->rx.value < rx) || (irq->tx.set && irq->tx.value < tx);
}

/* Vectors of queues that do not exist now (virtio_net has them for its maximum) are left out. */
static void copy_irqs(struct job *job, unsigned rx, unsigned tx)
{
	for (size_t i = 0; i < job->nic->nirqs; i++)
		if (job->nic->irqs[i].requested && serves(&job->nic->irqs[i], rx, tx))
			copy_irq(&job->then, &job->nic->irqs[i]);
	if (job->then.nirqs)
		qsort(job->then.irqs, job->then.nirqs, sizeof *job->then.irqs, by_number);
}

static void forget_irqs(struct nic *then)
{
	for (size_t i = 0; i < then->nirqs; i++) {
		cpuset_free(then->irqs[i].affinity);
		cpuset_free(then->irqs[i].effective);
	}
	free(then->irqs);
	then->irqs = NULL;
	then->nirqs = 0;
}

static void forget_queue(struct queue *queue)
{
	cpuset_free(queue->rps);
	cpuset_free(queue->xps);
	cpuset_free(queue->xps_rxqs);
}

void forecast_begin(struct job *job)
{
	const struct nic *nic = job->nic;
	bool known = nic->nqueues > 0;

	job->stage = 1;
	job->then = *nic;
	job->then.queues = NULL;
	job->then.irqs = NULL;
	job->then.nqueues = job->then.nirqs = 0;
	for (size_t i = 0; i < nic->nqueues; i++)
		copy_queue(&job->then, &nic->queues[i]);
	if (nic->nqueues)
		qsort(job->then.queues, nic->nqueues, sizeof *nic->queues, by_type_and_index);
	copy_irqs(job, known ? nic_queue_count(nic, QUEUE_RX) : UINT32_MAX,
		  known ? nic_queue_count(nic, QUEUE_TX) : UINT32_MAX);
}

void forecast_end(struct job *job)
{
	forget_irqs(&job->then);
	for (size_t i = 0; i < job->then.nqueues; i++)
		forget_queue(&job->then.queues[i]);
	free(job->then.queues);
	job->then = (struct nic){ 0 };
}

static bool has_vector(const struct nic *nic, enum irq_role role)
{
	for (size_t i = 0; i < nic->nirqs; i++)
		if (nic->irqs[i].requested && nic->irqs[i].role == role)
			return true;
	return false;
}

static bool has_queue_vector(const struct nic *nic)
{
	return has_vector(nic, IRQ_RX) || has_vector(nic, IRQ_TX) || has_vector(nic, IRQ_COMBINED);
}

bool forecast_waits_for_link(const struct job *job)
{
	return job->nic->link == LINK_DOWN && !nic_is_virtual(job->nic) && !has_queue_vector(job->nic) &&
	       !has_vector(job->nic, IRQ_UNKNOWN);
}

/* ---- behind the barrier ----------------------------------------------------------------------------------------- */

struct shape {
	unsigned combined, rx, tx; /* combined ones are counted in rx and tx too */
};

static struct shape shape_of(const struct nic *then, bool remade)
{
	const struct opt_u32 *count = then->channels.count;
	struct shape shape = { .combined = count[CHANNEL_COMBINED].value };

	if (!remade && then->nqueues) {
		shape.rx = nic_queue_count(then, QUEUE_RX);
		shape.tx = nic_queue_count(then, QUEUE_TX);
		return shape;
	}
	shape.rx = shape.combined + count[CHANNEL_RX].value;
	shape.tx = shape.combined + count[CHANNEL_TX].value;
	return shape;
}

/* Rule 1. */
static void remake_queues(struct nic *then, enum queue_type type, unsigned count)
{
	unsigned kept = 0;

	for (size_t i = 0; i < then->nqueues; i++) {
		struct queue *queue = &then->queues[i];

		if (queue->type == type && queue->index >= count) {
			forget_queue(queue);
			continue;
		}
		if (queue->type == QUEUE_TX && type == QUEUE_TX && driver_has(then, DRIVER_REWRITES_XPS)) {
			cpuset_free(queue->xps);
			queue->xps = NULL;
		}
		then->queues[kept++] = *queue;
	}
	then->nqueues = kept;
	for (unsigned index = 0; index < count; index++) {
		struct queue fresh = { .type = type, .index = index };

		if (nic_queue(then, type, index))
			continue;
		if (type == QUEUE_RX) {
			fresh.rps = cpuset_new();
			fresh.rps_flows = SOME_U32(0);
		}
		add_queue(then, fresh);
	}
}

/* Whether one vector serves rx i and tx i (rule 3). */
static bool paired(const struct nic *nic, const struct shape *shape)
{
	struct opt_u32 max = nic->channels.max[CHANNEL_COMBINED];

	if (max.set && driver_has(nic, DRIVER_PAIRS_OVER_HALF))
		return 2 * shape->combined > max.value;
	if (has_queue_vector(nic))
		return has_vector(nic, IRQ_COMBINED);
	return nic->nirqs < shape->rx + shape->tx;
}

static void expect(struct nic *then, enum irq_role role, struct opt_u32 rx, struct opt_u32 tx)
{
	if ((rx.set && nic_irq_of(then, QUEUE_RX, rx.value)) || (tx.set && nic_irq_of(then, QUEUE_TX, tx.value)))
		return;
	add_irq(then, (struct irq){ .role = role, .rx = rx, .tx = tx });
}

static void expect_irqs(struct nic *then, const struct nic *nic, const struct shape *shape)
{
	bool pairs = paired(nic, shape), rx_only = has_vector(nic, IRQ_RX) && !has_vector(nic, IRQ_TX);
	unsigned most = shape->rx > shape->tx ? shape->rx : shape->tx;
	const struct opt_u32 none = { 0 };

	for (unsigned i = 0; i < most; i++) {
		if (pairs && i < shape->rx && i < shape->tx) {
			expect(then, IRQ_COMBINED, SOME_U32(i), SOME_U32(i));
			continue;
		}
		if (i < shape->rx)
			expect(then, IRQ_RX, SOME_U32(i), none);
		if (i < shape->tx && !rx_only)
			expect(then, IRQ_TX, none, SOME_U32(i));
	}
}

/* Control vectors, and those whose queue is not known, are expected again as they are. */
static void keep_others(struct job *job, bool remade)
{
	for (size_t i = 0; i < job->nic->nirqs; i++) {
		const struct irq *irq = &job->nic->irqs[i];

		if (!irq->requested || (irq->role != IRQ_CONTROL && irq->role != IRQ_UNKNOWN))
			continue;
		if (remade)
			add_irq(&job->then, (struct irq){ .role = irq->role, .vector = irq->vector });
		else
			copy_irq(&job->then, irq);
	}
}

static void keep_vectors(struct job *job, const struct shape *shape)
{
	copy_irqs(job, shape->rx, shape->tx);
	for (size_t i = 0; i < job->then.nirqs; i++) {
		struct irq *irq = &job->then.irqs[i];

		if (irq->role == IRQ_CONTROL || irq->role == IRQ_UNKNOWN)
			continue;
		cpuset_freep(&irq->affinity);
		cpuset_freep(&irq->effective);
	}
}

static bool channels_change(const struct job *job)
{
	for (size_t i = 0; i < CHANNEL_KINDS; i++)
		if (job->then.channels.count[i].value != job->nic->channels.count[i].value)
			return true;
	return false;
}

void forecast_barrier(struct job *job)
{
	bool remade = channels_change(job);
	struct shape shape = shape_of(&job->then, remade);

	job->stage = 2;
	if (remade) {
		remake_queues(&job->then, QUEUE_RX, shape.rx);
		remake_queues(&job->then, QUEUE_TX, shape.tx);
		qsort(job->then.queues, job->then.nqueues, sizeof *job->then.queues, by_type_and_index);
	}
	forget_irqs(&job->then);
	if (nic_is_virtual(job->nic) || job->nic->nirqs == 0) /* rule 4 */
		return;
	if (forecast_waits_for_link(job) && job->then.link == LINK_DOWN)
		return;
	if (has_queue_vector(job->nic) && driver_has(job->nic, DRIVER_KEEPS_VECTORS)) /* rule 2 */
		keep_vectors(job, &shape);
	else
		keep_others(job, remade);
	if (has_queue_vector(job->nic) || !has_vector(job->nic, IRQ_UNKNOWN))
		expect_irqs(&job->then, job->nic, &shape);
}
