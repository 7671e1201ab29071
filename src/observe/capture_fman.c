/* Captures NXP's Frame Manager: what its drivers say of the ports, what fmc was told, and stand-ins for files that only
 * have to be there. */
#include <steer/cleanup.h>

#include "capture_tree.h"
#include "private.h"

static const char *const attributes[] = { "device_addr", "device_type", "fqids" };

static void capture_port(struct capture *capture, const struct fman_port *port)
{
	CLEANUP(free_string) char *directory = text_format("sys/class/net/%s", port->nic);
	CLEANUP(free_string) char *real = NULL;

	if (host_resolve(capture->host, directory, &real) == 0)
		copy_files(capture, real, attributes, COUNT_OF(attributes));
}

void capture_fman(struct capture *capture, const struct fman *fman)
{
	if (fman->kernel == FMAN_NONE)
		return;
	if (fman->device)
		put_text(capture, "dev/fm0", "");
	for (size_t i = 0; i < fman->nports; i++)
		capture_port(capture, &fman->ports[i]);
	if (fman->program)
		put_text(capture, fman->program + 1, "");
	copy_file(capture, "etc/fmc/config", "hxs_pdl_v3.xml");
	copy_file(capture, "run/steerd/fmc", "applied");
	if (fman->record.what)
		copy_file(capture, "proc/sys/kernel/random", "boot_id");
	if (fman->foreign)
		put_text(capture, "tmp/fmc.bin", "");
}
