/* NXP's Frame Manager in `steerctl show`: which kernel, how many portals, and for each port its queues and who serves
 * them. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/fmc.h>

#include "table.h"
#include "views.h"

static char *record_text(const struct fman *fman)
{
	if (fman->record.what)
		return text_format("fmc: %s, exit status %u", fman->record.what, fman->record.status);
	if (fman->kernel == FMAN_MAINLINE)
		return alloc_string("fmc: not needed, this kernel spreads by itself");
	return alloc_string(fman->foreign ? "fmc: run by hand" : "fmc: not loaded");
}

/* The CPUs of portals, and their interrupts: "CPU 0  IRQ 31". */
static char *served_text(const struct fman *fman)
{
	CLEANUP(cpuset_freep) cpuset *cpus = cpuset_new();
	CLEANUP(strings_clear) struct strings irqs = { 0 };
	CLEANUP(free_string) char *list = NULL, *numbers = NULL;

	for (size_t i = 0; i < fman->qman.n; i++) {
		cpuset_add(cpus, fman->qman.items[i].cpu);
		strings_take(&irqs, text_format("%u", fman->qman.items[i].irq));
	}
	list = cpuset_list(cpus);
	numbers = strings_join(&irqs, " ");
	return text_format("CPU%s %s, IRQ%s %s", fman->qman.n == 1 ? "" : "s", list, fman->qman.n == 1 ? "" : "s",
			   numbers);
}

/* The queues that frames are put on now: fmc's, of a port that it was told of; the kernel's own hash; or the default
 * queue, which any portal may serve. Whose files were loaded as they are, only they know. */
static const char *used_text(const struct fman *fman, const struct fman_port *port)
{
	CLEANUP(free_string) char *mac = text_format("mac%u", port->mac);
	CLEANUP(strings_clear) struct strings told = { 0 };

	if (fman->kernel == FMAN_MAINLINE)
		return "all";
	if (fman->record.what)
		strings_split(&told, fman->record.what, " ()");
	if (strings_have(&told, mac) && fman->record.status == 0)
		return "by fmc";
	return fman->foreign || (fman->record.what && text_starts(fman->record.what, "files:")) ? "?" : "default queue";
}

static void show_ports(const struct view *view, const struct pen *pen)
{
	static const struct column columns[] = { { "port", COLUMN_LEFT },
						 { "device", COLUMN_LEFT },
						 { "receive queues", COLUMN_LEFT },
						 { "used", COLUMN_LEFT },
						 { "served by", COLUMN_WRAP } };
	CLEANUP(table_freep) struct table *table = table_new(pen, columns, COUNT_OF(columns));
	const struct fman *fman = &view->machine->fman;
	CLEANUP(free_string) char *served = served_text(fman);

	for (size_t i = 0; i < fman->nports; i++) {
		const struct fman_port *port = &fman->ports[i];
		CLEANUP(free_string) char *mac = text_format("mac%u", port->mac);
		CLEANUP(free_string)
		char *queues =
			port->count ? text_format("0x%x-0x%x", port->first, port->first + port->count - 1) : NULL;

		table_row(table, INK_PLAIN, (const char *[]){ mac, port->nic, queues, used_text(fman, port), served });
	}
	table_print(table);
}

void show_fman(const struct view *view, const struct pen *pen)
{
	const struct fman *fman = &view->machine->fman;
	CLEANUP(items_clear) struct items items = { 0 };

	if (fman->kernel == FMAN_NONE || (view->devices && view->devices->n))
		return;
	fputc('\n', pen->out);
	items_take(&items, INK_STRONG, alloc_string(FMC_DEVICE));
	items_take(&items, INK_PLAIN,
		   text_format("NXP FMan, %s kernel", fman->kernel == FMAN_SDK ? "NXP's own" : "mainline"));
	items_take(
		&items, INK_PLAIN,
		text_format("portals on %zu of %u CPUs", fman->qman.n, cpuset_count(view->machine->topology.online)));
	items_take(&items, INK_PLAIN, record_text(fman));
	pen_items(pen, NULL, &items);
	show_ports(view, pen);
}
