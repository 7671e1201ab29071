/* The floor of the job: no program can do it with fewer system calls and still find the interrupts by itself. It knows
 * the device, the counts and the CPUs from its arguments, compares nothing and reads nothing back.
 *
 *     floor DEVICE QUEUES CPUS         pause off, channels, RPS off, and queue i, interrupt and XPS, on the i-th CPU
 *     floor -q DEVICE QUEUES CPUS      veth: channels, RPS off and XPS alone
 *
 * CPUS is FIRST-LAST; with more queues than CPUs it begins again at FIRST.
 *
 * Flow control comes before the channels: set while the link negotiates, it would not last. */
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void die(const char *what)
{
	dprintf(STDERR_FILENO, "floor: %s: %s\n", what, strerror(errno));
	_exit(1);
}

/* ---- netlink ----------------------------------------------------------------------------------------------------- */

enum { ATTR_HEADER = sizeof(struct nlattr) };

static uint16_t align(size_t size)
{
	return (uint16_t)((size + 3) & ~(size_t)3);
}

struct message {
	struct nlmsghdr header;
	struct genlmsghdr command;
	char attributes[512];
};

static struct nlattr *put(struct message *message, int type, const void *value, size_t size)
{
	struct nlattr *attr = (void *)((char *)message + align(message->header.nlmsg_len));

	*attr = (struct nlattr){ .nla_type = (uint16_t)type, .nla_len = (uint16_t)(ATTR_HEADER + size) };
	if (size)
		memcpy(attr + 1, value, size);
	message->header.nlmsg_len = align(message->header.nlmsg_len) + (uint32_t)align(attr->nla_len);
	return attr;
}

static void put_u8(struct message *message, int type, uint8_t value)
{
	put(message, type, &value, sizeof value);
}

static void put_u32(struct message *message, int type, uint32_t value)
{
	put(message, type, &value, sizeof value);
}

static struct message new_message(uint16_t type, uint8_t command, uint16_t flags)
{
	return (struct message){ .header = { .nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN),
					     .nlmsg_type = type,
					     .nlmsg_flags = NLM_F_REQUEST | flags },
				 .command = { .cmd = command, .version = 1 } };
}

static struct message ethtool(uint16_t family, uint8_t command, const char *device)
{
	struct message message = new_message(family, command, NLM_F_ACK);
	struct nlattr *header = put(&message, 1 | NLA_F_NESTED, NULL, 0);
	struct nlattr *name = put(&message, ETHTOOL_A_HEADER_DEV_NAME, device, strlen(device) + 1);

	header->nla_len = (uint16_t)(ATTR_HEADER + align(name->nla_len));
	return message;
}

/* Sends it and takes the one answer, which an acknowledgement is too. */
static void ask(int fd, const struct message *message, char *answer, size_t size, const char *what)
{
	const struct nlmsghdr *header = (void *)answer;
	const struct nlmsgerr *error = NLMSG_DATA(header);

	if (send(fd, message, message->header.nlmsg_len, 0) < 0 || recv(fd, answer, size, 0) < 0)
		die(what);
	if (header->nlmsg_type == NLMSG_ERROR && error->error) {
		errno = -error->error;
		die(what);
	}
}

static uint16_t ethtool_family(int fd)
{
	struct message message = new_message(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	_Alignas(struct nlmsghdr) char answer[8192];
	const struct nlmsghdr *header = (void *)answer;
	const struct nlattr *attr = (void *)(answer + NLMSG_LENGTH(GENL_HDRLEN));
	uint16_t family;

	put(&message, CTRL_ATTR_FAMILY_NAME, ETHTOOL_GENL_NAME, sizeof ETHTOOL_GENL_NAME);
	ask(fd, &message, answer, sizeof answer, "the ethtool family");
	while ((const char *)attr < answer + header->nlmsg_len && attr->nla_type != CTRL_ATTR_FAMILY_ID)
		attr = (const void *)((const char *)attr + align(attr->nla_len));
	memcpy(&family, attr + 1, sizeof family);
	return family;
}

static void set_device(const char *device, uint32_t queues, bool queues_only)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	uint16_t family = fd < 0 ? 0 : ethtool_family(fd);
	struct message message = ethtool(family, ETHTOOL_MSG_PAUSE_SET, device);
	_Alignas(struct nlmsghdr) char answer[1024];

	if (!queues_only) {
		put_u8(&message, ETHTOOL_A_PAUSE_AUTONEG, 0);
		put_u8(&message, ETHTOOL_A_PAUSE_RX, 0);
		put_u8(&message, ETHTOOL_A_PAUSE_TX, 0);
		ask(fd, &message, answer, sizeof answer, "pause");
	}
	message = ethtool(family, ETHTOOL_MSG_CHANNELS_SET, device);
	put_u32(&message, queues_only ? ETHTOOL_A_CHANNELS_RX_COUNT : ETHTOOL_A_CHANNELS_COMBINED_COUNT, queues);
	if (queues_only)
		put_u32(&message, ETHTOOL_A_CHANNELS_TX_COUNT, queues);
	ask(fd, &message, answer, sizeof answer, "channels");
}

/* ---- CPUs -------------------------------------------------------------------------------------------------------- */

struct cpus {
	unsigned first, last;
};

static unsigned cpu_of(const struct cpus *cpus, unsigned queue)
{
	return cpus->first + queue % (cpus->last - cpus->first + 1);
}

static const char *mask_of(unsigned cpu)
{
	static char mask[1024];
	int length = snprintf(mask, sizeof mask, "%x", 1U << cpu % 32);

	for (; cpu >= 32; cpu -= 32)
		length += snprintf(mask + length, sizeof mask - (size_t)length, ",00000000");
	return mask;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void set_file(const char *value, const char *format, ...)
{
	char path[256];
	va_list arguments;
	int fd;

	va_start(arguments, format);
	vsnprintf(path, sizeof path, format, arguments);
	va_end(arguments);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		die(path);
	close(fd);
}

static void set_queues(const char *device, unsigned queues, const struct cpus *cpus)
{
	for (unsigned i = 0; i < queues; i++) {
		set_file("0", "/sys/class/net/%s/queues/rx-%u/rps_cpus", device, i);
		set_file(mask_of(cpu_of(cpus, i)), "/sys/class/net/%s/queues/tx-%u/xps_cpus", device, i);
	}
}

/* One look at /proc/interrupts: rows end in "DEVICE-TxRx-N". */
static void set_interrupts(const char *device, unsigned queues, const struct cpus *cpus)
{
	static char text[1 << 20];
	char format[64], list[16];
	size_t length = 0;
	ssize_t n;
	int fd = open("/proc/interrupts", O_RDONLY);

	snprintf(format, sizeof format, "%s-TxRx-%%u", device);
	while ((n = read(fd, text + length, sizeof text - 1 - length)) > 0)
		length += (size_t)n;
	close(fd);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		const char *name = strrchr(line, ' ');
		unsigned queue;

		if (!name || sscanf(name + 1, format, &queue) != 1 || queue >= queues)
			continue;
		snprintf(list, sizeof list, "%u", cpu_of(cpus, queue));
		set_file(list, "/proc/irq/%lu/smp_affinity_list", strtoul(line, NULL, 10));
	}
}

int main(int argc, char **argv)
{
	bool queues_only = argc > 1 && strcmp(argv[1], "-q") == 0;
	unsigned queues;
	struct cpus cpus;

	argv += queues_only;
	if (argc - queues_only != 4 || sscanf(argv[2], "%u", &queues) != 1 ||
	    sscanf(argv[3], "%u-%u", &cpus.first, &cpus.last) != 2) {
		dprintf(STDERR_FILENO, "usage: floor [-q] DEVICE QUEUES FIRST-LAST\n");
		return 2;
	}
	set_device(argv[1], queues, queues_only);
	if (!queues_only)
		set_interrupts(argv[1], queues, &cpus);
	set_queues(argv[1], queues, &cpus);
	return 0;
}
