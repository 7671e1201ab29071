/* Captures what is known of flow offloading: flowtables.json, and of OpenWrt's firewall only the two options that
 * count. */
#include <jansson.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "capture_tree.h"

static json_t *table_json(const struct flowtable *table)
{
	json_t *devices = json_array();

	for (size_t i = 0; i < table->devices.n; i++)
		json_array_append_new(devices, json_string(table->devices.items[i]));
	return json_pack("{s:s, s:s, s:s, s:o, s:b, s:b}", "family", table->family, "table", table->table, "name",
			 table->name, "devices", devices, "hardware", table->hardware, "used", table->used);
}

static void put_configuration(struct capture *capture, enum flow_offload offload)
{
	CLEANUP(free_string)
	char *text = text_format("config defaults\n\toption flow_offloading '%d'\n"
				 "\toption flow_offloading_hw '%d'",
				 offload >= FLOW_OFFLOAD_SOFTWARE, offload == FLOW_OFFLOAD_HARDWARE);

	put_text(capture, "etc/config/firewall", text);
}

void capture_flows(struct capture *capture, const struct flow_offloads *flows)
{
	CLEANUP(free_string) char *text = NULL;
	json_t *list;

	if (flows->configured != FLOW_OFFLOAD_UNKNOWN)
		put_configuration(capture, flows->configured);
	if (!flows->known)
		return;
	list = json_array();
	for (size_t i = 0; i < flows->ntables; i++)
		json_array_append_new(list, table_json(&flows->tables[i]));
	text = json_dumps(list, JSON_INDENT(2));
	json_decref(list);
	if (text)
		put_text(capture, "flowtables.json", text);
}
