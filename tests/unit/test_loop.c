/* The loop: who is called, when, and never again; and what the service manager is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/loop.h>
#include <steer/notify.h>
#include <steer/text.h>

struct end { /* one end of a pair of sockets in a loop */
	struct loop *loop;
	struct loop_source *source, *victim;
	struct loop_timer *timer;
	int here, there;
	unsigned calls, events;
	int answer;
};

static void open_end(struct end *end, struct loop *loop, unsigned events, loop_ready *ready)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	*end = (struct end){ .loop = loop, .here = fds[0], .there = fds[1] };
	assert_int_equal(loop_add(loop, end->here, events, ready, end, &end->source), 0);
}

static void close_end(struct end *end)
{
	loop_remove(end->source);
	close(end->here);
	close(end->there);
}

static int stop(void *context, unsigned events)
{
	struct end *end = context;

	end->calls++;
	end->events = events;
	loop_stop(end->loop);
	return end->answer;
}

static int stop_loop(void *context, unsigned events)
{
	(void)events;
	loop_stop(context);
	return 0;
}

static void what_can_be_read_is(void **state)
{
	CLEANUP(loop_freep) struct loop *loop = NULL;
	struct end quiet, loud;

	(void)state;
	assert_int_equal(loop_new(&loop), 0);
	open_end(&quiet, loop, LOOP_READ, stop);
	open_end(&loud, loop, LOOP_READ, stop);
	assert_int_equal(write(loud.there, "x", 1), 1);
	assert_int_equal(loop_run(loop), 0);
	assert_int_equal(quiet.calls, 0);
	assert_int_equal(loud.calls, 1);
	assert_int_equal(loud.events, LOOP_READ);
	assert_int_equal(loop_run(loop), 0); /* it is still there */
	assert_int_equal(loud.calls, 2);
	close_end(&quiet);
	close_end(&loud);
}

static void what_is_waited_for_can_change(void **state)
{
	CLEANUP(loop_freep) struct loop *loop = NULL;
	struct end end;

	(void)state;
	assert_int_equal(loop_new(&loop), 0);
	open_end(&end, loop, LOOP_READ, stop);
	assert_int_equal(loop_change(end.source, LOOP_READ | LOOP_WRITE), 0);
	assert_int_equal(loop_run(loop), 0);
	assert_int_equal(end.events, LOOP_WRITE);
	close(end.there);
	end.there = -1;
	assert_int_equal(loop_change(end.source, 0), 0);
	assert_int_equal(loop_run(loop), 0);
	assert_int_equal(end.events, LOOP_HANGUP);
	close_end(&end);
}

static void errors_end_it(void **state)
{
	CLEANUP(loop_freep) struct loop *loop = NULL;
	struct end end;

	(void)state;
	assert_int_equal(loop_new(&loop), 0);
	open_end(&end, loop, LOOP_WRITE, stop);
	end.answer = -42;
	assert_int_equal(loop_run(loop), -42);
	close_end(&end);
}

/* Both are ready; whoever is called first removes the other, and itself. */
static int remove_both(void *context, unsigned events)
{
	struct end *end = context;

	(void)events;
	end->calls++;
	loop_remove(end->victim);
	loop_remove(end->source);
	return 0;
}

static void who_is_removed_is_never_called(void **state)
{
	CLEANUP(loop_freep) struct loop *loop = NULL;
	struct loop_timer *timer;
	struct end one, two;

	(void)state;
	assert_int_equal(loop_new(&loop), 0);
	open_end(&one, loop, LOOP_WRITE, remove_both);
	open_end(&two, loop, LOOP_WRITE, remove_both);
	one.victim = two.source;
	two.victim = one.source;
	timer = loop_timer_add(loop, stop_loop, loop);
	loop_timer_set(timer, 20);
	assert_int_equal(loop_run(loop), 0);
	assert_int_equal(one.calls + two.calls, 1);
	one.source = two.source = NULL;
	close_end(&one);
	close_end(&two);
}

static int count(void *context, unsigned events)
{
	struct end *end = context;

	assert_int_equal(events, 0);
	if (++end->calls == 3)
		loop_stop(end->loop);
	else
		loop_timer_set(end->timer, 5);
	return 0;
}

static void timers_fire_once_each_time(void **state)
{
	CLEANUP(loop_freep) struct loop *loop = NULL;
	struct end end = { 0 }, never = { 0 }, gone = { 0 };
	struct loop_timer *stopped, *removed;
	uint64_t start = loop_now();

	(void)state;
	assert_int_equal(loop_new(&loop), 0);
	end.loop = never.loop = gone.loop = loop;
	end.timer = loop_timer_add(loop, count, &end);
	stopped = loop_timer_add(loop, stop, &never);
	removed = loop_timer_add(loop, stop, &gone);
	loop_timer_set(end.timer, 5);
	loop_timer_set(stopped, 1);
	loop_timer_set(stopped, LOOP_NEVER);
	loop_timer_set(removed, 0);
	loop_timer_remove(removed);
	assert_int_equal(loop_run(loop), 0);
	assert_int_equal(end.calls, 3);
	assert_int_equal(never.calls + gone.calls, 0);
	assert_true(loop_now() - start >= 15);
}

/* ---- the service manager ---------------------------------------------------------------------------------------- */

/* A manager that listens where $NOTIFY_SOCKET says; "@" begins a name in the abstract namespace. */
static int manager(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	memcpy(address.sun_path, name, strlen(name));
	if (*name == '@')
		address.sun_path[0] = '\0';
	assert_int_equal(bind(fd, (const struct sockaddr *)&address,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))),
			 0);
	setenv("NOTIFY_SOCKET", name, 1);
	return fd;
}

static void is_told(int fd, const char *expected)
{
	char text[256] = "";

	(void)recv(fd, text, sizeof text - 1, 0);
	assert_string_equal(text, expected);
}

static void manager_hears(void **state)
{
	char path[] = "/tmp/steer-notify-XXXXXX";
	CLEANUP(free_string) char *abstract = text_format("@steer-notify-%d", (int)getpid()), *file = NULL;
	CLEANUP(close_fd) int first = manager(abstract), second = -1;

	(void)state;
	assert_int_equal(notify("READY=1"), 0);
	is_told(first, "READY=1");
	assert_non_null(mkdtemp(path));
	file = text_format("%s/socket", path);
	second = manager(file);
	assert_int_equal(notify("STATUS=a\nRELOADING=1"), 0);
	is_told(second, "STATUS=a\nRELOADING=1");
	is_told(first, "");
	unlink(file);
	rmdir(path);
	assert_true(notify("READY=1") < 0);
	unsetenv("NOTIFY_SOCKET");
	assert_int_equal(notify("READY=1"), 0);
}

static void watchdog_is_fed(void **state)
{
	CLEANUP(free_string) char *name = text_format("@steer-watchdog-%d", (int)getpid());
	CLEANUP(free_string) char *me = text_format("%d", (int)getpid());
	CLEANUP(close_fd) int fd = manager(name);
	CLEANUP(loop_freep) struct loop *loop = NULL;
	struct service *service = NULL;
	struct loop_source *source;
	struct loop_timer *timer;

	(void)state;
	assert_int_equal(loop_new(&loop), 0);
	setenv("WATCHDOG_USEC", "20000", 1);
	setenv("WATCHDOG_PID", me, 1);
	assert_int_equal(service_open(loop, &service), 0);
	assert_int_equal(loop_add(loop, fd, LOOP_READ, stop_loop, loop, &source), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(loop_run(loop), 0);
		is_told(fd, "WATCHDOG=1");
	}
	service_close(service);
	setenv("WATCHDOG_PID", "1", 1); /* another's */
	assert_int_equal(service_open(loop, &service), 0);
	while (recv(fd, &(char){ 0 }, 1, 0) > 0)
		;
	timer = loop_timer_add(loop, stop_loop, loop);
	loop_timer_set(timer, 35);
	assert_int_equal(loop_run(loop), 0);
	is_told(fd, "");
	service_close(service);
	unsetenv("NOTIFY_SOCKET");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_can_be_read_is),
		cmocka_unit_test(what_is_waited_for_can_change),
		cmocka_unit_test(errors_end_it),
		cmocka_unit_test(who_is_removed_is_never_called),
		cmocka_unit_test(timers_fire_once_each_time),
		cmocka_unit_test(manager_hears),
		cmocka_unit_test(watchdog_is_fed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
