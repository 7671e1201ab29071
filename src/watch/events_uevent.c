/* Reads what the kernel's own uevents say of CPUs and queues, for which udev has no rules.
 * (Documentation/ABI/testing/sysfs-uevent, lib/kobject_uevent.c) */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <string.h>
#include <sys/socket.h>

#include <steer/cleanup.h>
#include <steer/text.h>

#include "sources.h"

#define QUEUES "/queues/"

/* A message begins with "ACTION@/devices/...". Everything that is neither of the four actions is dropped in the kernel:
 * other subsystems say "change" all day long, and should wake nobody. */
int uevent_filter(int fd)
{
	static const struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x61646440, 4, 0), /* add@ */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x72656d6f, 3, 0), /* remo */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x6f6e6c69, 2, 0), /* onli */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x6f66666c, 1, 0), /* offl */
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
	};
	const struct sock_fprog program = { .len = COUNT_OF(steps), .filter = (struct sock_filter *)steps };

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) < 0 ? -errno : 0;
}

/* The value of a key among lines that end with NUL; NULL: it has none. */
static const char *value(const char *data, size_t size, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = data, *next; line < data + size; line = next) {
		const char *end = memchr(line, '\0', (size_t)(data + size - line));

		if (!end)
			return NULL;
		if (strncmp(line, key, length) == 0 && line[length] == '=')
			return line + length + 1;
		next = end + 1;
	}
	return NULL;
}

/* ".../net/eth0/queues/rx-3" -> "eth0" */
static int read_device(const char *path, char ret_name[IFNAMSIZ])
{
	const char *end = path ? strstr(path, QUEUES) : NULL, *start = end;

	while (start && start > path && start[-1] != '/')
		start--;
	if (!start || start == end || end - start >= IFNAMSIZ)
		return 0;
	memcpy(ret_name, start, (size_t)(end - start));
	ret_name[end - start] = '\0';
	return 1;
}

int uevent_read(const char *data, size_t size, enum event_kind *ret, char ret_name[IFNAMSIZ])
{
	const char *subsystem = value(data, size, "SUBSYSTEM"), *action = value(data, size, "ACTION");

	if (text_equal(subsystem, "cpu") && (text_equal(action, "online") || text_equal(action, "offline"))) {
		*ret = EVENT_CPU;
		return 1;
	}
	if (!text_equal(subsystem, "queues") || !(text_equal(action, "add") || text_equal(action, "remove")))
		return 0;
	*ret = EVENT_NIC_QUEUES;
	return read_device(value(data, size, "DEVPATH"), ret_name);
}
