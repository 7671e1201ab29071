/* Captures what netlink says of NICs as ethtool.json. A value that the kernel does not answer is left out. */
#include <jansson.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "capture_tree.h"

static void put_u32(json_t *object, const char *name, struct opt_u32 value)
{
	if (value.set)
		json_object_set_new(object, name, json_integer(value.value));
}

static void put_bool(json_t *object, const char *name, struct opt_bool value)
{
	if (value.set)
		json_object_set_new(object, name, json_boolean(value.value));
}

/* An object of the parent, unless it is empty. Takes it over. */
static void put_object(json_t *parent, const char *name, json_t *object)
{
	if (json_object_size(object))
		json_object_set(parent, name, object);
	json_decref(object);
}

static json_t *max_and_count(struct opt_u32 max, struct opt_u32 count)
{
	json_t *object = json_object();

	put_u32(object, "max", max);
	put_u32(object, "count", count);
	return object;
}

static json_t *channels_of(const struct nic *nic)
{
	json_t *object = json_object();

	for (enum channel_kind kind = 0; kind < CHANNEL_KINDS; kind++)
		put_object(object, channel_kind_name(kind),
			   max_and_count(nic->channels.max[kind], nic->channels.count[kind]));
	return object;
}

static json_t *pause_of(const struct nic *nic)
{
	json_t *object = json_object();

	put_bool(object, "autoneg", nic->pause.autoneg);
	put_bool(object, "rx", nic->pause.rx);
	put_bool(object, "tx", nic->pause.tx);
	return object;
}

static json_t *rings_of(const struct nic *nic)
{
	json_t *object = json_object();

	put_object(object, "rx", max_and_count(nic->rings.rx_max, nic->rings.rx));
	put_object(object, "tx", max_and_count(nic->rings.tx_max, nic->rings.tx));
	return object;
}

static json_t *features_of(const struct nic *nic)
{
	json_t *object = json_object();

	for (size_t i = 0; i < nic->nfeatures; i++) {
		json_t *feature;

		if (!*nic->features[i].name) /* some kernels have bits without a name */
			continue;
		feature = json_object();
		json_object_set_new(feature, "active", json_boolean(nic->features[i].active));
		json_object_set_new(feature, "fixed", json_boolean(nic->features[i].fixed));
		json_object_set_new(object, nic->features[i].name, feature);
	}
	return object;
}

static json_t *numbers(const uint32_t *values, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, json_integer(values[i]));
	return array;
}

static void put_napis(json_t *device, const struct nic *nic)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nic->nnapis; i++) {
		const struct napi *napi = &nic->napis[i];
		json_t *object = json_object();

		json_object_set_new(object, "id", json_integer(napi->id));
		put_u32(object, "irq", napi->irq);
		json_object_set_new(object, "rx", numbers(napi->rx, napi->nrx));
		json_object_set_new(object, "tx", numbers(napi->tx, napi->ntx));
		json_array_append_new(array, object);
	}
	if (nic->nnapis)
		json_object_set(device, "napi", array);
	json_decref(array);
}

static json_t *device_of(const struct nic *nic)
{
	json_t *device = json_object();

	if (nic->driver)
		json_object_set_new(device, "driver", json_string(nic->driver));
	if (nic->bus)
		json_object_set_new(device, "bus-info", json_string(nic->bus));
	put_object(device, "channels", channels_of(nic));
	put_object(device, "pause", pause_of(nic));
	put_object(device, "rings", rings_of(nic));
	put_object(device, "features", features_of(nic));
	put_napis(device, nic);
	return device;
}

void capture_ethtool(struct capture *capture, const struct machine *machine)
{
	CLEANUP(free_string) char *text = NULL;
	json_t *devices = json_object();

	for (size_t i = 0; i < machine->nnics; i++)
		json_object_set_new(devices, machine->nics[i].name, device_of(&machine->nics[i]));
	text = json_dumps(devices, JSON_INDENT(1) | JSON_ENSURE_ASCII);
	json_decref(devices);
	if (text)
		put_text(capture, "ethtool.json", text);
}
