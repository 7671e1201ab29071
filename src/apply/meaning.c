/* Says what a refusal by the kernel means: (errno, setting, state of the device) -> state of the change, and words.
 * Pure; does nothing about it.
 *
 * Rules, the first row that fits wins:
 *  1. What vanished is gone, and no error.
 *  2. Without privilege everything is a lack of privilege, and nothing else is concluded.
 *  3. A read-only /proc or /sys is a fact about the host.
 *  4. An interrupt that root may not move is the kernel's own: EIO up to Linux 6.1, EPERM later.
 *  5. What a driver refuses while the device is down, without saying why, waits until it is up.
 *  6. What the driver or the kernel does not have is skipped; the rest failed. */
#include <errno.h>
#include <string.h>

#include <steer/cleanup.h>

#include "meaning.h"

#define BIT(setting) (1U << (setting))

enum {
	ANY_SETTING = (1U << SETTINGS) - 1,
	IRQS = BIT(SETTING_IRQ) | BIT(SETTING_IRQ_CONTROL),
	CHANNELS = BIT(SETTING_CHANNELS_RX) | BIT(SETTING_CHANNELS_TX) | BIT(SETTING_CHANNELS_COMBINED),
	RINGS = BIT(SETTING_RING_RX) | BIT(SETTING_RING_TX),
	NETLINK = BIT(SETTING_PAUSE) | BIT(SETTING_OFFLOAD) | RINGS | CHANNELS | BIT(SETTING_LINK),
	QUEUES = BIT(SETTING_RPS) | BIT(SETTING_RPS_FLOWS) | BIT(SETTING_XPS) | BIT(SETTING_XPS_RXQS),
};

enum when { ALWAYS, IF_GONE, IF_DOWN, IF_NOT_ROOT };

struct row {
	int error;
	const char *name; /* of the errno */
	unsigned settings;
	enum when when;
	const char *said; /* must be part of the kernel's text; "": there must be none; NULL: whatever it says */
	struct meaning meaning;
	const char *words;
	const char *hint;
};

#define ERRNO(number) number, #number
#define FAILED                                                                                                         \
	{                                                                                                              \
		.state = CHANGE_FAILED                                                                                 \
	}
#define SKIPPED                                                                                                        \
	{                                                                                                              \
		.state = CHANGE_SKIPPED                                                                                \
	}
#define DEFERRED                                                                                                       \
	{                                                                                                              \
		.state = CHANGE_DEFERRED                                                                               \
	}
#define GONE                                                                                                           \
	{                                                                                                              \
		.state = CHANGE_GONE                                                                                   \
	}

static const char needs_root[] = "this needs root";
static const char not_while_down[] = "the driver does not take this while the device is down";
static const char hint_up[] = "it is tried again when the device comes up";

static const struct row rows[] = {
	/* 1 */
	{ ERRNO(ENODEV), ANY_SETTING, IF_GONE, NULL, GONE, "the device is gone", NULL },
	{ ERRNO(ENOENT), ANY_SETTING, IF_GONE, NULL, GONE, "the device is gone", NULL },
	{ ERRNO(ENXIO), ANY_SETTING, IF_GONE, NULL, GONE, "the device is gone", NULL },
	{ ERRNO(ENOENT), IRQS, ALWAYS, NULL, GONE, "the interrupt is gone", NULL },

	/* 2 */
	{ ERRNO(EPERM), ANY_SETTING, IF_NOT_ROOT, NULL, FAILED, needs_root, NULL },
	{ ERRNO(EACCES), ANY_SETTING, IF_NOT_ROOT, NULL, FAILED, needs_root, NULL },
	{ ERRNO(EACCES), ANY_SETTING, ALWAYS, NULL, FAILED, "root may not write here", "a security module forbids it" },

	/* 3 */
	{ ERRNO(EROFS),
	  ANY_SETTING,
	  ALWAYS,
	  NULL,
	  { .state = CHANGE_FAILED, .read_only = true },
	  "the file system is read-only here",
	  NULL },

	/* 4 */
	{ ERRNO(EIO), IRQS, ALWAYS, NULL, SKIPPED,
	  "the kernel or the driver manages this interrupt and does not let it be moved", NULL },
	{ ERRNO(EPERM), IRQS, ALWAYS, NULL, SKIPPED,
	  "the kernel or the driver manages this interrupt and does not let it be moved", NULL },
	{ ERRNO(ENOSPC),
	  IRQS,
	  ALWAYS,
	  NULL,
	  { .state = CHANGE_FAILED, .no_vector = true },
	  "the CPU has no free interrupt vector",
	  "fewer channels, or other CPUs, need fewer vectors there" },
	{ ERRNO(EBUSY),
	  IRQS,
	  ALWAYS,
	  NULL,
	  { .state = CHANGE_DEFERRED, .once_more = true },
	  "an earlier move of this interrupt is not finished",
	  "it moves with its next interrupt" },
	{ ERRNO(EINVAL), IRQS, ALWAYS, NULL, FAILED, "no CPU of the list is online", NULL },
	{ ERRNO(EPERM), QUEUES, ALWAYS, NULL, FAILED, "this needs CAP_NET_ADMIN on the host itself",
	  "in a container only the host can set it" },
	{ ERRNO(EPERM), ANY_SETTING, ALWAYS, NULL, FAILED, "this needs CAP_NET_ADMIN in the device's network namespace",
	  NULL },

	/* 5 */
	{ ERRNO(ENODEV), NETLINK, IF_DOWN, NULL, DEFERRED, not_while_down, hint_up },
	{ ERRNO(EBUSY), NETLINK, IF_DOWN, "", DEFERRED, not_while_down, hint_up },
	{ ERRNO(EINVAL), NETLINK, IF_DOWN, "", DEFERRED, not_while_down, hint_up },
	{ ERRNO(EOPNOTSUPP), BIT(SETTING_PAUSE), IF_DOWN, "", DEFERRED, not_while_down, hint_up },
	{ ERRNO(ENETDOWN), ANY_SETTING, ALWAYS, NULL, DEFERRED, not_while_down, hint_up },
	{ ERRNO(ENODEV), ANY_SETTING, ALWAYS, NULL, DEFERRED, "the device is detached (suspended, or being reset)",
	  "it is tried again at its next event" },

	/* 6 */
	{ ERRNO(ENOENT), BIT(SETTING_XPS), ALWAYS, NULL, SKIPPED, "a device with a single transmit queue has no XPS",
	  NULL },
	{ ERRNO(ENOENT), ANY_SETTING, ALWAYS, NULL, SKIPPED, "the kernel has no such setting here", NULL },
	{ ERRNO(EOPNOTSUPP), ANY_SETTING, ALWAYS, NULL, SKIPPED, "the driver cannot do this", NULL },
	{ ERRNO(EINVAL), BIT(SETTING_RPS), ALWAYS, NULL, FAILED, "none of these CPUs may take RPS",
	  "isolcpus= and nohz_full= keep it off them" },
	{ ERRNO(EINVAL), CHANNELS, ALWAYS, "indirection table", FAILED,
	  "the RSS indirection table uses queues that would go", "`ethtool -X DEVICE default` frees them" },
	{ ERRNO(EINVAL), CHANNELS, ALWAYS, "ntuple", FAILED, "a flow rule points to a queue that would go",
	  "`ethtool -n DEVICE` lists the rules" },
	{ ERRNO(EINVAL), CHANNELS, ALWAYS, "AF_XDP", FAILED, "an AF_XDP socket holds a queue that would go",
	  "stop the program that uses it first" },
	{ ERRNO(EINVAL), CHANNELS, ALWAYS, "memory provider", FAILED, "zero-copy receive holds a queue that would go",
	  "stop the program that uses it first" },
	{ ERRNO(EINVAL), CHANNELS, ALWAYS, "maximum", FAILED, "the device has fewer channels", NULL },
	{ ERRNO(EINVAL), RINGS, ALWAYS, NULL, FAILED, "the driver does not take a ring of this size", NULL },
	{ ERRNO(EINVAL), ANY_SETTING, ALWAYS, NULL, FAILED, "the driver or the kernel does not take this value", NULL },
	{ ERRNO(EBUSY),
	  CHANNELS,
	  ALWAYS,
	  NULL,
	  { .state = CHANGE_FAILED, .once_more = true },
	  "the queues are in use",
	  "XDP, AF_XDP, RDMA or a queueing discipline with hardware classes may hold them" },
	{ ERRNO(EBUSY),
	  ANY_SETTING,
	  ALWAYS,
	  NULL,
	  { .state = CHANGE_FAILED, .once_more = true },
	  "the device is busy",
	  NULL },
	{ ERRNO(EOVERFLOW), ANY_SETTING, ALWAYS, NULL, FAILED,
	  "the value names CPUs or queues that the kernel does not have", NULL },
	{ ERRNO(ERANGE), ANY_SETTING, ALWAYS, NULL, FAILED, "the value is beyond what the kernel takes", NULL },
	{ ERRNO(ENOMEM), ANY_SETTING, ALWAYS, NULL, FAILED, "the kernel has no memory for this", NULL },
};

static bool fits(const struct row *row, const struct refusal *refusal)
{
	if (row->error != -refusal->error || !(row->settings & BIT(refusal->setting)))
		return false;
	if (row->said && row->said[0] == '\0' && refusal->said)
		return false;
	if (row->said && row->said[0] && !(refusal->said && strstr(refusal->said, row->said)))
		return false;
	switch (row->when) {
	case ALWAYS: return true;
	case IF_GONE: return refusal->gone;
	case IF_DOWN: return refusal->link == LINK_DOWN;
	case IF_NOT_ROOT: return !refusal->root;
	}
	return false;
}

static const struct row *find_row(const struct refusal *refusal)
{
	static const struct row other = { .settings = ANY_SETTING,
					  .meaning = FAILED,
					  .words = "the kernel refused this" };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (fits(&rows[i], refusal))
			return &rows[i];
	return &other;
}

/* The hint with the device's name in place of DEVICE. */
static char *hint_for(const struct row *row, const char *device)
{
	static const char place[] = "DEVICE";
	const char *at = row->hint ? strstr(row->hint, place) : NULL;

	if (!at || !device)
		return alloc_string(row->hint);
	return text_format("%.*s%s%s", (int)(at - row->hint), row->hint, device, at + strlen(place));
}

struct meaning meaning_of(const struct refusal *refusal, char **ret_words)
{
	const struct row *row = find_row(refusal);
	CLEANUP(free_string) char *hint = hint_for(row, refusal->device);

	*ret_words = text_format("%s (%s%s%s)%s%s%s%s%s", row->words, row->name ? row->name : "", row->name ? ": " : "",
				 strerror(-refusal->error), refusal->said ? "; the kernel says \"" : "",
				 refusal->said ? refusal->said : "", refusal->said ? "\"" : "", hint ? "; " : "",
				 hint ? hint : "");
	return row->meaning;
}
