/* The plain value "fman": freeing it and looking things up in it. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/fman.h>
#include <steer/text.h>

void fmc_record_clear(struct fmc_record *record)
{
	free(record->what);
	free(record->config);
	free(record->policy);
	free(record->pdl);
	free(record->said);
	*record = (struct fmc_record){ 0 };
}

static void portals_clear(struct fman_portals *portals)
{
	for (size_t i = 0; i < portals->n; i++)
		cpuset_free(portals->items[i].cpus);
	free(portals->items);
}

void fman_clear(struct fman *fman)
{
	portals_clear(&fman->qman);
	portals_clear(&fman->bman);
	for (size_t i = 0; i < fman->nports; i++)
		free(fman->ports[i].nic);
	free(fman->ports);
	fmc_record_clear(&fman->record);
	free(fman->program);
	free(fman->pdl);
	free(fman->config);
	free(fman->policy);
	*fman = (struct fman){ 0 };
}

const struct fman_port *fman_port_of(const struct fman *fman, unsigned mac)
{
	for (size_t i = 0; i < fman->nports; i++)
		if (fman->ports[i].mac == mac)
			return &fman->ports[i];
	return NULL;
}

const struct fman_port *fman_port_named(const struct fman *fman, const char *name)
{
	uint32_t mac;

	for (size_t i = 0; i < fman->nports; i++)
		if (text_equal(fman->ports[i].nic, name))
			return &fman->ports[i];
	return text_suffix_u32(name, "mac", &mac) == 0 ? fman_port_of(fman, mac) : NULL;
}

int fman_portal_of(const struct fman *fman, unsigned cpu)
{
	for (size_t i = 0; i < fman->qman.n; i++)
		if (fman->qman.items[i].cpu == cpu)
			return (int)i;
	return -1;
}

const char *fman_kernel_name(enum fman_kernel kernel)
{
	switch (kernel) {
	case FMAN_NONE: return "none";
	case FMAN_SDK: return "sdk";
	case FMAN_MAINLINE: return "mainline";
	}
	return "?";
}
