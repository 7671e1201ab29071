/* Asks udev, by libudev, when it is done with a device. (sd-device(3), udev(7)) */
#include <errno.h>
#include <libudev.h>
#include <stdlib.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/text.h>

#include "sources.h"

struct udev_source {
	struct udev *udev;
	struct udev_monitor *monitor;
};

static void free_device(struct udev_device **device)
{
	udev_device_unref(*device);
}

static void free_source(struct udev_source **source)
{
	udev_close(*source);
}

int udev_open(size_t buffer, struct udev_source **ret)
{
	CLEANUP(free_source) struct udev_source *source = NULL;

	if (access("/run/udev/control", F_OK) < 0)
		return -ENOENT;
	source = alloc_zero(1, sizeof *source);
	source->udev = udev_new();
	if (!source->udev)
		return -ENOMEM;
	source->monitor = udev_monitor_new_from_netlink(source->udev, "udev");
	if (!source->monitor)
		return -EIO;
	(void)udev_monitor_set_receive_buffer_size(source->monitor, (int)buffer);
	if (udev_monitor_filter_add_match_subsystem_devtype(source->monitor, "net", NULL) < 0 ||
	    udev_monitor_enable_receiving(source->monitor) < 0)
		return -EIO;
	*ret = TAKE(source);
	return 0;
}

void udev_close(struct udev_source *source)
{
	if (!source)
		return;
	udev_monitor_unref(source->monitor);
	udev_unref(source->udev);
	free(source);
}

int udev_fd(const struct udev_source *source)
{
	return udev_monitor_get_fd(source->monitor);
}

/* Its rules ran, and none of them is renaming it: the name it has now is the one it keeps. */
static bool is_done(struct udev_device *device)
{
	return udev_device_get_is_initialized(device) > 0 && !udev_device_get_property_value(device, "ID_RENAMING");
}

static unsigned index_of(struct udev_device *device)
{
	const char *text = udev_device_get_property_value(device, "IFINDEX");
	uint32_t ifindex;

	return text && text_u32(text, &ifindex) == 0 ? ifindex : 0;
}

/* Of a device that goes, the kernel has told already. */
int udev_take(struct udev_source *source, unsigned *ret_ifindex)
{
	for (;;) {
		CLEANUP(free_device) struct udev_device *device = NULL;

		errno = 0;
		device = udev_monitor_receive_device(source->monitor);
		if (!device && errno == EINTR)
			continue;
		if (!device)
			return errno == ENOBUFS ? -ENOBUFS : 0;
		if (text_equal(udev_device_get_action(device), "remove") || !is_done(device) || !index_of(device))
			continue;
		*ret_ifindex = index_of(device);
		return 1;
	}
}

static struct udev_device *look_up(struct udev_source *source, const char *device)
{
	return udev_device_new_from_subsystem_sysname(source->udev, "net", device);
}

bool udev_done(struct udev_source *source, const char *device)
{
	CLEANUP(free_device) struct udev_device *found = look_up(source, device);

	return found && is_done(found);
}

char *udev_link_file(struct udev_source *source, const char *device)
{
	CLEANUP(free_device) struct udev_device *found = look_up(source, device);

	return found ? alloc_string(udev_device_get_property_value(found, "ID_NET_LINK_FILE")) : NULL;
}
