/* daemon_asked: what a running daemon does when it is asked, on veth devices in a network namespace of this program's
 * own.
 *
 * Exit status 77: namespaces cannot be made here. */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/daemon.h>
#include <steer/log.h>
#include <steer/text.h>

enum { LIMIT = 10 * 1000 };

#define RPS "sys/class/net/near/queues/rx-0/rps_cpus"
#define POLICY "[nic pair]\nmatch.name = near\nrps = 0\n"

struct scene {
	struct loop *loop;
	struct host *host;
	struct originals *originals;
	struct daemon *daemon;
	const char *policy;
	unsigned events, reports, notes; /* heard */
};

/* ---- the scene -------------------------------------------------------------------------------------------------- */

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
	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 || mount("sysfs", "/sys", "sysfs", 0, NULL) < 0 ||
	    mount("tmpfs", "/run", "tmpfs", 0, NULL) < 0)
		leave("no /sys and /run of its own");
	if (system("ip link add probe type veth && ip link del probe") != 0)
		leave("no veth devices");
	run("mkdir /run/steerd");
}

static int load(void *context, struct policy **ret, struct notes *notes)
{
	const struct scene *scene = context;

	return policy_parse("test.ini", scene->policy, ret, notes);
}

static void hear(void *context, const struct happening *happening)
{
	struct scene *scene = context;

	scene->events += happening->event != NULL;
	scene->reports += happening->report != NULL;
	scene->notes += happening->note != NULL;
}

static int set_up(void **state)
{
	struct scene *scene = alloc_zero(1, sizeof *scene);
	struct notes notes = { 0 };
	char *problem = NULL;

	run("ip link add near numrxqueues 2 type veth peer name far");
	assert_int_equal(loop_new(&scene->loop), 0);
	assert_int_equal(host_open("/", HOST_WRITABLE, &scene->host, &problem), 0);
	assert_int_equal(originals_load("/run/steerd", &scene->originals, &notes), 0);
	scene->policy = POLICY;
	assert_int_equal(daemon_open(&(struct daemon_setup){ .loop = scene->loop,
							     .host = scene->host,
							     .originals = scene->originals,
							     .load = load,
							     .context = scene },
				     &scene->daemon),
			 0);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	daemon_close(scene->daemon);
	originals_free(scene->originals);
	host_close(scene->host);
	loop_free(scene->loop);
	free(scene);
	run("ip link del near && rm -f /run/steerd/originals.json");
	return 0;
}

/* ---- help ------------------------------------------------------------------------------------------------------- */

static unsigned rps(struct scene *scene)
{
	CLEANUP(free_string) char *text = NULL;

	assert_int_equal(host_read(scene->host, RPS, &text), 0);
	return (unsigned)strtoul(text, NULL, 16);
}

static int stop(void *context, unsigned events)
{
	(void)events;
	loop_stop(context);
	return 0;
}

/* Lets the daemon do what it does for so long. */
static void live(struct scene *scene, int64_t milliseconds)
{
	struct loop_timer *timer = loop_timer_add(scene->loop, stop, scene->loop);

	loop_timer_set(timer, milliseconds);
	assert_int_equal(loop_run(scene->loop), 0);
	loop_timer_remove(timer);
}

static void wait_for_rps(struct scene *scene, unsigned mask)
{
	uint64_t end = loop_now() + LIMIT;

	while (rps(scene) != mask) {
		assert_true(loop_now() < end);
		live(scene, 10);
	}
}

static struct daemon_status status(struct scene *scene)
{
	struct daemon_status it;

	daemon_status(scene->daemon, &it);
	return it;
}

static size_t problems(struct scene *scene)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };

	daemon_problems(scene->daemon, &notes);
	return notes.n;
}

/* ---- what is asked ---------------------------------------------------------------------------------------------- */

static void applies(void **state)
{
	CLEANUP(report_clear) struct report report = { 0 };
	struct scene *scene = *state;

	assert_int_equal(rps(scene), 1);
	assert_int_equal(host_write(scene->host, RPS, "2"), 0);
	assert_int_equal(daemon_apply(scene->daemon, &report), 0);
	assert_int_equal(report.writes, 1);
	assert_int_equal(rps(scene), 1);
	assert_int_equal(status(scene).counts.drift, 1);
	assert_int_equal(status(scene).writes, 2 + 1);
	assert_int_equal(problems(scene), 0);
}

static void reverts_and_holds(void **state)
{
	CLEANUP(report_clear) struct report report = { 0 };
	struct scene *scene = *state;

	assert_int_equal(daemon_revert(scene->daemon, NULL, &report), 0);
	assert_int_equal(rps(scene), 0);
	assert_true(status(scene).held);
	daemon_listen(scene->daemon, hear, scene);
	run("ip link set near up");
	live(scene, 1500); /* longer than any burst is waited for */
	assert_true(scene->events > 0);
	assert_int_equal(rps(scene), 0);
	daemon_hold(scene->daemon, false);
	wait_for_rps(scene, 1);
	assert_int_equal(status(scene).counts.drift, 0);
	assert_false(status(scene).held);
	assert_true(scene->reports == 1 && scene->notes >= 1);
}

static void a_hold_ends_when_something_is_asked(void **state)
{
	CLEANUP(report_clear) struct report first = { 0 }, second = { 0 };
	struct scene *scene = *state;

	assert_int_equal(daemon_revert(scene->daemon, NULL, &first), 0);
	assert_int_equal(daemon_apply(scene->daemon, &second), 0);
	assert_true(rps(scene) == 1 && !status(scene).held);
	daemon_hold(scene->daemon, true);
	scene->policy = "[nic pair]\nmatch.name = near\nrps = 1\n";
	assert_int_equal(daemon_reload(scene->daemon), 0);
	wait_for_rps(scene, 2);
	assert_int_equal(status(scene).counts.drift, 0);
}

static void keeps_the_last_good_policy(void **state)
{
	struct scene *scene = *state;
	CLEANUP(notes_clear) struct notes notes = { 0 };

	scene->policy = "[nic pair]\nmatch.name = near\nrsp = 1\n";
	assert_int_equal(daemon_reload(scene->daemon), -EINVAL);
	assert_true(status(scene).policy_refused);
	daemon_problems(scene->daemon, &notes);
	assert_int_equal(notes.n, 1);
	assert_string_equal(notes.items[0].file, "test.ini");
	assert_int_equal(notes.items[0].line, 3);
	assert_int_equal(daemon_policy(scene->daemon)->nsections, 1);
	run("ip link del near && ip link add near numrxqueues 2 type veth peer name far");
	wait_for_rps(scene, 1);
	scene->policy = POLICY;
	assert_int_equal(daemon_reload(scene->daemon), 0);
	assert_false(status(scene).policy_refused);
	assert_int_equal(problems(scene), 0);
}

static void tells_what_it_leaves_alone(void **state)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };
	struct scene *scene = *state;

	for (unsigned round = 0; round < 5; round++) {
		CLEANUP(report_clear) struct report report = { 0 };

		assert_int_equal(host_write(scene->host, RPS, "2"), 0);
		assert_int_equal(daemon_apply(scene->daemon, &report), 0);
	}
	daemon_findings(scene->daemon, &findings);
	assert_int_equal(findings.n, 1);
	assert_string_equal(findings.items[0].device, "near");
	assert_int_equal(daemon_spared(scene->daemon)->n, 2); /* both queues */
	assert_int_equal(status(scene).counts.fights, 1);
	assert_int_equal(problems(scene), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(applies, set_up, tear_down),
		cmocka_unit_test_setup_teardown(reverts_and_holds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_hold_ends_when_something_is_asked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(keeps_the_last_good_policy, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tells_what_it_leaves_alone, set_up, tear_down),
	};

	enter_namespace();
	log_set_level(LOG_LEVEL_ERROR);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
