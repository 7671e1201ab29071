/* net_kernel: net.h against the kernel itself, on veth devices in a network namespace of this program's own.
 *
 * Exit status 77: namespaces cannot be made here. */
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/net.h>

struct fixture {
	struct host *host;
	struct nic near, far; /* the ends of a veth pair: four queues, two queues */
};

/* ---- the namespace --------------------------------------------------------------------------------------------- */

static void run(const char *command)
{
	int status = system(command);

	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("%s: status %d", command, status);
}

static void leave(const char *what)
{
	printf("skip: %s: %s\n", what, strerror(errno));
	exit(77);
}

static void enter_namespace(void)
{
	if (unshare(CLONE_NEWNET | CLONE_NEWNS) < 0)
		leave("no namespace of its own");
	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 || mount("sysfs", "/sys", "sysfs", 0, NULL) < 0)
		leave("no /sys of its own");
	if (system("ip link show lo >/dev/null 2>&1") != 0)
		leave("no ip(8)");
}

static void find(struct nic *nic, const char *name)
{
	nic->name = alloc_string(name);
	nic->ifindex = if_nametoindex(name);
	assert_int_not_equal(nic->ifindex, 0);
}

static int set_up(void **state)
{
	struct fixture *it = alloc_zero(1, sizeof *it);
	char *problem = NULL;

	run("ip link add near numtxqueues 4 numrxqueues 4 type veth peer name far numtxqueues 2 numrxqueues 2");
	find(&it->near, "near");
	find(&it->far, "far");
	assert_int_equal(host_open("/", HOST_WRITABLE, &it->host, &problem), 0);
	*state = it;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *it = *state;

	if (if_nametoindex("near"))
		run("ip link delete near");
	host_close(it->host);
	nic_clear(&it->near);
	nic_clear(&it->far);
	free(it);
	return 0;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static void reads(void **state)
{
	struct fixture *it = *state;
	const struct feature *segmentation = NULL, *netns = NULL;

	assert_int_equal(net_read(it->host, &it->near, DETAIL_ALL), 0);
	assert_int_equal(it->near.channels.max[CHANNEL_RX].value, 4);
	assert_int_equal(it->near.channels.max[CHANNEL_TX].value, 4);
	assert_int_equal(it->near.channels.count[CHANNEL_RX].value, 4);
	assert_false(it->near.channels.max[CHANNEL_COMBINED].set); /* veth has no such kind */
	assert_false(it->near.pause.autoneg.set || it->near.pause.rx.set);
	for (size_t i = 0; i < it->near.nfeatures; i++) {
		if (text_equal(it->near.features[i].name, "tx-tcp-segmentation"))
			segmentation = &it->near.features[i];
		if (text_equal(it->near.features[i].name, "tx-lockless"))
			netns = &it->near.features[i];
	}
	assert_non_null(segmentation);
	assert_true(segmentation->active && !segmentation->fixed);
	assert_true(!netns || netns->fixed);
	assert_int_equal(net_read(it->host, &it->far, DETAIL_CHANNELS), 0);
	assert_int_equal(it->far.channels.max[CHANNEL_RX].value, 2);
	assert_int_equal(it->far.nfeatures, 0);
}

static bool has_netdev_family(void)
{
	return system("grep -q netdev_nl_napi_get_dumpit /proc/kallsyms") == 0;
}

/* A veth has NAPI instances when it is up and GRO is on; it does not tell which queues they serve. */
static void napis(void **state)
{
	struct fixture *it = *state;

	run("ethtool -K near gro on && ip link set near up && ip link set far up");
	assert_int_equal(net_read(it->host, &it->near, DETAIL_NAPI), 0);
	assert_int_equal(it->near.nnapis, has_netdev_family() ? 4 : 0);
	for (size_t i = 1; i < it->near.nnapis; i++) {
		assert_true(it->near.napis[i - 1].id < it->near.napis[i].id);
		assert_false(it->near.napis[i].irq.set);
	}
}

static void drivers(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *veth = net_driver(it->host, "near");
	CLEANUP(free_string) char *loopback = net_driver(it->host, "lo");
	CLEANUP(free_string) char *nothing = net_driver(it->host, "no-such-device");
	CLEANUP(free_string) char *long_name = net_driver(it->host, "a-name-that-is-too-long");

	assert_string_equal(veth, "veth");
	assert_null(loopback);
	assert_null(nothing);
	assert_null(long_name);
}

/* ---- setting --------------------------------------------------------------------------------------------------- */

static void channels(void **state)
{
	struct fixture *it = *state;
	struct channels want = { .count = { [CHANNEL_RX] = SOME_U32(2), [CHANNEL_TX] = SOME_U32(3) } };
	CLEANUP(free_string) char *said = NULL;

	assert_int_equal(net_set_channels(it->host, &it->near, &want, &said), 0);
	assert_null(said);
	assert_false(host_exists(it->host, "sys/class/net/near/queues/rx-2"));
	assert_true(host_exists(it->host, "sys/class/net/near/queues/tx-2"));
	assert_false(host_exists(it->host, "sys/class/net/near/queues/tx-3"));
	assert_int_equal(net_read(it->host, &it->near, DETAIL_CHANNELS), 0);
	assert_int_equal(it->near.channels.count[CHANNEL_RX].value, 2);
	assert_int_equal(net_set_channels(it->host, &it->near, &want, &said), 0); /* nothing differs */
}

static void channels_refused(void **state)
{
	struct fixture *it = *state;
	struct channels many = { .count = { [CHANNEL_RX] = SOME_U32(5) } };
	struct channels none = { .count = { [CHANNEL_RX] = SOME_U32(0) } };
	CLEANUP(free_string) char *many_said = NULL, *none_said = NULL;

	assert_int_equal(net_set_channels(it->host, &it->near, &many, &many_said), -EINVAL);
	assert_string_equal(many_said, "requested channel count exceeds maximum");
	assert_int_equal(net_set_channels(it->host, &it->near, &none, &none_said), -EINVAL);
	assert_string_equal(none_said, "requested channel counts would result in no RX or TX channel being configured");
}

static void not_supported(void **state)
{
	struct fixture *it = *state;
	const struct pause off = { .autoneg = SOME_BOOL(false), .rx = SOME_BOOL(false), .tx = SOME_BOOL(false) };
	CLEANUP(free_string) char *said = NULL;

	assert_int_equal(net_set_pause(it->host, &it->near, &off, &said), -EOPNOTSUPP);
}

static void features(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *said = NULL, *unknown = NULL;

	assert_int_equal(net_set_feature(it->host, &it->near, "tx-tcp-segmentation", false, &said), 0);
	run("ethtool -k near | grep -q 'tx-tcp-segmentation: off'");
	assert_int_equal(net_set_feature(it->host, &it->near, "tx-tcp-segmentation", true, &said), 0);
	run("ethtool -k near | grep -q 'tx-tcp-segmentation: on'");
	assert_int_equal(net_set_feature(it->host, &it->near, "no-such-feature", true, &unknown), -EOPNOTSUPP);
	assert_string_equal(unknown, "bit name not found");
}

static void only_read(void **state)
{
	struct fixture *it = *state;
	struct channels want = { .count = { [CHANNEL_RX] = SOME_U32(2) } };
	CLEANUP(host_closep) struct host *host = NULL;
	char *problem = NULL, *said = NULL;

	assert_int_equal(host_open("/", HOST_READ_ONLY, &host, &problem), 0);
	assert_int_equal(net_set_channels(host, &it->near, &want, &said), -EROFS);
	assert_int_equal(net_set_up(host, &it->near, &said), -EROFS);
	assert_int_equal(net_read(host, &it->near, DETAIL_CHANNELS), 0);
	assert_int_equal(it->near.channels.count[CHANNEL_RX].value, 4);
	assert_int_equal(host_write(host, "sys/class/net/near/queues/rx-0/rps_cpus", "1"), -EROFS);
}

/* ---- the link -------------------------------------------------------------------------------------------------- */

static long elapsed_ms(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000 + (now.tv_nsec - since->tv_nsec) / 1000000;
}

static void no_carrier(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *said = NULL;
	struct timespec start;

	assert_int_equal(net_set_up(it->host, &it->near, &said), 0); /* the other end is down */
	clock_gettime(CLOCK_MONOTONIC, &start);
	assert_int_equal(net_wait_carrier(it->host, &it->near, 0), -ETIMEDOUT);
	assert_int_equal(net_wait_carrier(it->host, &it->near, 50), -ETIMEDOUT);
	assert_true(elapsed_ms(&start) >= 50);
}

/* Returns when a process sleeps. */
static void until_asleep(struct host *host, pid_t pid)
{
	CLEANUP(free_string) char *path = text_format("proc/%d/stat", (int)pid);
	bool asleep = false;

	while (!asleep) {
		CLEANUP(free_string) char *text = NULL;

		if (host_read(host, path, &text) < 0)
			_exit(1);
		asleep = text_starts(strrchr(text, ')'), ") S");
		sched_yield();
	}
}

/* Another process sets the peer up when this one already waits for events, and before that, if wanted, makes more
 * events than a socket takes while this one is stopped, so that some are lost, the one that matters among them. */
static pid_t up_when_parent_waits(const struct nic *nic, bool storm)
{
	pid_t parent = getpid(), child = fork();
	CLEANUP(host_closep) struct host *host = NULL;
	CLEANUP(free_string) char *said = NULL;
	char *problem = NULL;
	int r;

	if (child != 0)
		return child;
	if (host_open("/", HOST_WRITABLE, &host, &problem) < 0)
		_exit(1);
	until_asleep(host, parent);
	if (storm &&
	    (kill(parent, SIGSTOP) < 0 || system("seq -f 'link set lo mtu %.0f' 10000 11000 | ip -batch -") != 0))
		_exit(2);
	r = net_set_up(host, nic, &said);
	if (storm)
		kill(parent, SIGCONT);
	_exit(r < 0 ? 3 : 0);
}

static void carrier_comes(struct fixture *it, bool storm)
{
	CLEANUP(free_string) char *said = NULL;
	int status = -1;
	pid_t child;

	assert_int_equal(net_set_up(it->host, &it->near, &said), 0);
	child = up_when_parent_waits(&it->far, storm);
	assert_true(child > 0);
	assert_int_equal(net_wait_carrier(it->host, &it->near, 60000), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(net_wait_carrier(it->host, &it->near, 0), 0); /* it is there */
}

static void carrier(void **state)
{
	carrier_comes(*state, false);
}

static void carrier_in_a_storm(void **state)
{
	carrier_comes(*state, true);
}

static void vanished(void **state)
{
	struct fixture *it = *state;
	struct channels want = { .count = { [CHANNEL_RX] = SOME_U32(2) } };
	const struct pause off = { .rx = SOME_BOOL(false) };
	CLEANUP(free_string) char *said = NULL;

	run("ip link delete near");
	assert_int_equal(net_read(it->host, &it->near, DETAIL_ALL), -ENODEV);
	assert_int_equal(net_read(it->host, &it->near, DETAIL_NAPI), has_netdev_family() ? -ENODEV : 0);
	assert_int_equal(net_set_channels(it->host, &it->near, &want, &said), -ENODEV);
	free(TAKE(said));
	assert_int_equal(net_set_pause(it->host, &it->near, &off, &said), -ENODEV);
	free(TAKE(said));
	assert_int_equal(net_set_up(it->host, &it->near, &said), -ENODEV);
	free(TAKE(said));
	assert_int_equal(net_wait_carrier(it->host, &it->near, 60000), -ENODEV);
	assert_int_equal(host_write(it->host, "sys/class/net/near/queues/rx-0/rps_cpus", "1"), -ENOENT);
}

/* The socket that was opened once serves after an error as before. */
static void after_errors(void **state)
{
	struct fixture *it = *state;

	vanished(state);
	run("ip link add near numrxqueues 3 type veth peer name far");
	it->near.ifindex = if_nametoindex("near");
	assert_int_equal(net_read(it->host, &it->near, DETAIL_ALL), 0);
	assert_int_equal(it->near.channels.max[CHANNEL_RX].value, 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads),
		TEST(napis),
		TEST(drivers),
		TEST(channels),
		TEST(channels_refused),
		TEST(features),
		TEST(not_supported),
		TEST(only_read),
		TEST(no_carrier),
		TEST(carrier),
		TEST(vanished),
		TEST(after_errors),
		TEST(carrier_in_a_storm),
	};

	enter_namespace();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
