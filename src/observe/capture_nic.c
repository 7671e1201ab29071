/* Captures the files of a network device, of its queues, and of the devices it sits on. No address, no alias. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "capture_tree.h"
#include "private.h"

static const char *const net_files[] = { "uevent",
					 "ifindex",
					 "iflink",
					 "type",
					 "flags",
					 "operstate",
					 "carrier",
					 "speed",
					 "duplex",
					 "mtu",
					 "tx_queue_len",
					 "dev_id",
					 "dev_port",
					 "phys_port_name",
					 "threaded",
					 "gro_flush_timeout",
					 "napi_defer_hard_irqs",
					 "tun_flags",
					 "bonding/mode",
					 "bonding/slaves",
					 "bridge/stp_state" };
static const char *const net_links[] = { "device", "subsystem", "master" };
static const char *const queue_files[] = { "rps_cpus", "rps_flow_cnt", "xps_cpus", "xps_rxqs" };
static const char *const device_files[] = { "uevent", "numa_node", "local_cpulist", "local_cpus",
					    "vendor", "device",    "class",         "irq" };
static const char *const device_links[] = { "driver", "subsystem", "physfn" };
static const char *const device_lists[] = { "msi_irqs", "irqs" };

static void copy_links(struct capture *capture, const char *directory, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		copy_link(capture, directory, names[i]);
}

static void copy_list(struct capture *capture, const char *device, const char *name)
{
	CLEANUP(free_string) char *directory = text_format("%s/%s", device, name);
	CLEANUP(strings_clear) struct strings names = { 0 };

	if (host_list(capture->host, directory, &names) < 0)
		return;
	put_directory(capture, directory);
	for (size_t i = 0; i < names.n; i++)
		copy_file(capture, directory, names.items[i]);
}

/* A device and what it sits on, up to the root of the bus: locality and interrupts are asked of all of them. */
static void capture_devices(struct capture *capture, const char *device)
{
	CLEANUP(free_string) char *directory = alloc_string(device);
	char *slash;

	while ((slash = strrchr(directory, '/')) && slash > directory + strlen("sys/devices")) {
		put_directory(capture, directory);
		copy_files(capture, directory, device_files, COUNT_OF(device_files));
		copy_links(capture, directory, device_links, COUNT_OF(device_links));
		for (size_t i = 0; i < COUNT_OF(device_lists); i++)
			copy_list(capture, directory, device_lists[i]);
		*slash = 0;
	}
}

static void capture_queues(struct capture *capture, const char *directory)
{
	CLEANUP(free_string) char *queues = text_format("%s/queues", directory);
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(capture->host, queues, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *queue = text_format("%s/%s", queues, names.items[i]);

		put_directory(capture, queue);
		copy_files(capture, queue, queue_files, COUNT_OF(queue_files));
	}
}

/* Neighbours are links, kinds are directories. */
static void capture_relations(struct capture *capture, const char *directory)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(capture->host, directory, &names);
	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.items[i];
		CLEANUP(free_string) char *path = text_format("%s/%s", directory, name);

		if (text_starts(name, "upper_") || text_starts(name, "lower_"))
			copy_link(capture, directory, name);
		else if (text_equal(name, "bridge") || text_equal(name, "bonding"))
			put_directory(capture, path);
	}
}

void capture_nic(struct capture *capture, const struct nic *nic)
{
	CLEANUP(free_string) char *class = text_format("sys/class/net/%s", nic->name), *directory = NULL;
	CLEANUP(free_string) char *device = nic_device(nic);

	if (host_resolve(capture->host, class, &directory) < 0)
		return; /* it went away meanwhile */
	put_directory(capture, directory);
	copy_link(capture, "sys/class/net", nic->name);
	copy_files(capture, directory, net_files, COUNT_OF(net_files));
	copy_links(capture, directory, net_links, COUNT_OF(net_links));
	capture_relations(capture, directory);
	capture_queues(capture, directory);
	if (device)
		capture_devices(capture, device);
}
