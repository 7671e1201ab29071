/* What the name of an interrupt's action says: the table of naming rules and what matching one gives. */
#pragma once

#include <steer/nic.h>

struct vectors;

/* Works out queues (and, where the name alone does not tell it, the role) of vector i, of which the rule has matched.
 * irq->role is that of the rule. It sees all vectors of the device, because many names have a meaning only together. */
typedef void irq_layout(const struct vectors *all, size_t i, struct irq *irq);

struct irq_rule {            /* one row a naming rule */
	const char *drivers; /* globs, blank separated; NULL: any driver that has no row */
	const char *format;
	enum irq_role role; /* IRQ_ROLES: another netdev of the device has it */
	irq_layout *layout; /* NULL: serves no queue, or several */
};

/* Formats are literal text with places for
 *      <nic>  the name of the network device
 *      <bus>  the name of its device on its bus ("0000:01:00.0", "virtio0", "30be0000.ethernet")
 *      <dev>  either of the two
 *      <n>    a decimal number; <m> a second one
 *      <x>    any text, not empty */
extern const struct irq_rule irq_rules[];
extern const size_t n_irq_rules;

struct irq_match {
	const struct irq_rule *rule; /* NULL: no rule */
	uint32_t n, m;
};

struct vector {
	unsigned irq;
	const char *action;   /* the device's own action; NULL: none */
	struct opt_u32 index; /* MSI(-X) index */
	struct opt_u32 line;  /* hardware number */
	bool fired;
	bool shared;
	unsigned times; /* how often the action stands on the row */
	struct irq_match match;
};

struct vectors { /* of one NIC, ascending interrupt numbers */
	const struct nic *nic;
	const char *kernel; /* release; NULL unknown */
	struct vector *items;
	size_t n;
};

/* The names a NIC's actions may carry. */
struct irq_identity {
	const char *nic;
	const char *buses[3]; /* unused ones are NULL */
	bool any_nic;         /* the vector is known to be the device's: an old name of it is taken too */
	bool template;        /* an unformatted "eth%d" can only be this device */
	bool nameless;        /* so can a format without any name */
};

/* The rules of a driver: those of its rows, or without any the general ones. The caller frees the array. */
size_t irq_rules_of(const char *driver, const struct irq_rule ***ret);

/* The first of n rules whose format is the whole action. */
struct irq_match irq_match(const struct irq_rule *const *rules, size_t n, const struct irq_identity *identity,
			   const char *action);

/* Fills role, rx, tx and rule of irq for vector i. */
void irq_judge(const struct vectors *all, size_t i, struct irq *irq);

/* ---- layouts (irq_layout.c, irq_rows.c) ------------------------------------------------------------------------- */

irq_layout as_numbered, as_counted, as_consecutive, as_from_least, as_first, as_second, as_only, as_bare,
	as_bare_general;
irq_layout as_tg3_vector, as_tg3_plain, as_tg3_cut, as_qlcnic_mixed, as_range, as_bnxt_tx, as_qede, as_netxen,
	as_mlx5_comp, as_ionic_rx, as_hns3_txrx, as_gve, as_vmxnet3_rx, as_r8125, as_rtase;
irq_layout as_e1000e_rows, as_fec_rows, as_macb_rows, as_genet_rows, as_sysport_rows, as_mtk_rows, as_cpsw_rows,
	as_axienet_rows, as_atlantic_rows;

/* What layouts ask of the vectors of a device. */
size_t vectors_with_role(const struct vectors *all, enum irq_role role);
bool vectors_have_queues(const struct vectors *all);                          /* some name says queue */
size_t vectors_alike(const struct vectors *all, size_t i, size_t *ret_place); /* same rule; the place of i among them */
void irq_serve(struct irq *irq, uint32_t queue); /* sets rx, tx or both, as the role says */
