/* NXP's Frame Manager as JSON: "fman" of `steerctl show --json`. */
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/fmc.h>
#include <steer/json.h>

#include "views.h"

static json_t *portals_json(const struct fman_portals *portals)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; i < portals->n; i++) {
		json_t *object = json_or_end(json_object());

		json_member(object, "cpu", json_integer(portals->items[i].cpu));
		json_member(object, "irq", json_integer(portals->items[i].irq));
		json_member(object, "irq_cpus", json_cpus(portals->items[i].cpus));
		json_element(array, object);
	}
	return array;
}

static json_t *record_json(const struct fmc_record *record)
{
	json_t *object;

	if (!record->what)
		return json_null();
	object = json_or_end(json_object());
	json_member(object, "applied", json_text(record->what));
	json_member(object, "status", json_integer(record->status));
	json_member(object, "said", json_text(record->said));
	return object;
}

static json_t *ports_json(const struct fman *fman)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; i < fman->nports; i++) {
		const struct fman_port *port = &fman->ports[i];
		json_t *object = json_or_end(json_object());

		json_member(object, "port", json_taken(text_format("mac%u", port->mac)));
		json_member(object, "device", json_text(port->nic));
		json_member(object, "first_queue", port->count ? json_integer(port->first) : json_null());
		json_member(object, "queues", port->count ? json_integer(port->count) : json_null());
		json_element(array, object);
	}
	return array;
}

/* A list of those there are: none, or one. */
json_t *json_of_fman(const struct view *view)
{
	const struct fman *fman = &view->machine->fman;
	json_t *array = json_or_end(json_array()), *object;

	if (fman->kernel == FMAN_NONE)
		return array;
	object = json_or_end(json_object());
	json_member(object, "name", json_text(FMC_DEVICE));
	json_member(object, "kernel", json_text(fman_kernel_name(fman->kernel)));
	json_member(object, "portals", portals_json(&fman->qman));
	json_member(object, "buffer_portals", portals_json(&fman->bman));
	json_member(object, "fmc", record_json(&fman->record));
	json_member(object, "ports", ports_json(fman));
	json_element(array, object);
	return array;
}
