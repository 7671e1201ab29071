/* Reads what a network device is: identity, kind, driver, place, link, and who lies above and below it. Asks ethtool
 * for the driver of virtual devices alone. */
#include "private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/net.h>

#define NET "sys/class/net"

enum { TYPE_LOOPBACK = 772, FLAG_UP = 0x1 }; /* linux/if_arp.h, linux/if.h */

struct look { /* what is read of one device on the way */
	struct host *host;
	struct nic *nic;
	char *directory;    /* sys/class/net/NAME */
	char *device;       /* the directory of the device behind it; NULL: virtual */
	char *uevent;       /* of the netdev */
	struct strings has; /* names in the directory */
};

static void look_clear(struct look *look)
{
	free(look->directory);
	free(look->device);
	free(look->uevent);
	strings_clear(&look->has);
}

static bool has(const struct look *look, const char *name)
{
	return strings_have(&look->has, name);
}

/* ---- where it is ----------------------------------------------------------------------------------------------- */

/* "../../devices/pci0000:00/0000:00:03.0/virtio0/net/eth0" -> "pci0000:00/0000:00:03.0/virtio0". In a capture made by
 * hand the class may hold directories; then the link to the device says it. */
static char *find_device_path(const struct look *look)
{
	CLEANUP(free_string) char *target = NULL, *tail = text_format("/net/%s", look->nic->name);
	CLEANUP(free_string) char *link = text_format("%s/device", look->directory), *device = NULL;
	const char *start = NULL;
	size_t length;

	if (host_link(look->host, look->directory, &target) == 0)
		start = strstr(target, "devices/");
	if (start) {
		start += strlen("devices/");
		length = strlen(start);
		if (length > strlen(tail) && text_equal(start + length - strlen(tail), tail))
			return text_format("%.*s", (int)(length - strlen(tail)), start);
	}
	if (host_resolve(look->host, link, &device) < 0 || !text_starts(device, "sys/devices/"))
		return NULL;
	return alloc_string(device + strlen("sys/devices/"));
}

static void read_place(struct look *look)
{
	CLEANUP(free_string) char *path = find_device_path(look);
	struct nic *nic = look->nic;

	if (path && !text_equal(path, "virtual") && !text_starts(path, "virtual/")) {
		const char *slash = strrchr(path, '/');

		nic->bus = alloc_string(slash ? slash + 1 : path);
		look->device = text_format("sys/devices/%s", path);
		nic->path = TAKE(path);
	} else {
		nic->path = text_format("virtual/net/%s", nic->name);
	}
}

char *nic_device(const struct nic *nic)
{
	const char *net = nic->path ? strstr(nic->path, "/net/") : NULL;

	if (!nic->bus)
		return NULL;
	return text_format("sys/devices/%.*s", net ? (int)(net - nic->path) : (int)strlen(nic->path), nic->path);
}

/* ---- the device behind it -------------------------------------------------------------------------------------- */

static bool is_pci(const struct look *look)
{
	return strchr(look->nic->bus, ':') && strchr(look->nic->bus, '.');
}

/* "15b3:1017" from PCI_ID=15B3:1017, or from the two files. */
static char *pci_id(const struct look *look, const char *uevent)
{
	CLEANUP(free_string) char *vendor = NULL, *device = NULL;
	char *id = uevent_value(uevent, "PCI_ID");

	for (char *p = id; p && *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (id || !is_pci(look))
		return id;
	vendor = read_text(look->host, look->device, "vendor");
	device = read_text(look->host, look->device, "device");
	if (!vendor || !device || !text_starts(vendor, "0x") || !text_starts(device, "0x"))
		return NULL;
	return text_format("%s:%s", vendor + 2, device + 2);
}

static bool is_vf(const struct look *look)
{
	CLEANUP(free_string) char *physfn = text_format("%s/physfn", look->device), *target = NULL;

	return is_pci(look) && host_link(look->host, physfn, &target) == 0;
}

static void read_device(struct look *look)
{
	CLEANUP(free_string) char *uevent = read_text(look->host, look->device, "uevent");

	look->nic->driver = uevent_value(uevent, "DRIVER");
	if (!look->nic->driver)
		look->nic->driver = read_link_name(look->host, look->device, "driver");
	look->nic->pci_id = pci_id(look, uevent);
	look->nic->kind = is_vf(look) ? NIC_VF : NIC_PHYSICAL;
}

/* ---- kinds of virtual devices ---------------------------------------------------------------------------------- */

struct word {
	const char *text;
	enum nic_kind kind;
};

static const struct word devtypes[] = { /* SET_NETDEV_DEVTYPE of the drivers */
					{ "bridge", NIC_BRIDGE },   { "bond", NIC_BOND },
					{ "vlan", NIC_VLAN },       { "wireguard", NIC_WIREGUARD },
					{ "macvlan", NIC_MACVLAN }, { "vxlan", NIC_VXLAN },
					{ "team", NIC_TEAM }
};

static const struct word drivers[] = {
	/* ethtool_drvinfo of the drivers; a rtnl_link kind where there is none */
	{ "bridge", NIC_BRIDGE },       { "bonding", NIC_BOND },    { "802.1Q VLAN Support", NIC_VLAN },
	{ "team", NIC_TEAM },           { "veth", NIC_VETH },       { "tun", NIC_TUN },
	{ "wireguard", NIC_WIREGUARD }, { "macvlan", NIC_MACVLAN }, { "vxlan", NIC_VXLAN },
	{ "dummy", NIC_DUMMY },         { "ifb", NIC_IFB },
};

static enum nic_kind kind_of_word(const struct word *words, size_t n, const char *text)
{
	for (size_t i = 0; text && i < n; i++)
		if (text_equal(words[i].text, text))
			return words[i].kind;
	return NIC_OTHER;
}

/* In each network namespace it is the first. */
static bool is_loopback(const struct look *look)
{
	return look->nic->ifindex == 1 && read_u32(look->host, look->directory, "type").value == TYPE_LOOPBACK;
}

static enum nic_kind virtual_kind(const struct look *look)
{
	CLEANUP(free_string) char *devtype = uevent_value(look->uevent, "DEVTYPE");
	enum nic_kind kind = kind_of_word(devtypes, COUNT_OF(devtypes), devtype);
	struct opt_u32 type;

	if (kind != NIC_OTHER)
		return kind;
	if (has(look, "bridge"))
		return NIC_BRIDGE;
	if (has(look, "bonding"))
		return NIC_BOND;
	if (has(look, "tun_flags"))
		return NIC_TUN;
	kind = kind_of_word(drivers, COUNT_OF(drivers), look->nic->driver);
	if (kind != NIC_OTHER)
		return kind;
	type = read_u32(look->host, look->directory, "type");
	return type.set && type.value == TYPE_LOOPBACK ? NIC_LOOPBACK : NIC_OTHER;
}

/* ---- state and neighbours -------------------------------------------------------------------------------------- */

static struct opt_bool flag_up(const struct look *look)
{
	CLEANUP(free_string) char *flags = read_text(look->host, look->directory, "flags");

	return flags ? SOME_BOOL(strtoul(flags, NULL, 16) & FLAG_UP) : (struct opt_bool){ 0 };
}

/* operstate is "unknown" for devices that do not keep it (lo, tun); there carrier says it, and while a device is down
 * carrier cannot be read. */
static enum link_state link_state(const struct look *look)
{
	CLEANUP(free_string) char *state = read_text(look->host, look->directory, "operstate"), *carrier = NULL;
	struct opt_bool up;

	if (text_equal(state, "up"))
		return LINK_UP;
	if (state && !text_equal(state, "unknown"))
		return flag_up(look).value ? LINK_NO_CARRIER : LINK_DOWN;
	carrier = read_text(look->host, look->directory, "carrier");
	if (carrier)
		return text_equal(carrier, "1") ? LINK_UP : LINK_NO_CARRIER;
	up = flag_up(look);
	return !up.set || up.value ? LINK_UNKNOWN : LINK_DOWN;
}

static void look_at_link(struct look *look)
{
	struct nic *nic = look->nic;
	enum link_state before = nic->link;

	nic->link = link_state(look);
	if (nic->link != LINK_UP)
		nic->speed = (struct opt_u32){ 0 };
	else if (nic->kind != NIC_LOOPBACK && before != LINK_UP)
		nic->speed = read_u32(look->host, look->directory, "speed"); /* -1: the driver does not know it */
}

static void read_neighbours(struct look *look)
{
	for (size_t i = 0; i < look->has.n; i++) {
		const char *name = look->has.items[i];

		if (text_starts(name, "upper_"))
			strings_add(&look->nic->uppers, name + strlen("upper_"));
		else if (text_starts(name, "lower_"))
			strings_add(&look->nic->lowers, name + strlen("lower_"));
	}
	if (has(look, "master"))
		look->nic->master = read_link_name(look->host, look->directory, "master");
}

static void read_index(struct look *look)
{
	CLEANUP(free_string) char *text = uevent_value(look->uevent, "IFINDEX");
	struct opt_u32 index;
	uint32_t value;

	if (text && text_u32(text, &value) == 0) {
		look->nic->ifindex = value;
		return;
	}
	index = read_u32(look->host, look->directory, "ifindex");
	look->nic->ifindex = index.set ? index.value : 0;
}

void read_nic(struct host *host, const struct topology *topology, struct nic *nic, struct notes *notes)
{
	CLEANUP(look_clear) struct look look = { .host = host, .nic = nic };

	nic->node = -1;
	look.directory = text_format(NET "/%s", nic->name);
	look.uevent = read_text(host, look.directory, "uevent");
	host_list(host, look.directory, &look.has);
	read_index(&look);
	read_place(&look);
	if (look.device) {
		read_device(&look);
		read_locality(host, topology, look.device, nic, notes);
	}
	if (!look.device && is_loopback(&look))
		nic->kind = NIC_LOOPBACK;
	else if (!nic->driver)
		nic->driver = net_driver(host, nic->name);
	if (nic->driver && !isalnum((unsigned char)*nic->driver)) /* "-", "n/a" in captures made by hand */
		free_string(&nic->driver);
	if (!look.device && nic->kind != NIC_LOOPBACK)
		nic->kind = virtual_kind(&look);
	read_neighbours(&look);
	if (nic->kind != NIC_LOOPBACK && has(&look, "address"))
		nic->mac = read_text(host, look.directory, "address");
	look_at_link(&look);
}

bool is_nic(struct host *host, const struct nic *nic)
{
	struct nic now = { .name = nic->name };
	CLEANUP(look_clear) struct look look = { .host = host, .nic = &now };

	look.directory = text_format(NET "/%s", nic->name);
	look.uevent = read_text(host, look.directory, "uevent");
	read_index(&look);
	return now.ifindex && now.ifindex == nic->ifindex;
}

void read_link(struct host *host, struct nic *nic)
{
	CLEANUP(look_clear) struct look look = { .host = host, .nic = nic };

	look.directory = text_format(NET "/%s", nic->name);
	look_at_link(&look);
}
