/* `steerctl show --json`: the machine, its devices and the findings as one document. */
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/json.h>

#include "views.h"

static json_t *nodes_json(const struct topology *topology)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; i < topology->nnodes; i++) {
		json_t *object = json_or_end(json_object());

		json_member(object, "id", json_integer(topology->nodes[i].id));
		json_member(object, "cpus", json_cpus(topology->nodes[i].cpus));
		json_element(array, object);
	}
	return array;
}

/* null: nobody asked, or nobody knows */
static json_t *flowtables_json(const struct flow_offloads *flows)
{
	json_t *array;

	if (!flows->known)
		return json_null();
	array = json_or_end(json_array());
	for (size_t i = 0; i < flows->ntables; i++) {
		const struct flowtable *table = &flows->tables[i];
		json_t *object = json_or_end(json_object());

		json_member(object, "family", json_text(table->family));
		json_member(object, "table", json_text(table->table));
		json_member(object, "name", json_text(table->name));
		json_member(object, "devices", json_names(&table->devices));
		json_member(object, "hardware", json_boolean(table->hardware));
		json_member(object, "used", json_boolean(table->used));
		json_element(array, object);
	}
	return array;
}

static json_t *host_json(const struct view *view)
{
	const struct machine *machine = view->machine;
	json_t *object = json_or_end(json_object());

	json_member(object, "cpus_online", json_cpus(machine->topology.online));
	json_member(object, "nodes", nodes_json(&machine->topology));
	json_member(object, "isolated", json_cpus(machine->topology.isolated));
	json_member(object, "irqbalance", json_text(machine->irqbalance));
	json_member(object, "flowtables", flowtables_json(&machine->flows));
	json_member(object, "kernel", json_text(machine->kernel));
	json_member(object, "arch", json_text(machine->arch));
	json_member(object, "policy", json_text(view->policy ? view->policy->name : NULL));
	json_member(object, "in_force",
		    view->plan ? json_boolean(!view->plan->refused && plan_todo(view->plan, 0) == 0) : json_null());
	json_member(object, "changes", view->plan ? json_integer((json_int_t)plan_todo(view->plan, 0)) : json_null());
	return object;
}

static json_t *channels_json(const struct channels *channels)
{
	json_t *object = json_or_end(json_object());

	for (enum channel_kind kind = 0; kind < CHANNEL_KINDS; kind++) {
		json_t *numbers = json_or_end(json_object());

		json_member(numbers, "max", json_u32(channels->max[kind]));
		json_member(numbers, "count", json_u32(channels->count[kind]));
		json_member(object, channel_kind_name(kind), numbers);
	}
	return object;
}

static json_t *pause_json(const struct pause *pause)
{
	json_t *object = json_or_end(json_object());

	json_member(object, "autoneg", json_flag(pause->autoneg));
	json_member(object, "rx", json_flag(pause->rx));
	json_member(object, "tx", json_flag(pause->tx));
	return object;
}

static json_t *ring_json(struct opt_u32 max, struct opt_u32 count)
{
	json_t *object = json_or_end(json_object());

	json_member(object, "max", json_u32(max));
	json_member(object, "count", json_u32(count));
	return object;
}

static json_t *rings_json(const struct rings *rings)
{
	json_t *object = json_or_end(json_object());

	json_member(object, "rx", ring_json(rings->rx_max, rings->rx));
	json_member(object, "tx", ring_json(rings->tx_max, rings->tx));
	return object;
}

static json_t *queues_json(const struct block *block)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; i < block->nrows; i++) {
		const struct row *row = &block->rows[i];
		json_t *object = json_or_end(json_object());

		json_member(object, "type", json_text(queue_type_name(row->type)));
		json_member(object, "index", json_integer(row->index));
		json_member(object, "irq", row->irq ? json_integer(row->irq->number) : json_null());
		json_member(object, "irq_cpus", json_cpus(row->irq ? row->irq->affinity : NULL));
		json_member(object, "effective_cpus", json_cpus(row->irq ? row->irq->effective : NULL));
		json_member(object, "rps_cpus", json_cpus(row->rx ? row->rx->rps : NULL));
		json_member(object, "rps_flows", json_u32(row->rx ? row->rx->rps_flows : (struct opt_u32){ 0 }));
		json_member(object, "xps_cpus", json_cpus(row->tx ? row->tx->xps : NULL));
		json_member(object, "xps_rxqs", json_cpus(row->tx ? row->tx->xps_rxqs : NULL));
		json_member(object, "napi", json_u32(row->napi));
		json_member(object, "threaded", json_null()); /* not read yet */
		json_element(array, object);
	}
	return array;
}

static json_t *irqs_json(const struct nic *nic)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; i < nic->nirqs; i++) {
		const struct irq *irq = &nic->irqs[i];
		json_t *object = json_or_end(json_object());

		json_member(object, "irq", json_integer(irq->number));
		json_member(object, "role", json_text(irq_role_name(irq->role)));
		json_member(object, "queue", json_u32(irq->rx.set ? irq->rx : irq->tx));
		json_member(object, "name", json_text(irq->name));
		json_member(object, "rx", json_u32(irq->rx));
		json_member(object, "tx", json_u32(irq->tx));
		json_member(object, "vector", json_u32(irq->vector));
		json_member(object, "cpus", json_cpus(irq->affinity));
		json_member(object, "effective_cpus", json_cpus(irq->effective));
		json_member(object, "fixed", json_boolean(irq->fixed));
		json_member(object, "shared", json_boolean(irq->shared));
		json_member(object, "rule", json_text(irq->rule));
		json_element(array, object);
	}
	return array;
}

static json_t *device_json(const struct block *block)
{
	const struct nic *nic = block->nic;
	json_t *object = json_or_end(json_object());

	json_member(object, "name", json_text(nic->name));
	json_member(object, "driver", json_text(nic->driver));
	json_member(object, "kind", json_text(nic_kind_name(nic->kind)));
	json_member(object, "bus", json_text(nic->bus));
	json_member(object, "pci_id", json_text(nic->pci_id));
	json_member(object, "node", nic->node < 0 ? json_null() : json_integer(nic->node));
	json_member(object, "local_cpus", json_cpus(nic->local));
	json_member(object, "link", json_text(link_state_name(nic->link)));
	json_member(object, "speed", json_u32(nic->speed));
	json_member(object, "master", json_text(nic->master));
	json_member(object, "uppers", json_names(&nic->uppers));
	json_member(object, "lowers", json_names(&nic->lowers));
	json_member(object, "xdp", json_boolean(nic->xdp));
	json_member(object, "channels", channels_json(&nic->channels));
	json_member(object, "pause", pause_json(&nic->pause));
	json_member(object, "rings", rings_json(&nic->rings));
	json_member(object, "policy", json_text(block->section ? block->section->name : NULL));
	json_member(object, "queues", queues_json(block));
	json_member(object, "irqs", irqs_json(nic));
	return object;
}

static json_t *findings_json(const struct view *view)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; view->findings && i < view->findings->n; i++) {
		const struct finding *finding = &view->findings->items[i];
		json_t *object;

		if (finding->device && !view_has(view, finding->device))
			continue;
		object = json_or_end(json_object());
		json_member(object, "level", json_text(note_level_name(finding->level)));
		json_member(object, "code", json_text(finding->code));
		json_member(object, "device", json_text(finding->device));
		json_member(object, "text", json_text(finding->text));
		json_member(object, "hint", json_text(finding->hint));
		json_element(array, object);
	}
	return array;
}

json_t *json_of_machine(const struct view *view)
{
	struct pen pen = view_pen(NULL, view);
	json_t *document = json_or_end(json_object());
	json_t *devices = json_or_end(json_array());

	for (size_t i = 0; i < view->machine->nnics; i++) {
		if (view_has(view, view->machine->nics[i].name)) {
			CLEANUP(block_clear) struct block block = block_make(view, &pen, &view->machine->nics[i]);

			json_element(devices, device_json(&block));
		}
	}
	json_member(document, "host", host_json(view));
	json_member(document, "devices", devices);
	json_member(document, "fman", json_of_fman(view));
	json_member(document, "findings", findings_json(view));
	return document;
}

void json_machine(FILE *out, const struct view *view)
{
	json_print(out, json_of_machine(view));
}
