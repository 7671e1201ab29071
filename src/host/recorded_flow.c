/* Reads the flowtables.json of a captured machine. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "recorded.h"

#define FILE_NAME "flowtables.json"

static void free_json(json_t **json)
{
	json_decref(*json);
}

static char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return alloc_string(text ? text : "?");
}

static void read_table(const json_t *object, struct flowtable *ret)
{
	const json_t *device;
	size_t i;

	*ret = (struct flowtable){
		.family = text_of(object, "family"),
		.table = text_of(object, "table"),
		.name = text_of(object, "name"),
		.hardware = json_is_true(json_object_get(object, "hardware")),
		.used = json_is_true(json_object_get(object, "used")),
	};
	json_array_foreach(json_object_get(object, "devices"), i, device) if (json_is_string(device))
		strings_add(&ret->devices, json_string_value(device));
	strings_sort(&ret->devices);
}

int recorded_flowtables(struct host *host, struct flow_offloads *ret)
{
	CLEANUP(free_string) char *text = NULL;
	CLEANUP(free_json) json_t *list = NULL;
	const json_t *object;
	size_t length, i;
	int r = root_read(host, FILE_NAME, &text, &length);

	if (r < 0)
		return r == -ENOENT ? -ENODATA : r;
	list = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
	if (!json_is_array(list))
		return -EBADMSG;
	json_array_foreach(list, i, object)
	{
		ret->tables = alloc_more(ret->tables, ret->ntables, sizeof *ret->tables);
		read_table(object, &ret->tables[ret->ntables++]);
	}
	return 0;
}
