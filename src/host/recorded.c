/* Reads and rewrites the ethtool.json of a captured machine; what a setting does to the rest of the tree is in
 * replay.c. */
#include "recorded.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#define FILE_NAME "ethtool.json"

struct recorded {
	json_t *devices;
	size_t style; /* flags of json_dumps() that print it as it was found */
	bool newline; /* at its end */
	bool changed;
};

/* ---- the file -------------------------------------------------------------------------------------------------- */

/* The indentation is that of the second line; a document of one line has none. */
static size_t style_of(const char *text)
{
	const char *second = strchr(text, '\n');
	size_t indent = second ? strspn(second + 1, " ") : 0;

	return JSON_ENSURE_ASCII | JSON_INDENT(indent);
}

/* "DIR/ethtool.json:3:14: ...", without the control characters that a binary file would bring along. */
static char *describe(const struct host *host, int line, int column, const char *why)
{
	char *text = text_format("%s/" FILE_NAME ":%d:%d: %s", host->root, line, column, why);

	for (char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return text;
}

int recorded_load(const struct host *host, struct recorded **ret, char **ret_problem)
{
	CLEANUP(free_string) char *text = NULL;
	struct recorded *recorded;
	json_error_t error;
	json_t *devices;
	size_t length;
	int r = root_read(host, FILE_NAME, &text, &length);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	devices = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	if (!json_is_object(devices)) {
		*ret_problem = devices ? describe(host, 1, 1, "an object of devices is expected")
				       : describe(host, error.line, error.column, error.text);
		json_decref(devices);
		return -EBADMSG;
	}
	recorded = alloc_zero(1, sizeof *recorded);
	*recorded = (struct recorded){
		.devices = devices,
		.style = style_of(text),
		.newline = length && text[length - 1] == '\n',
	};
	*ret = recorded;
	return 0;
}

void recorded_free(struct recorded *recorded)
{
	if (!recorded)
		return;
	json_decref(recorded->devices);
	free(recorded);
}

int recorded_save(struct host *host)
{
	CLEANUP(free_string) char *text = NULL, *file = NULL;
	int r;

	if (!host->recorded || !host->recorded->changed)
		return 0;
	text = json_dumps(host->recorded->devices, host->recorded->style);
	if (!text)
		return -ENOMEM;
	file = text_format("%s%s", text, host->recorded->newline ? "\n" : "");
	r = root_replace(host, FILE_NAME, file);
	if (r == 0)
		host->recorded->changed = false;
	return r;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static json_t *find_device(const struct host *host, const char *name)
{
	return host->recorded ? json_object_get(host->recorded->devices, name) : NULL;
}

static struct opt_u32 get_u32(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);
	json_int_t number = json_integer_value(value);

	return json_is_integer(value) && number >= 0 && number <= UINT32_MAX ? SOME_U32((uint32_t)number)
									     : (struct opt_u32){ 0 };
}

static struct opt_bool get_bool(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_boolean(value) ? SOME_BOOL(json_is_true(value)) : (struct opt_bool){ 0 };
}

/* A maximum of 0 means that the driver does not have the kind: the kernel leaves it out. */
static void read_channels(const json_t *device, struct nic *nic)
{
	const json_t *channels = json_object_get(device, "channels");

	for (enum channel_kind kind = 0; kind < CHANNEL_KINDS; kind++) {
		const json_t *item = json_object_get(channels, channel_kind_name(kind));
		struct opt_u32 max = get_u32(item, "max");

		if (max.set && max.value == 0)
			continue;
		nic->channels.max[kind] = max;
		nic->channels.count[kind] = get_u32(item, "count");
	}
}

static void read_pause(const json_t *device, struct nic *nic)
{
	const json_t *pause = json_object_get(device, "pause");

	nic->pause.autoneg = get_bool(pause, "autoneg");
	nic->pause.rx = get_bool(pause, "rx");
	nic->pause.tx = get_bool(pause, "tx");
}

static void read_rings(const json_t *device, struct nic *nic)
{
	const json_t *rings = json_object_get(device, "rings");
	const json_t *rx = json_object_get(rings, "rx"), *tx = json_object_get(rings, "tx");

	nic->rings.rx_max = get_u32(rx, "max");
	nic->rings.rx = get_u32(rx, "count");
	nic->rings.tx_max = get_u32(tx, "max");
	nic->rings.tx = get_u32(tx, "count");
}

/* A capture made by hand may have the names that people use (ethtool(8)). */
static const struct {
	const char *people, *kernel;
} feature_names[] = {
	{ "lro", "rx-lro" },
	{ "gro", "rx-gro" },
	{ "tso", "tx-tcp-segmentation" },
	{ "gso", "tx-generic-segmentation" },
};

const char *recorded_feature(const struct host *host, const char *device, const char *feature)
{
	const json_t *features = json_object_get(find_device(host, device), "features");

	for (size_t i = 0; i < COUNT_OF(feature_names); i++)
		if (text_equal(feature_names[i].kernel, feature) && !json_object_get(features, feature))
			return feature_names[i].people;
	return feature;
}

static const char *kernel_name(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(feature_names); i++)
		if (text_equal(feature_names[i].people, name))
			return feature_names[i].kernel;
	return name;
}

static void read_features(const json_t *device, struct nic *nic)
{
	json_t *features = json_object_get(device, "features");
	const char *name;
	json_t *item;

	json_object_foreach(features, name, item)
	{
		struct opt_bool active = get_bool(item, "active"), fixed = get_bool(item, "fixed");

		if (!active.set)
			continue;
		nic->features = alloc_more(nic->features, nic->nfeatures, sizeof *nic->features);
		nic->features[nic->nfeatures++] = (struct feature){ .name = alloc_string(kernel_name(name)),
								    .active = active.value,
								    .fixed = fixed.value };
	}
}

static void read_queues(const json_t *napi, const char *name, uint32_t **ret, size_t *ret_n)
{
	const json_t *queues = json_object_get(napi, name);

	for (size_t i = 0; i < json_array_size(queues); i++) {
		const json_t *queue = json_array_get(queues, i);

		if (!json_is_integer(queue) || json_integer_value(queue) < 0 || json_integer_value(queue) > UINT32_MAX)
			continue;
		*ret = alloc_more(*ret, *ret_n, sizeof **ret);
		(*ret)[(*ret_n)++] = (uint32_t)json_integer_value(queue);
	}
}

static void read_napis(const json_t *device, struct nic *nic)
{
	const json_t *napis = json_object_get(device, "napi");

	for (size_t i = 0; i < json_array_size(napis); i++) {
		const json_t *item = json_array_get(napis, i);
		struct opt_u32 id = get_u32(item, "id");
		struct napi *napi;

		if (!id.set)
			continue;
		nic->napis = alloc_more(nic->napis, nic->nnapis, sizeof *nic->napis);
		napi = &nic->napis[nic->nnapis++];
		napi->id = id.value;
		napi->irq = get_u32(item, "irq");
		read_queues(item, "rx", &napi->rx, &napi->nrx);
		read_queues(item, "tx", &napi->tx, &napi->ntx);
	}
}

int recorded_read(struct host *host, struct nic *nic, unsigned details)
{
	static const struct {
		unsigned detail;
		void (*read)(const json_t *device, struct nic *nic);
	} readers[] = {
		{ DETAIL_CHANNELS, read_channels }, { DETAIL_PAUSE, read_pause }, { DETAIL_RINGS, read_rings },
		{ DETAIL_FEATURES, read_features }, { DETAIL_NAPI, read_napis },
	};
	const json_t *device = find_device(host, nic->name);

	for (size_t i = 0; i < COUNT_OF(readers); i++)
		if (details & readers[i].detail)
			readers[i].read(device, nic);
	return 0;
}

char *recorded_driver(struct host *host, const char *name)
{
	return alloc_string(json_string_value(json_object_get(find_device(host, name), "driver")));
}

/* ---- changing -------------------------------------------------------------------------------------------------- */

static json_t *get_or_make(json_t *parent, const char *name)
{
	json_t *object = json_object_get(parent, name);

	if (!json_is_object(object)) {
		json_object_set_new(parent, name, json_object());
		object = json_object_get(parent, name);
	}
	return object;
}

static void put(struct host *host, json_t *parent, const char *name, json_t *value)
{
	if (!json_equal(json_object_get(parent, name), value)) {
		json_object_set(parent, name, value);
		host->recorded->changed = true;
	}
	json_decref(value);
}

static json_t *find_parent(struct host *host, const char *device, const char *group, const char *item)
{
	json_t *parent = get_or_make(find_device(host, device), group);

	return item ? get_or_make(parent, item) : parent;
}

void recorded_put_u32(struct host *host, const char *device, const char *group, const char *item, const char *name,
		      uint32_t value)
{
	put(host, find_parent(host, device, group, item), name, json_integer(value));
}

void recorded_put_bool(struct host *host, const char *device, const char *group, const char *item, const char *name,
		       bool value)
{
	put(host, find_parent(host, device, group, item), name, json_boolean(value));
}

static void put_queues(json_t *item, const char *name, const uint32_t *queues, size_t n, const json_t *pattern)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_integer(queues[i]));
	if (n || json_object_get(pattern, name))
		json_object_set(item, name, list);
	json_decref(list);
}

/* The entry of an instance that was there before, changed no more than needed; a new one is written as the first is. */
static json_t *napi_entry(const json_t *before, const struct napi *napi)
{
	const json_t *first = json_array_get(before, 0);
	json_t *item = json_object();

	for (size_t i = 0; i < json_array_size(before); i++) {
		const json_t *old = json_array_get(before, i);
		struct opt_u32 id = get_u32(old, "id");

		if (id.set && id.value == napi->id)
			json_object_update(item, (json_t *)(uintptr_t)old);
	}
	json_object_set_new(item, "id", json_integer(napi->id));
	if (napi->irq.set)
		json_object_set_new(item, "irq", json_integer(napi->irq.value));
	else
		json_object_del(item, "irq");
	put_queues(item, "rx", napi->rx, napi->nrx, first);
	put_queues(item, "tx", napi->tx, napi->ntx, first);
	return item;
}

void recorded_put_napis(struct host *host, const char *device, const struct napi *napis, size_t n)
{
	json_t *parent = find_device(host, device);
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, napi_entry(json_object_get(parent, "napi"), &napis[i]));
	put(host, parent, "napi", list);
}
