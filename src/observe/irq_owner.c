/* Reads what the devices of NICs say about their interrupts, and finds the vectors of each; the rules are those at the
 * top of irq.c. Knows no driver, but for virtio devices without a device. */
#include "irq_owner.h"

#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "private.h"

/* ---- what devices say ------------------------------------------------------------------------------------------ */

static bool is_function(const char *name)
{
	return strlen(name) >= strlen("0000:00:00.0") && name[strlen(name) - 2] == '.' && strchr(name, ':');
}

static char *last_component(const char *path)
{
	return alloc_string(strrchr(path, '/') + 1);
}

static int by_value(const void *a, const void *b)
{
	const unsigned *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void read_list(struct host *host, const char *device, const char *name, struct owner *owner)
{
	CLEANUP(free_string) char *directory = text_format("%s/%s", device, name);
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(host, directory, &names);
	for (size_t i = 0; i < names.n; i++) {
		uint32_t irq;

		if (text_u32(names.items[i], &irq) < 0)
			continue;
		owner->list = alloc_more(owner->list, owner->nlist, sizeof *owner->list);
		owner->list[owner->nlist++] = irq;
	}
	if (owner->nlist)
		qsort(owner->list, owner->nlist, sizeof *owner->list, by_value);
}

/* A PCI function lists its own; without a list, an `irq` of 0 is none. */
static void read_function(struct host *host, const char *device, struct owner *owner)
{
	owner->function = last_component(device);
	read_list(host, device, "msi_irqs", owner);
	if (owner->nlist)
		return;
	owner->intx = read_u32(host, device, "irq");
	if (owner->intx.set && owner->intx.value == 0)
		owner->intx.set = false;
}

/* Virtio and auxiliary devices sit on a PCI function; an auxiliary one may list its share of the function's. */
static void read_above(struct host *host, const char *bus, struct owner *owner)
{
	CLEANUP(free_string) char *parent = alloc_string(owner->device), *name = NULL;

	if (text_equal(bus, "auxiliary"))
		read_list(host, owner->device, "irqs", owner);
	*strrchr(parent, '/') = 0;
	name = last_component(parent);
	if (!is_function(name))
		return;
	owner->shares = text_equal(bus, "auxiliary");
	if (owner->shares)
		owner->function = TAKE(name);
	else
		read_function(host, parent, owner);
}

static void owner_init(struct owner *owner, struct host *host, const struct nic *nic)
{
	CLEANUP(free_string) char *bus = NULL;

	owner->nic = nic;
	owner->device = nic_device(nic);
	if (is_function(nic->bus)) {
		read_function(host, owner->device, owner);
		return;
	}
	bus = read_link_name(host, owner->device, "subsystem");
	if (text_equal(bus, "usb") || text_equal(bus, "vmbus"))
		owner->silent = true;
	else if (text_equal(bus, "virtio") || text_equal(bus, "auxiliary"))
		read_above(host, bus, owner);
	if (text_starts(nic->bus, "vif-")) /* xenbus writes the device "vif-0", netfront "vif0" */
		owner->alias = text_format("vif%s", nic->bus + strlen("vif-"));
}

/* ---- a virtio NIC of which only the PCI function is known ------------------------------------------------------- */

/* "virtio2" of "virtio2-input.0": of virtio's drivers the network one alone numbers its inputs so. */
static char *virtio_of(const char *action)
{
	size_t digits;

	if (!text_starts(action, "virtio"))
		return NULL;
	digits = strspn(action + strlen("virtio"), "0123456789");
	if (!digits || !text_starts(action + strlen("virtio") + digits, "-input."))
		return NULL;
	return text_format("%.*s", (int)(strlen("virtio") + digits), action);
}

static void find_alias(const struct owners *owners, struct owner *owner)
{
	CLEANUP(free_string) char *found = NULL;

	if (!owner->sole || !text_equal(owner->nic->driver, "virtio_net") || text_starts(owner->nic->bus, "virtio"))
		return;
	for (size_t i = 0; i < owners->rows.n; i++) {
		for (size_t j = 0; j < owners->rows.items[i].actions.n; j++) {
			CLEANUP(free_string) char *device = virtio_of(owners->rows.items[i].actions.items[j]);

			if (device && found && !text_equal(device, found))
				return; /* there are several */
			if (device && !found)
				found = TAKE(device);
		}
	}
	owner->alias = TAKE(found);
}

void owners_init(struct owners *owners, struct host *host, const struct machine *machine)
{
	CLEANUP(free_string) char *text = read_text(host, "proc", "interrupts");

	interrupts_parse(text ? text : "", &owners->rows);
	owners->machine = machine;
	owners->items = alloc_zero(machine->nnics, sizeof *owners->items);
	for (size_t i = 0; i < machine->nnics; i++)
		if (machine->nics[i].bus)
			owner_init(&owners->items[owners->n++], host, &machine->nics[i]);
	for (size_t i = 0; i < owners->n; i++) {
		struct owner *owner = &owners->items[i];

		owner->sole = true;
		for (size_t j = 0; j < owners->n; j++)
			owner->sole &= i == j || !text_equal(owners->items[j].nic->driver, owner->nic->driver);
		find_alias(owners, owner);
	}
}

void owners_clear(struct owners *owners)
{
	for (size_t i = 0; i < owners->n; i++) {
		free(owners->items[i].device);
		free(owners->items[i].function);
		free(owners->items[i].alias);
		free(owners->items[i].list);
	}
	free(owners->items);
	interrupts_clear(&owners->rows);
	*owners = (struct owners){ 0 };
}

void owned_clear(struct vectors *vectors)
{
	free(vectors->items);
	*vectors = (struct vectors){ 0 };
}

/* ---- whose a row is -------------------------------------------------------------------------------------------- */

static bool lists(const struct owner *owner, unsigned irq)
{
	return owner->nlist && bsearch(&irq, owner->list, owner->nlist, sizeof irq, by_value);
}

static bool listed_elsewhere(const struct owners *owners, const struct owner *owner, unsigned irq)
{
	for (size_t i = 0; i < owners->n; i++)
		if (&owners->items[i] != owner && !text_equal(owners->items[i].device, owner->device) &&
		    lists(&owners->items[i], irq))
			return true;
	return false;
}

/* Rules 1 and 2 as far as they need no name. */
static bool owns(const struct owner *owner, const struct interrupt *row)
{
	if (owner->nlist)
		return lists(owner, row->irq);
	return owner->function && interrupt_is_of(row, owner->function) &&
	       !text_starts(owner->nic->bus, "mlx5_core.sf");
}

/* A name as a whole word of a text: not eth1 in "eth10-TxRx-0". */
static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
		static const char inside[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
		bool begins = at == text || !strchr(inside, at[-1]);

		if (begins && (!at[length] || !strchr(inside, at[length])))
			return true;
	}
	return false;
}

/* Rule 4. The longest name that stands in the action is meant: "eth0-1" is not eth0's if there is a NIC of that name.
 * neighbours: only NICs of the same device count. */
static bool names_another(const struct owners *owners, const struct owner *owner, const char *action, bool neighbours)
{
	const char *own = owner->nic->name;
	size_t length = has_word(action, own) ? strlen(own) : 0;

	for (size_t i = 0; i < owners->machine->nnics; i++) {
		const struct nic *other = &owners->machine->nics[i];
		CLEANUP(free_string) char *device = NULL;

		if (other == owner->nic || strlen(other->name) <= length || !has_word(action, other->name))
			continue;
		device = neighbours ? nic_device(other) : NULL;
		if (!neighbours || text_equal(device, owner->device))
			return true;
	}
	return false;
}

/* ---- the vectors of a NIC --------------------------------------------------------------------------------------- */

struct search {
	const struct owners *owners;
	const struct owner *owner;
	const struct irq_rule **rules;
	size_t nrules;
};

static struct irq_identity identity_of(const struct owner *owner, bool own)
{
	return (struct irq_identity){
		.nic = owner->nic->name,
		.buses = { owner->nic->bus, owner->function, owner->alias },
		.any_nic = own,
		.template = own || owner->sole,
		.nameless = own || owner->sole,
	};
}

static void add(struct vectors *vectors, struct vector vector)
{
	vectors->items = alloc_more(vectors->items, vectors->n, sizeof *vectors->items);
	vectors->items[vectors->n++] = vector;
}

/* The action of a row that is the NIC's, with the rule it fits; of a row that is known to be the NIC's its only one,
 * whatever it is called. */
static bool pick_action(const struct search *search, const struct interrupt *row, bool own, struct vector *vector)
{
	const struct irq_identity identity = identity_of(search->owner, own);
	const char *only = own && row->actions.n == 1 ? row->actions.items[0] : NULL;

	for (size_t i = 0; i < row->actions.n; i++) {
		const char *action = row->actions.items[i];
		struct irq_match match = irq_match(search->rules, search->nrules, &identity, action);

		if (!match.rule && action != only)
			continue;
		if ((match.rule && match.rule->role == IRQ_ROLES) ||
		    names_another(search->owners, search->owner, action, own))
			continue;
		if (!vector->action) {
			vector->match = match;
			vector->action = action;
		}
		vector->times += text_equal(action, vector->action);
	}
	vector->shared = vector->action && vector->times < row->actions.n;
	return vector->action;
}

static void look_at_row(const struct search *search, const struct interrupt *row, struct vectors *ret)
{
	bool own = owns(search->owner, row);
	struct vector vector = {
		.irq = row->irq, .index = interrupt_vector(row), .line = row->line, .fired = row->fired
	};

	if (!own && (search->owner->nlist || listed_elsewhere(search->owners, search->owner, row->irq)))
		return;
	if (!own && interrupt_has_function(row))
		return;
	if (!own && search->owner->intx.set && search->owner->intx.value == row->irq && row->actions.n == 1)
		own = true;
	if (pick_action(search, row, own, &vector) || (own && row->actions.n == 0))
		add(ret, vector);
}

/* Without a list: the same name twice, where the driver gives each vector its own. */
static void drop_doubles(struct vectors *vectors)
{
	bool *doubled = alloc_zero(vectors->n, sizeof *doubled);
	size_t kept = 0;

	for (size_t i = 0; i < vectors->n; i++)
		for (size_t j = 0; j < vectors->n; j++)
			doubled[i] |= i != j && vectors->items[i].match.rule &&
				      strstr(vectors->items[i].match.rule->format, "<n>") &&
				      text_equal(vectors->items[i].action, vectors->items[j].action);
	for (size_t i = 0; i < vectors->n; i++)
		if (!doubled[i])
			vectors->items[kept++] = vectors->items[i];
	vectors->n = kept;
	free(doubled);
}

static bool have(const struct vectors *vectors, unsigned irq)
{
	for (size_t i = 0; i < vectors->n; i++)
		if (vectors->items[i].irq == irq)
			return true;
	return false;
}

/* Rule 1: vectors that are allocated, but of which there is no row. */
static void add_allocated(const struct search *search, struct vectors *ret)
{
	for (size_t i = 0; i < search->owner->nlist; i++)
		if (!interrupts_find(&search->owners->rows, search->owner->list[i]))
			add(ret, (struct vector){ .irq = search->owner->list[i] });
}

/* Rule 3. */
static void add_napi(const struct search *search, struct vectors *ret)
{
	const struct nic *nic = search->owner->nic;

	for (size_t i = 0; i < nic->nnapis; i++) {
		const struct napi *napi = &nic->napis[i];
		const struct interrupt *row =
			napi->irq.set ? interrupts_find(&search->owners->rows, napi->irq.value) : NULL;

		if (!row || !row->actions.n || have(ret, row->irq) ||
		    listed_elsewhere(search->owners, search->owner, row->irq))
			continue;
		add(ret, (struct vector){ .irq = row->irq,
					  .action = row->actions.items[0],
					  .index = interrupt_vector(row),
					  .shared = row->actions.n > 1 });
	}
}

static int by_irq(const void *a, const void *b)
{
	const struct vector *left = a, *right = b;

	return left->irq < right->irq ? -1 : left->irq > right->irq;
}

void owners_find(const struct owners *owners, const struct nic *nic, struct vectors *ret)
{
	struct search search = { .owners = owners };

	*ret = (struct vectors){ .nic = nic, .kernel = owners->machine->kernel };
	for (size_t i = 0; i < owners->n; i++)
		if (owners->items[i].nic == nic)
			search.owner = &owners->items[i];
	if (!search.owner || search.owner->silent)
		return;
	search.nrules = irq_rules_of(nic->driver, &search.rules);
	for (size_t i = 0; i < owners->rows.n; i++)
		look_at_row(&search, &owners->rows.items[i], ret);
	if (!search.owner->nlist)
		drop_doubles(ret);
	add_allocated(&search, ret);
	add_napi(&search, ret);
	free(search.rules);
	if (ret->n)
		qsort(ret->items, ret->n, sizeof *ret->items, by_irq);
}
