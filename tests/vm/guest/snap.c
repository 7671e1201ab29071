/* Prints what this machine's network devices and interrupts are set to, one self-contained line each; changes nothing.
 *
 *   snap           the host, every device, and the interrupts in use that belong to none of them
 *   snap IF...     these devices only
 *
 * Made for comparing: two snapshots of one state are equal byte by byte, and a line of their difference says by itself
 * what differs. Asks ethtool by ioctl, so that it is no relation of anything that asks by netlink. A value that cannot
 * be read is shown as the error's name. One C program, because the shell would fork some hundred times, at 25 ms each.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NET "/sys/class/net"

enum { MAX_IRQ = 4096, RSS_MAX = 2048, VALUE_MAX = 4096 };

/* Interrupts that were shown with their device. */
static bool shown[MAX_IRQ];

/* The file's text without its last newline, or "(ENAME)". Valid until the next call. */
__attribute__((format(printf, 1, 2))) static const char *value(const char *format, ...)
{
	static char text[VALUE_MAX];
	char path[PATH_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(path, sizeof path, format, args);
	va_end(args);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (n < 0)
		snprintf(text, sizeof text, "(%s)", strerrorname_np(errno));
	else
		text[n > 0 && text[n - 1] == '\n' ? n - 1 : n] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

__attribute__((format(printf, 1, 2))) static bool exists(const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(path, sizeof path, format, args);
	va_end(args);
	return access(path, F_OK) == 0;
}

static int visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Calls `each` for every name in a directory, rx-2 before rx-10. A directory that is not there has none. */
static void walk(const char *path, void (*each)(const char *name, const char *arg), const char *arg)
{
	struct dirent **names;
	int n = scandir(path, &names, visible, versionsort);
	for (int i = 0; i < n; i++) {
		each(names[i]->d_name, arg);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

/* Asks the driver; 0 or -errno. */
static int ask(const char *name, void *request)
{
	struct ifreq ifr = { .ifr_data = request };
	snprintf(ifr.ifr_name, sizeof ifr.ifr_name, "%s", name);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	int r = ioctl(fd, SIOCETHTOOL, &ifr) < 0 ? -errno : 0;
	close(fd);
	return r;
}

static const char *on(__u32 flag)
{
	return flag ? "on" : "off";
}

/* Begins the line of an ethtool topic. False, and the line ended with the reason, when the driver does not answer. */
static bool answered(const char *name, const char *topic, int r)
{
	printf("%s %s", name, topic);
	if (r < 0)
		printf(" (%s)\n", strerrorname_np(-r));
	return r == 0;
}

static void show_channels(const char *name)
{
	struct ethtool_channels c = { .cmd = ETHTOOL_GCHANNELS };
	if (answered(name, "channels", ask(name, &c)))
		printf(" rx %u/%u tx %u/%u other %u/%u combined %u/%u\n", c.rx_count, c.max_rx, c.tx_count, c.max_tx,
		       c.other_count, c.max_other, c.combined_count, c.max_combined);
}

static void show_rings(const char *name)
{
	struct ethtool_ringparam r = { .cmd = ETHTOOL_GRINGPARAM };
	if (answered(name, "rings", ask(name, &r)))
		printf(" rx %u/%u tx %u/%u\n", r.rx_pending, r.rx_max_pending, r.tx_pending, r.tx_max_pending);
}

static void show_pause(const char *name)
{
	struct ethtool_pauseparam p = { .cmd = ETHTOOL_GPAUSEPARAM };
	if (answered(name, "pause", ask(name, &p)))
		printf(" autoneg %s rx %s tx %s\n", on(p.autoneg), on(p.rx_pause), on(p.tx_pause));
}

static void show_coalesce(const char *name)
{
	struct ethtool_coalesce c = { .cmd = ETHTOOL_GCOALESCE };
	if (answered(name, "coalesce", ask(name, &c)))
		printf(" rx-usecs %u rx-frames %u tx-usecs %u tx-frames %u adaptive-rx %s adaptive-tx %s\n",
		       c.rx_coalesce_usecs, c.rx_max_coalesced_frames, c.tx_coalesce_usecs, c.tx_max_coalesced_frames,
		       on(c.use_adaptive_rx_coalesce), on(c.use_adaptive_tx_coalesce));
}

/* The shortest part of a table that, repeated, makes the whole; the whole itself if none does. */
static __u32 period(const __u32 *table, __u32 size)
{
	for (__u32 p = 2; p <= size / 2; p++) {
		__u32 i = p;
		while (i < size && table[i] == table[i - p])
			i++;
		if (size % p == 0 && i == size)
			return p;
	}
	return size;
}

/* The indirection table by runs: `0x16 1x16` is sixteen entries for queue 0, then sixteen for queue 1. */
static void show_rss(const char *name)
{
	enum { COMMAND, SIZE, TABLE }; /* struct ethtool_rxfh_indir, asked for its size first */
	static __u32 rss[TABLE + RSS_MAX];
	rss[COMMAND] = ETHTOOL_GRXFHINDIR;
	rss[SIZE] = 0;
	int r = ask(name, rss);
	if (r == 0 && rss[SIZE] > RSS_MAX)
		r = -E2BIG;
	if (r == 0 && rss[SIZE] > 0)
		r = ask(name, rss);
	if (!answered(name, "rss", r))
		return;
	__u32 part = rss[TABLE] == rss[TABLE + 1] ? rss[SIZE] : period(rss + TABLE, rss[SIZE]);
	for (__u32 i = 0, run = 1; i < part; i++, run++) {
		if (i + 1 == part || rss[TABLE + i + 1] != rss[TABLE + i]) {
			printf(" %ux%u", rss[TABLE + i], run);
			run = 0;
		}
	}
	printf(part < rss[SIZE] ? " repeated\n" : "\n");
}

static void show_queue(const char *queue, const char *name)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, NET "/%s/queues/%s", name, queue);
	printf("%s %s", name, queue);
	static const char *const settings[] = { "rps_cpus", "rps_flow_cnt", "xps_cpus", "xps_rxqs" };
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (exists("%s/%s", path, settings[i]))
			printf(" %s %s", settings[i], value("%s/%s", path, settings[i]));
	putchar('\n');
}

/* What one interrupt serves and where it may run. Without a user it has no name; without /proc/irq it has no affinity.
 */
static void show_irq(const char *irq)
{
	const char *actions = value("/sys/kernel/irq/%s/actions", irq);
	printf(" %s", *actions ? actions : "-");
	if (!exists("/proc/irq/%s", irq)) {
		puts(" not in /proc/irq");
		return;
	}
	printf(" affinity %s", value("/proc/irq/%s/smp_affinity_list", irq));
	printf(" hint %s\n", value("/proc/irq/%s/affinity_hint", irq));
}

static void show_vector(const char *irq, const char *where)
{
	const char *name = where + strlen(NET "/");
	int length = (int)strcspn(name, "/");
	printf("%.*s irq %s %s", length, name, irq, value("%s/%s", where, irq));
	show_irq(irq);
	long n = strtol(irq, NULL, 10);
	if (n >= 0 && n < MAX_IRQ)
		shown[n] = true;
}

/* The device's own vectors; a virtio device's belong to the PCI function above it. */
static void show_vectors(const char *name)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, NET "/%s/device/msi_irqs", name);
	if (!exists("%s", path))
		snprintf(path, sizeof path, NET "/%s/device/../msi_irqs", name);
	walk(path, show_vector, path);
}

static void show_device(const char *name, const char *unused)
{
	(void)unused;
	struct stat link;
	char path[PATH_MAX];
	snprintf(path, sizeof path, NET "/%s", name);
	if (lstat(path, &link) < 0 || !S_ISLNK(link.st_mode)) /* bonding_masters is a file among the devices */
		return;
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	int r = ask(name, &info);
	printf("%s driver %s bus %s\n", name, r ? "-" : info.driver, r || !*info.bus_info ? "-" : info.bus_info);
	printf("%s numa_node %s", name, value("%s/device/numa_node", path));
	printf(" local_cpulist %s\n", value("%s/device/local_cpulist", path));
	printf("%s flags %s", name, strtol(value("%s/flags", path), NULL, 16) & IFF_UP ? "up" : "down");
	printf(" operstate %s", value("%s/operstate", path));
	printf(" carrier %s\n", value("%s/carrier", path));
	printf("%s threaded %s", name, value("%s/threaded", path));
	printf(" gro_flush_timeout %s", value("%s/gro_flush_timeout", path));
	printf(" napi_defer_hard_irqs %s\n", value("%s/napi_defer_hard_irqs", path));
	show_channels(name);
	show_rings(name);
	show_pause(name);
	show_coalesce(name);
	show_rss(name);
	snprintf(path, sizeof path, NET "/%s/queues", name);
	walk(path, show_queue, name);
	show_vectors(name);
}

static void show_other_irq(const char *irq, const char *unused)
{
	(void)unused;
	long n = strtol(irq, NULL, 10);
	if (irq[0] < '0' || irq[0] > '9' || n >= MAX_IRQ || shown[n]) /* default_smp_affinity is a file among them */
		return;
	if (!*value("/sys/kernel/irq/%s/actions", irq))
		return;
	printf("irq %s", irq);
	show_irq(irq);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		show_device(argv[i], NULL);
	if (argc > 1)
		return 0;
	printf("host online %s\n", value("/sys/devices/system/cpu/online"));
	printf("host default_smp_affinity %s\n", value("/proc/irq/default_smp_affinity"));
	printf("host rps_sock_flow_entries %s\n", value("/proc/sys/net/core/rps_sock_flow_entries"));
	walk(NET, show_device, NULL);
	walk("/proc/irq", show_other_irq, NULL);
	return 0;
}
