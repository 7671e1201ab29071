/* `steerctl show`: the host in one line, a block a device, the findings, the worst last. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "fold.h"
#include "views.h"

enum { NAME, DRIVER, LINK, PLACE, SECTION, CELLS }; /* of a heading */
enum { MANY_ALIKE = 4 };                            /* more virtual devices of one kind than this are one line */

struct heading {
	char *cells[CELLS];
};

static void heading_clear(struct heading *heading)
{
	for (size_t i = 0; i < CELLS; i++)
		free(heading->cells[i]);
}

/* ---- the host --------------------------------------------------------------------------------------------------- */

/* "flow offloading by ft of inet fw4 (eth0)" */
static char *flows_text(const struct flow_offloads *flows)
{
	CLEANUP(strings_clear) struct strings used = { 0 };
	CLEANUP(free_string) char *text = NULL;

	if (!flows->known)
		return text_format("flow offloading %s%s", flow_offload_name(flows->configured),
				   flows->configured == FLOW_OFFLOAD_UNKNOWN ? "" : " by configuration");
	for (size_t i = 0; i < flows->ntables; i++) {
		const struct flowtable *table = &flows->tables[i];
		CLEANUP(free_string) char *devices = strings_join(&table->devices, " ");

		if (table->used)
			strings_take(&used, text_format("%s of %s %s (%s%s)", table->name, table->family, table->table,
							devices, table->hardware ? ", in hardware" : ""));
	}
	if (!used.n)
		return alloc_string("no flow offloading");
	text = strings_join(&used, ", ");
	return text_format("flow offloading by %s", text);
}

static char *nodes_text(const struct topology *topology)
{
	CLEANUP(strings_clear) struct strings lists = { 0 };
	CLEANUP(free_string) char *joined = NULL;

	if (topology->nnodes < 2)
		return NULL;
	for (size_t i = 0; i < topology->nnodes; i++)
		strings_take(&lists, cpuset_list(topology->nodes[i].cpus));
	joined = strings_join(&lists, "; ");
	if (topology->nnodes > 4 || strlen(joined) > 40)
		return text_format("%zu nodes", topology->nnodes);
	return text_format("%zu nodes (%s)", topology->nnodes, joined);
}

static void add_policy(const struct view *view, struct items *items)
{
	size_t todo = view->plan ? plan_todo(view->plan, 0) : 0;

	if (!view->policy)
		items_take(items, INK_QUIET, alloc_string("no policy"));
	else if (view->plan && view->plan->refused)
		items_take(items, INK_ERROR,
			   text_format("policy %s, refused: its requirements are not met", view->policy->name));
	else if (todo)
		items_take(
			items, INK_WARNING,
			text_format("policy %s, %zu change%s to make", view->policy->name, todo, todo == 1 ? "" : "s"));
	else
		items_take(items, INK_GOOD, text_format("policy %s, in force", view->policy->name));
}

static void show_host(const struct view *view, const struct pen *pen)
{
	const struct topology *topology = &view->machine->topology;
	unsigned online = cpuset_count(topology->online);
	CLEANUP(free_string) char *nodes = nodes_text(topology);
	CLEANUP(items_clear) struct items items = { 0 };

	items_take(&items, INK_PLAIN,
		   text_format("%u CPU%s online%s%s", online, online == 1 ? "" : "s", nodes ? ", " : "",
			       nodes ? nodes : ""));
	if (!cpuset_empty(topology->isolated)) {
		CLEANUP(free_string) char *isolated = cpuset_list(topology->isolated);

		items_take(&items, INK_PLAIN, text_format("isolated %s", isolated));
	}
	add_policy(view, &items);
	if (view->machine->flows.asked)
		items_take(&items, INK_PLAIN, flows_text(&view->machine->flows));
	if (view->machine->irqbalance)
		items_take(&items, strcmp(view->machine->irqbalance, "active") == 0 ? INK_WARNING : INK_PLAIN,
			   text_format("irqbalance %s", view->machine->irqbalance));
	pen_items(pen, NULL, &items);
}

/* ---- the headings ----------------------------------------------------------------------------------------------- */

static char *speed_text(unsigned megabits)
{
	if (megabits < 1000)
		return text_format("%uM", megabits);
	if (megabits % 1000 == 0)
		return text_format("%uG", megabits / 1000);
	return text_format("%u.%uG", megabits / 1000, megabits % 1000 / 100);
}

static char *link_text(const struct nic *nic)
{
	CLEANUP(free_string) char *speed = nic->speed.set ? speed_text(nic->speed.value) : NULL;

	switch (nic->link) {
	case LINK_UNKNOWN: return alloc_string("link ?");
	case LINK_DOWN: return alloc_string("down");
	case LINK_NO_CARRIER: return alloc_string("no carrier");
	case LINK_UP: return speed ? text_format("%s up", speed) : alloc_string("up");
	}
	return NULL;
}

/* Where a device is: its node, or for a virtual one the devices below it. */
static char *place_text(const struct topology *topology, const struct nic *nic)
{
	CLEANUP(free_string) char *cpus = nic->local ? cpus_text(NULL, nic->local) : NULL;
	CLEANUP(free_string) char *lowers = NULL;

	if (nic_is_virtual(nic)) {
		if (nic->lowers.n > MANY_ALIKE)
			return text_format("over %zu devices", nic->lowers.n);
		lowers = strings_join(&nic->lowers, " ");
		return nic->lowers.n ? text_format("over %s", lowers) : alloc_string("");
	}
	if (topology->nnodes < 2)
		return alloc_string("");
	if (nic->node < 0)
		return alloc_string("no node");
	return cpus ? text_format("node %d (%s)", nic->node, cpus) : text_format("node %d", nic->node);
}

static struct heading heading_make(const struct view *view, const struct block *block)
{
	const struct nic *nic = block->nic;
	char *section = NULL;

	if (block->section)
		section = text_format("[nic %s]", block->section->name);
	else if (view->policy)
		section = alloc_string("no section");
	return (struct heading){ .cells = { [NAME] = alloc_string(nic->name),
					    [DRIVER] =
						    alloc_string(nic->driver ? nic->driver : nic_kind_name(nic->kind)),
					    [LINK] = link_text(nic),
					    [PLACE] = place_text(&view->machine->topology, nic),
					    [SECTION] = section ? section : alloc_string("") } };
}

static void print_heading(const struct pen *pen, const struct heading *heading, const unsigned *columns, bool full)
{
	size_t last = CELLS - 1;

	while (last > 0 && *heading->cells[last] == '\0')
		last--;
	for (size_t i = 0; i <= last; i++) {
		enum ink ink = i == NAME && full                           ? INK_STRONG
			       : i == SECTION && *heading->cells[i] != '[' ? INK_QUIET
									   : INK_PLAIN;

		if (columns[i])
			pen_cell(pen, ink, heading->cells[i], i < last ? columns[i] + 3 : 0);
	}
	fputc('\n', pen->out);
}

/* ---- the devices ------------------------------------------------------------------------------------------------ */

struct shown { /* a device, and how it is shown */
	struct block block;
	struct heading heading;
	bool full;   /* with its settings */
	bool folded; /* in one line with others of its kind */
};

static bool steers(const struct nic *nic)
{
	for (size_t i = 0; i < nic->nqueues; i++)
		if (!cpuset_empty(nic->queues[i].rps) || !cpuset_empty(nic->queues[i].xps))
			return true;
	return false;
}

/* A device is worth its settings when it was asked for, or can carry packets on hardware, or does steer, or shall. */
static bool deserves_settings(const struct view *view, const struct block *block)
{
	const struct nic *nic = block->nic;

	if ((view->devices && view->devices->n) || todo_of(view->plan, nic->name))
		return true;
	if (nic_is_virtual(nic))
		return block->section || steers(nic);
	return nic->link != LINK_DOWN;
}

static bool has_many_alike(const struct view *view, const struct nic *nic)
{
	size_t n = 0;

	for (size_t i = 0; i < view->machine->nnics; i++)
		n += view->machine->nics[i].kind == nic->kind;
	return nic_is_virtual(nic) && n > MANY_ALIKE;
}

static size_t choose(const struct view *view, const struct pen *pen, struct shown **ret)
{
	struct shown *shown = NULL;
	size_t n = 0;

	for (size_t i = 0; i < view->machine->nnics; i++) {
		const struct nic *nic = &view->machine->nics[i];
		struct shown *one;

		if (!view_has(view, nic->name))
			continue;
		shown = alloc_more(shown, n, sizeof *shown);
		one = &shown[n++];
		one->block = block_make(view, pen, nic);
		one->heading = heading_make(view, &one->block);
		one->full = deserves_settings(view, &one->block);
		one->folded = !one->full && !one->block.section && has_many_alike(view, nic);
	}
	*ret = shown;
	return n;
}

static void measure(const struct shown *shown, size_t n, unsigned *columns)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < CELLS && !shown[i].folded; k++)
			if (text_columns(shown[i].heading.cells[k]) > columns[k])
				columns[k] = text_columns(shown[i].heading.cells[k]);
}

/* "37 veth devices: veth1 veth2 veth3 ..." */
static void show_folded(const struct pen *pen, const struct shown *shown, size_t n)
{
	for (size_t kind = 0; kind < NIC_KINDS; kind++) {
		CLEANUP(strings_clear) struct strings names = { 0 };
		CLEANUP(free_string) char *joined = NULL;
		CLEANUP(free_string) char *text = NULL;
		size_t all = 0;

		for (size_t i = 0; i < n; i++)
			if (shown[i].folded && shown[i].block.nic->kind == kind && ++all <= MANY_ALIKE)
				strings_add(&names, shown[i].block.nic->name);
		joined = strings_join(&names, ", ");
		text = text_format("%zu %s devices without settings to show: %s%s", all,
				   nic_kind_name((enum nic_kind)kind), joined, all > names.n ? ", ..." : "");
		if (all) {
			pen_put(pen, INK_QUIET, text);
			fputc('\n', pen->out);
		}
	}
}

static void show_devices(const struct view *view, const struct pen *pen, const struct shown *shown, size_t n)
{
	unsigned columns[CELLS] = { 0 };
	bool some_short = false;

	measure(shown, n, columns);
	for (size_t i = 0; i < n; i++) {
		if (!shown[i].full) {
			some_short = true;
			continue;
		}
		fputc('\n', pen->out);
		print_heading(pen, &shown[i].heading, columns, true);
		block_settings(&shown[i].block);
		if (view->devices && view->devices->n)
			block_queues(&shown[i].block);
	}
	if (some_short)
		fputc('\n', pen->out);
	for (size_t i = 0; i < n; i++)
		if (!shown[i].full && !shown[i].folded)
			print_heading(pen, &shown[i].heading, columns, false);
	show_folded(pen, shown, n);
}

void show_machine(FILE *out, const struct view *view)
{
	struct pen pen = view_pen(out, view);
	struct shown *shown;
	size_t n = choose(view, &pen, &shown);

	show_host(view, &pen);
	show_devices(view, &pen, shown, n);
	show_fman(view, &pen);
	show_findings(view, &pen);
	for (size_t i = 0; i < n; i++) {
		block_clear(&shown[i].block);
		heading_clear(&shown[i].heading);
	}
	free(shown);
}
