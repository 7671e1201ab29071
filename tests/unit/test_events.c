/* What the sources of events make of the kernel's and udev's words: the table of links, uevents, ethtool's and
 * rtnetlink's messages. The sources themselves are tested on a real kernel by tests/netns. */
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/text.h>

#include "watch/sources.h"

/* ---- help ------------------------------------------------------------------------------------------------------- */

struct scene {
	struct links links;
	struct event_list list;
};

static void scene_clear(struct scene *scene)
{
	links_clear(&scene->links);
	free(scene->list.items);
}

static struct link_news news(unsigned ifindex, const char *name)
{
	struct link_news it = { .ifindex = ifindex };

	strncpy(it.name, name, sizeof it.name - 1);
	return it;
}

/* "added 2, up 3": what is said, which is then forgotten. */
static void said(struct scene *scene, const char *expected)
{
	CLEANUP(free_string) char *text = alloc_string("");

	for (size_t i = 0; i < scene->list.n; i++) {
		const struct event *event = &scene->list.items[i];
		char *more =
			text_format("%s%s%s %u", text, *text ? ", " : "", event_kind_name(event->kind), event->ifindex);

		free(text);
		text = more;
	}
	assert_string_equal(text, expected);
	scene->list.n = 0;
}

static void tell(struct scene *scene, struct link_news it)
{
	links_tell(&scene->links, 100, &it, &scene->list);
}

/* ---- links ------------------------------------------------------------------------------------------------------ */

static void kernel_announces_at_once(void **state)
{
	CLEANUP(scene_clear) struct scene scene = { 0 };

	(void)state;
	tell(&scene, news(2, "eth0"));
	said(&scene, "added 2");
	tell(&scene, news(2, "eth0"));
	said(&scene, "");
	links_gone(&scene.links, 2, &scene.list);
	links_gone(&scene.links, 2, &scene.list);
	said(&scene, "removed 2");
	assert_null(links_find(&scene.links, 2));
}

static void changes_of_a_link(void **state)
{
	CLEANUP(scene_clear) struct scene scene = { 0 };
	struct link_news it = news(2, "eth0");

	(void)state;
	tell(&scene, it);
	scene.list.n = 0;
	it.up = true;
	tell(&scene, it);
	said(&scene, "up 2");
	it.carrier = true;
	tell(&scene, it);
	said(&scene, "up 2");
	it.carrier = false;
	tell(&scene, it);
	said(&scene, "down 2");
	it.up = false;
	it.master = 9;
	tell(&scene, it);
	said(&scene, "down 2, changed 2");
	it.xdp = 31;
	tell(&scene, it);
	said(&scene, "changed 2");
	strcpy(it.name, "wan0");
	tell(&scene, it);
	said(&scene, "changed 2");
	assert_int_equal(links_named(&scene.links, "wan0")->news.ifindex, 2);
	assert_null(links_named(&scene.links, "eth0"));
}

static void many_links_keep_their_order(void **state)
{
	CLEANUP(scene_clear) struct scene scene = { 0 };

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		CLEANUP(free_string) char *name = text_format("v%u", i * 7 % 1000);

		tell(&scene, news(i * 7 % 1000 + 1, name));
	}
	assert_int_equal(scene.links.n, 1000);
	for (unsigned i = 0; i < 1000; i++) {
		CLEANUP(free_string) char *name = text_format("v%u", i);

		assert_int_equal(scene.links.items[i].news.ifindex, i + 1);
		assert_ptr_equal(links_named(&scene.links, name), links_find(&scene.links, i + 1));
	}
	for (unsigned i = 0; i < 1000; i++)
		links_gone(&scene.links, i * 3 % 1000 + 1, &scene.list);
	assert_int_equal(scene.links.n, 0);
}

static void strangers_say_nothing(void **state)
{
	CLEANUP(scene_clear) struct scene scene = { 0 };

	(void)state;
	links_gone(&scene.links, 5, &scene.list);
	links_queues(&scene.links, "eth5", &scene.list);
	links_settings(&scene.links, 5, EVENT_NIC_SETTINGS, &scene.list);
	links_ready(&scene.links, 5, &scene.list);
	said(&scene, "");
	assert_int_equal(scene.links.n, 0);
}

static void queues_and_settings(void **state)
{
	CLEANUP(scene_clear) struct scene scene = { 0 };

	(void)state;
	tell(&scene, news(2, "eth1"));
	tell(&scene, news(3, "eth10"));
	scene.list.n = 0;
	for (unsigned i = 0; i < 64; i++)
		links_queues(&scene.links, "eth10", &scene.list);
	links_settings(&scene.links, 2, EVENT_NIC_SETTINGS, &scene.list);
	said(&scene, "queues 3, settings 2");
}

/* Rules 1 and 2. */
static void udev_announces_when_it_is_done(void **state)
{
	CLEANUP(scene_clear) struct scene scene = { .links = { .wait_for_udev = true, .patience = 5000 } };
	struct link_news it = news(2, "eth0");

	(void)state;
	tell(&scene, it);
	it.up = true;
	tell(&scene, it);
	links_queues(&scene.links, "eth0", &scene.list);
	links_settings(&scene.links, 2, EVENT_NIC_SETTINGS, &scene.list);
	said(&scene, "");
	assert_false(links_find(&scene.links, 2)->announced);
	assert_int_equal(links_wait(&scene.links, 1100), 4000);
	links_ready(&scene.links, 2, &scene.list);
	said(&scene, "added 2");
	assert_int_equal(links_wait(&scene.links, 1100), -1);
	links_ready(&scene.links, 2, &scene.list);
	said(&scene, "changed 2");
	tell(&scene, news(3, "eth1"));
	links_gone(&scene.links, 3, &scene.list);
	said(&scene, "");
}

/* Rules 1 and 4. */
static void udev_has_no_endless_time(void **state)
{
	CLEANUP(scene_clear) struct scene scene = { .links = { .wait_for_udev = true, .patience = 5000 } };

	(void)state;
	tell(&scene, news(2, "eth0"));
	links_expire(&scene.links, 5099, &scene.list);
	said(&scene, "");
	links_expire(&scene.links, 5100, &scene.list);
	said(&scene, "added 2");
	tell(&scene, news(3, "eth1"));
	assert_int_equal(links_wait(&scene.links, 100), 500); /* it has finished nothing */
	links_ready(&scene.links, 3, &scene.list);
	tell(&scene, news(4, "eth2"));
	assert_int_equal(links_wait(&scene.links, 100), 5000); /* it does work */
}

static void a_list_replaces_the_table_in_silence(void **state)
{
	CLEANUP(scene_clear) struct scene scene = { .links = { .wait_for_udev = true, .patience = 5000 } };
	struct link_news renamed = news(2, "wan0"), fresh = news(4, "eth4"), raw = news(5, "eth5");

	(void)state;
	tell(&scene, news(2, "eth0"));
	tell(&scene, news(3, "eth1"));
	links_begin(&scene.links);
	links_enter(&scene.links, 200, &renamed, true);
	links_enter(&scene.links, 200, &fresh, true);
	links_enter(&scene.links, 200, &raw, false);
	links_end(&scene.links);
	said(&scene, "");
	assert_null(links_find(&scene.links, 3));
	assert_true(links_find(&scene.links, 2)->announced && links_find(&scene.links, 4)->announced);
	assert_int_equal(links_wait(&scene.links, 200), 5000);
}

static void equal_words_in_a_row_are_one(void **state)
{
	CLEANUP(scene_clear) struct scene scene = { 0 };

	(void)state;
	event_list_add(&scene.list, EVENT_CPU, 0);
	event_list_add(&scene.list, EVENT_CPU, 0);
	event_list_add(&scene.list, EVENT_NIC_UP, 2);
	event_list_add(&scene.list, EVENT_NIC_UP, 3);
	event_list_add(&scene.list, EVENT_CPU, 0);
	said(&scene, "cpu 0, up 2, up 3, cpu 0");
}

/* ---- uevents ---------------------------------------------------------------------------------------------------- */

#define UEVENT(text) (text), sizeof(text)

static void uevents(void **state)
{
	enum event_kind kind = EVENT_KINDS;
	char name[IFNAMSIZ] = "";

	(void)state;
	assert_int_equal(uevent_read(UEVENT("offline@/devices/system/cpu/cpu5\0ACTION=offline\0"
					    "DEVPATH=/devices/system/cpu/cpu5\0SUBSYSTEM=cpu\0CPU=5"),
				     &kind, name),
			 1);
	assert_int_equal(kind, EVENT_CPU);
	assert_int_equal(uevent_read(UEVENT("add@/devices/virtual/net/ve0/queues/rx-1\0ACTION=add\0"
					    "DEVPATH=/devices/virtual/net/ve0/queues/rx-1\0SUBSYSTEM=queues"),
				     &kind, name),
			 1);
	assert_int_equal(kind, EVENT_NIC_QUEUES);
	assert_string_equal(name, "ve0");
}

static void uevents_of_no_interest(void **state)
{
	enum event_kind kind = EVENT_KINDS;
	char name[IFNAMSIZ] = "";

	(void)state;
	assert_int_equal(uevent_read(UEVENT("add@/devices/system/cpu/cpu5\0ACTION=add\0SUBSYSTEM=cpu"), &kind, name),
			 0);
	assert_int_equal(uevent_read(UEVENT("add@/devices/virtual/net/ve0\0ACTION=add\0SUBSYSTEM=net"), &kind, name),
			 0);
	assert_int_equal(uevent_read(UEVENT("online@/a\0ACTION=online\0SUBSYSTEM=memory"), &kind, name), 0);
	assert_int_equal(kind, EVENT_KINDS);
	assert_string_equal(name, "");
}

/* Whatever the bytes are, nothing is read behind them, and no name is too long. */
static void uevents_that_are_none(void **state)
{
	static const char *const paths[] = { "/queues/rx-0", "queues/rx-0", "/net//queues/rx-0",
					     "/net/a-name-that-is-too-long/queues/rx-0", "" };
	enum event_kind kind;
	char name[IFNAMSIZ];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		char text[128];
		int n = snprintf(text, sizeof text, "ACTION=add%cSUBSYSTEM=queues%cDEVPATH=%s", 0, 0, paths[i]) + 1;

		assert_int_equal(uevent_read(text, (size_t)n, &kind, name), 0);
	}
	assert_int_equal(uevent_read("", 0, &kind, name), 0);
	assert_int_equal(uevent_read("SUBSYSTEM=cpu", 13, &kind, name), 0); /* no end */
}

/* ---- netlink messages ------------------------------------------------------------------------------------------- */

struct message {
	_Alignas(8) char data[512];
};

static size_t aligned(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

static struct nlmsghdr *begin(struct message *message, uint16_t type, const void *head, size_t size)
{
	struct nlmsghdr *header = (struct nlmsghdr *)(void *)message->data;

	memset(message, 0, sizeof *message);
	header->nlmsg_type = type;
	header->nlmsg_len = (uint32_t)(sizeof *header + aligned(size));
	memcpy(header + 1, head, size);
	return header;
}

static void put(struct nlmsghdr *header, uint16_t type, const void *value, size_t size)
{
	struct nlattr *attr = (struct nlattr *)(void *)((char *)header + header->nlmsg_len);

	attr->nla_type = type;
	attr->nla_len = (uint16_t)(sizeof *attr + size);
	memcpy(attr + 1, value, size);
	header->nlmsg_len += (uint32_t)(sizeof *attr + aligned(size));
}

static void link_messages(void **state)
{
	const struct ifinfomsg info = { .ifi_index = 7, .ifi_flags = IFF_UP | IFF_LOWER_UP };
	const struct {
		struct nlattr head;
		uint32_t id;
	} xdp = { .head = { .nla_len = 8, .nla_type = IFLA_XDP_PROG_ID }, .id = 31 };
	const uint32_t master = 3;
	struct link_news it;
	struct message message;
	struct nlmsghdr *header = begin(&message, RTM_NEWLINK, &info, sizeof info);
	bool gone = true;

	(void)state;
	put(header, IFLA_IFNAME, "ens1", 5);
	put(header, IFLA_MASTER, &master, sizeof master);
	put(header, IFLA_XDP, &xdp, sizeof xdp);
	assert_int_equal(route_read(header, &it, &gone), 1);
	assert_false(gone);
	assert_string_equal(it.name, "ens1");
	assert_true(it.ifindex == 7 && it.up && it.carrier && it.master == 3 && it.xdp == 31);
	header->nlmsg_type = RTM_DELLINK;
	assert_int_equal(route_read(header, &it, &gone), 1);
	assert_true(gone);
}

static void link_messages_of_no_interest(void **state)
{
	struct ifinfomsg info = { .ifi_index = 7 };
	struct message message;
	struct nlmsghdr *header = begin(&message, RTM_NEWLINK, &info, sizeof info);
	struct link_news it;
	bool gone;

	(void)state;
	assert_int_equal(route_read(header, &it, &gone), 0); /* a radio's: no name */
	info.ifi_family = AF_BRIDGE;                         /* a bridge about its port */
	header = begin(&message, RTM_NEWLINK, &info, sizeof info);
	put(header, IFLA_IFNAME, "ens1", 5);
	assert_int_equal(route_read(header, &it, &gone), 0);
	header->nlmsg_type = RTM_NEWADDR;
	assert_int_equal(route_read(header, &it, &gone), 0);
	header = begin(&message, RTM_NEWLINK, &info, 4); /* cut short */
	assert_int_equal(route_read(header, &it, &gone), 0);
}

static void ends_of_a_list(void **state)
{
	const struct nlmsgerr error = { .error = -12 };
	struct message message;

	(void)state;
	assert_int_equal(route_is_end(begin(&message, NLMSG_DONE, "", 0)), 1);
	assert_int_equal(route_is_end(begin(&message, NLMSG_ERROR, &error, sizeof error)), -12);
	assert_int_equal(route_is_end(begin(&message, RTM_NEWLINK, "", 0)), 0);
}

static void ethtool_messages(void **state)
{
	const struct {
		struct nlattr head;
		uint32_t ifindex;
	} device = { .head = { .nla_len = 8, .nla_type = ETHTOOL_A_HEADER_DEV_INDEX }, .ifindex = 7 };
	struct genlmsghdr command = { .cmd = ETHTOOL_MSG_CHANNELS_NTF, .version = 1 };
	struct message message;
	struct nlmsghdr *header = begin(&message, 21, &command, sizeof command);
	enum event_kind kind;
	unsigned ifindex = 0;

	(void)state;
	assert_int_equal(ethtool_read(header, 21, &kind, &ifindex), 0); /* no device */
	put(header, ETHTOOL_A_CHANNELS_HEADER | NLA_F_NESTED, &device, sizeof device);
	assert_int_equal(ethtool_read(header, 22, &kind, &ifindex), 0); /* another family */
	assert_int_equal(ethtool_read(header, 21, &kind, &ifindex), 1);
	assert_true(kind == EVENT_NIC_QUEUES && ifindex == 7);
	command.cmd = ETHTOOL_MSG_PAUSE_NTF;
	header = begin(&message, 21, &command, sizeof command);
	put(header, ETHTOOL_A_PAUSE_HEADER | NLA_F_NESTED, &device, sizeof device);
	assert_int_equal(ethtool_read(header, 21, &kind, &ifindex), 1);
	assert_int_equal(kind, EVENT_NIC_SETTINGS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_announces_at_once),
		cmocka_unit_test(changes_of_a_link),
		cmocka_unit_test(many_links_keep_their_order),
		cmocka_unit_test(strangers_say_nothing),
		cmocka_unit_test(queues_and_settings),
		cmocka_unit_test(udev_announces_when_it_is_done),
		cmocka_unit_test(udev_has_no_endless_time),
		cmocka_unit_test(a_list_replaces_the_table_in_silence),
		cmocka_unit_test(equal_words_in_a_row_are_one),
		cmocka_unit_test(uevents),
		cmocka_unit_test(uevents_of_no_interest),
		cmocka_unit_test(uevents_that_are_none),
		cmocka_unit_test(link_messages),
		cmocka_unit_test(link_messages_of_no_interest),
		cmocka_unit_test(ends_of_a_list),
		cmocka_unit_test(ethtool_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
