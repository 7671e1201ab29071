/* Saves a machine: observes it, and copies the files that observing has read. Never writes outside the directory, and
 * leaves out addresses, host names, keys and the identity of disks. */
#include <steer/capture.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/observe.h>

#include "capture_tree.h"

/* Makes the directory, or takes one that is empty. */
static int make_directory(const char *directory)
{
	CLEANUP(host_closep) struct host *target = NULL;
	CLEANUP(free_string) char *problem = NULL;
	CLEANUP(strings_clear) struct strings names = { 0 };
	int r;

	if (mkdir(directory, 0755) < 0 && errno != EEXIST)
		return -errno;
	r = host_open(directory, HOST_READ_ONLY, &target, &problem);
	if (r == -EBADMSG) /* it has an ethtool.json at any rate */
		return -ENOTEMPTY;
	if (r == 0)
		r = host_list(target, ".", &names);
	return r < 0 ? r : names.n ? -ENOTEMPTY : 0;
}

static void capture_clear(struct capture *capture)
{
	free_string(&capture->made);
}

/* The policies too, so that a replay plans what this machine would. */
static void capture_policies(struct capture *capture)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(capture->host, "etc/steerd", &names);
	for (size_t i = 0; i < names.n; i++)
		if (text_glob("*.ini", names.items[i]))
			copy_file(capture, "etc/steerd", names.items[i]);
}

int capture(struct host *host, const char *directory, struct notes *notes)
{
	CLEANUP(capture_clear) struct capture target = { .host = host, .directory = directory };
	CLEANUP(machine_clear) struct machine machine = { 0 };
	int r = make_directory(directory);

	if (r == 0)
		r = observe(host, NULL, &machine, notes);
	if (r < 0)
		return r;
	put_directory(&target, "sys");
	put_directory(&target, "proc");
	capture_cpus(&target);
	capture_proc(&target, &machine);
	for (size_t i = 0; i < machine.nnics; i++)
		capture_nic(&target, &machine.nics[i]);
	capture_ethtool(&target, &machine);
	capture_flows(&target, &machine.flows);
	capture_fman(&target, &machine.fman);
	capture_policies(&target);
	return target.error;
}
