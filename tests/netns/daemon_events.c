/* daemon_events: the stream of events against the kernel itself, on veth devices in a network namespace of this
 * program's own.
 *
 * Exit status 77: namespaces cannot be made here. */
#include <errno.h>
#include <malloc.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/events.h>
#include <steer/loop.h>
#include <steer/text.h>
#include <steer/watch.h>

enum { LIMIT = 10 * 1000, STORM = 1000 };

#define PAIR "ip link add near numtxqueues 4 numrxqueues 4 type veth peer name far numtxqueues 4 numrxqueues 4"

/* ---- the namespace ---------------------------------------------------------------------------------------------- */

static void run(const char *format, ...)
{
	CLEANUP(free_string) char *command = NULL;
	va_list arguments;
	int status;

	va_start(arguments, format);
	assert_true(vasprintf(&command, format, arguments) > 0);
	va_end(arguments);
	status = system(command);
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
	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 || mount("sysfs", "/sys", "sysfs", 0, NULL) < 0 ||
	    mount("tmpfs", "/run", "tmpfs", 0, NULL) < 0)
		leave("no /sys and /run of its own");
	if (system("ip link add probe type veth && ip link del probe") != 0)
		leave("no veth devices");
}

static struct events *listen_with(const struct events_setup *setup)
{
	struct events *events = NULL;
	struct notes notes = { 0 };

	assert_int_equal(events_open(setup, &events, &notes), 0);
	notes_clear(&notes);
	return events;
}

static int remove_pair(void **state)
{
	(void)state;
	return system("ip link del near 2>/dev/null; ip link del nearer 2>/dev/null; rm -rf /run/udev");
}

/* ---- waiting ---------------------------------------------------------------------------------------------------- */

/* The next event; false: none within so many ms. */
static bool next(struct events *events, int limit, struct event *ret)
{
	struct pollfd ready = { .fd = events_fd(events), .events = POLLIN };
	uint64_t end = loop_now() + (uint64_t)limit;
	int r;

	while ((r = events_take(events, ret)) == 0) {
		uint64_t now = loop_now();

		if (now >= end || poll(&ready, 1, (int)(end - now)) == 0)
			return false;
	}
	assert_int_equal(r, 1);
	return true;
}

static void expect(struct events *events, enum event_kind kind, unsigned ifindex)
{
	struct event event;

	do {
		if (!next(events, LIMIT, &event))
			fail_msg("no event: %s %u", event_kind_name(kind), ifindex);
	} while (event.kind != kind || event.ifindex != ifindex);
}

static void drain(struct events *events)
{
	struct event event;

	while (events_take(events, &event) > 0)
		;
}

static unsigned index_of(const char *name)
{
	unsigned ifindex = if_nametoindex(name);

	assert_int_not_equal(ifindex, 0);
	return ifindex;
}

/* ---- one device ------------------------------------------------------------------------------------------------- */

static void everything_that_happens_to_a_device(void **state)
{
	CLEANUP(events_closep) struct events *events = listen_with(NULL);
	unsigned near, far;

	(void)state;
	assert_false(events_by_udev(events));
	run(PAIR);
	near = index_of("near");
	far = index_of("far");
	expect(events, EVENT_NIC_ADDED, far);
	expect(events, EVENT_NIC_ADDED, near);
	assert_true(events_ready(events, near) && events_ready(events, far));
	drain(events);
	run("ip link set near name nearer");
	expect(events, EVENT_NIC_CHANGED, near);
	run("ip link set nearer up");
	expect(events, EVENT_NIC_UP, near);
	run("ip link set far up");
	expect(events, EVENT_NIC_UP, near); /* carrier */
	drain(events);
	run("ethtool -L nearer rx 2");
	expect(events, EVENT_NIC_QUEUES, near);
	run("ethtool -K nearer tso off >/dev/null");
	expect(events, EVENT_NIC_SETTINGS, near);
	run("ip link set far down");
	expect(events, EVENT_NIC_DOWN, near);
	run("ip link del nearer");
	expect(events, EVENT_NIC_REMOVED, near);
	assert_false(events_ready(events, near));
}

static void masters_come_and_go(void **state)
{
	CLEANUP(events_closep) struct events *events = NULL;

	(void)state;
	run(PAIR);
	if (system("ip link add bridge0 type bridge 2>/dev/null") != 0)
		skip();
	events = listen_with(NULL);
	run("ip link set near master bridge0");
	expect(events, EVENT_NIC_CHANGED, index_of("near"));
	run("ip link set near nomaster");
	expect(events, EVENT_NIC_CHANGED, index_of("near"));
	run("ip link del bridge0");
}

/* What is there already is known without being told of. */
static void devices_from_before(void **state)
{
	CLEANUP(events_closep) struct events *events = NULL;
	struct event event;

	(void)state;
	run(PAIR);
	events = listen_with(NULL);
	assert_true(events_ready(events, index_of("near")));
	assert_int_equal(events_take(events, &event), 0);
	run("ip link set near up");
	assert_true(next(events, LIMIT, &event));
	assert_int_equal(event.kind, EVENT_NIC_UP);
}

static void another_namespace_takes_it(void **state)
{
	CLEANUP(events_closep) struct events *events = NULL;
	unsigned near;

	(void)state;
	run("mkdir -p /run/netns && ip netns add elsewhere");
	run(PAIR);
	near = index_of("near");
	events = listen_with(NULL);
	run("ip link set near netns elsewhere");
	expect(events, EVENT_NIC_REMOVED, near);
	run("ip -n elsewhere link set near netns %d", (int)getpid());
	expect(events, EVENT_NIC_ADDED, index_of("near"));
	run("ip netns del elsewhere");
}

/* ---- storms ----------------------------------------------------------------------------------------------------- */

static void write_batch(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	for (int i = 0; i < STORM; i++)
		fprintf(file, "link add s%d group 7 type veth peer name t%d\n", i, i);
	fclose(file);
}

/* Takes events and counts the passes they would make, while a command runs and until all is quiet behind it. */
static size_t passes_during(struct events *events, struct watch *watch, const char *command)
{
	FILE *process = popen(command, "r");
	bool over = false;
	size_t passes = 0;

	assert_non_null(process);
	for (;;) {
		struct pollfd ready[] = { { .fd = events_fd(events), .events = POLLIN },
					  { .fd = over ? -1 : fileno(process), .events = POLLIN } };
		int64_t wait = watch_wait(watch, loop_now());
		CLEANUP(pass_clear) struct pass pass = { 0 };
		struct event event;

		if (over && wait == WATCH_NEVER)
			break;
		(void)poll(ready, 2, (int)wait);
		over = over || ready[1].revents;
		while (events_take(events, &event) > 0)
			watch_event(watch, loop_now(), &event);
		passes += watch_take(watch, loop_now(), &pass);
	}
	assert_int_equal(pclose(process), 0);
	return passes;
}

static void a_storm_is_few_passes_and_leaves_nothing(void **state)
{
	CLEANUP(events_closep) struct events *events = listen_with(NULL);
	CLEANUP(watch_freep) struct watch *watch = watch_new(0, loop_now());
	size_t used[3]; /* bytes, after each storm */

	(void)state;
	write_batch("/run/create");
	for (size_t round = 0; round < COUNT_OF(used); round++) {
		uint64_t start = loop_now();
		size_t passes = passes_during(events, watch, "ip -batch /run/create");

		passes += passes_during(events, watch, "ip link del group 7");
		print_message("%zu passes in %u ms\n", passes, (unsigned)(loop_now() - start));
		assert_true(passes > 0 && passes <= 3 + (loop_now() - start) / 1000);
		used[round] = mallinfo2().uordblks;
		print_message("%zu bytes in use\n", used[round]);
	}
	for (size_t round = 1; round < COUNT_OF(used); round++)
		assert_int_equal(used[round], used[0]);
}

static void losses_are_told(void **state)
{
	static const struct events_setup small = { .buffer = 1 };
	CLEANUP(events_closep) struct events *events = listen_with(&small);
	struct event event;

	(void)state;
	run("for i in $(seq 100); do ip link add s$i type veth peer name t$i || exit 1; done");
	expect(events, EVENT_OVERRUN, 0);
	drain(events);
	assert_true(events_ready(events, index_of("s100")) && events_ready(events, index_of("t1")));
	run("for i in $(seq 100); do ip link del s$i || exit 1; done");
	while (next(events, 200, &event))
		;
	run(PAIR);
	while (!events_ready(events, index_of("near"))) /* it goes on */
		assert_true(next(events, LIMIT, &event));
}

/* ---- udev ------------------------------------------------------------------------------------------------------- */

/* There is the socket of a udevd, which is another namespace's: it finishes nothing here. */
static void udev_is_not_waited_for_for_ever(void **state)
{
	static const struct events_setup setup = { .udev_wait = 300 };
	CLEANUP(events_closep) struct events *events = NULL;
	uint64_t start;

	(void)state;
	assert_int_equal(mkdir("/run/udev", 0755), 0);
	fclose(fopen("/run/udev/control", "w"));
	run(PAIR);
	events = listen_with(&setup);
	start = loop_now();
	assert_true(events_by_udev(events));
	assert_false(events_ready(events, index_of("near")));
	expect(events, EVENT_NIC_ADDED, index_of("near"));
	assert_true(loop_now() - start >= 250);
	assert_true(events_ready(events, index_of("near")));
}

/* What the allocator keeps at hand for each thread counts as in use: then memory in use says nothing. */
static void without_thread_cache(char **argv)
{
	static const char name[] = "GLIBC_TUNABLES";

	if (getenv(name))
		return;
	setenv(name, "glibc.malloc.tcache_count=0", 1);
	execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(everything_that_happens_to_a_device, remove_pair),
		cmocka_unit_test_teardown(masters_come_and_go, remove_pair),
		cmocka_unit_test_teardown(devices_from_before, remove_pair),
		cmocka_unit_test_teardown(another_namespace_takes_it, remove_pair),
		cmocka_unit_test_teardown(a_storm_is_few_passes_and_leaves_nothing, remove_pair),
		cmocka_unit_test_teardown(losses_are_told, remove_pair),
		cmocka_unit_test_teardown(udev_is_not_waited_for_for_ever, remove_pair),
	};

	(void)argc;
	without_thread_cache(argv);
	enter_namespace();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
