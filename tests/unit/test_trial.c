/* A trial: what it changed goes back, what was changed before it stays, and what is known of both survives. */
#include "captured.h"

#include <errno.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

static const char before_policy[] =
	"[nic uplinks]\nmatch.driver = mlx5_core\nchannels = 20\nrps = 3\nxps = follow-irq\n";
static const char tried_policy[] = "[nic uplinks]\nmatch.driver = mlx5_core\nchannels = 8\nirq = spread\nrps = 5\n"
				   "ring.rx = max\npause = off\n[nic other]\nmatch.driver = igb\nrps = 1\n";

static int setup(void **state)
{
	*state = captured_new("c240");
	return 0;
}

static int teardown(void **state)
{
	captured_free(*state);
	return 0;
}

/* As if whoever held them had been killed. */
static void forget_and_load(struct captured *captured)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };

	originals_free(captured->originals);
	assert_int_equal(originals_load(captured->run, &captured->originals, &notes), 0);
	assert_int_equal(notes.n, 0);
}

static void undo(struct captured *captured)
{
	CLEANUP(report_clear) struct report report = { 0 };

	assert_int_equal(trial_undo(captured->host, captured->originals, &report), 0);
	assert_false(report_failed(&report));
	assert_false(trial_is_on(captured->originals));
	assert_false(trial_is_noted(captured->run));
}

static void go_back(struct captured *captured)
{
	CLEANUP(report_clear) struct report report = { 0 };

	assert_int_equal(revert(captured->host, captured->originals, NULL, &report), 0);
	assert_false(report_failed(&report));
	assert_int_equal(originals_count(captured->originals), 0);
}

static void goes_back_to_what_was_there_before_it(void **state)
{
	struct captured *captured = *state;
	unsigned long first = captured_sum(captured), before;
	size_t remembered;

	captured_apply(captured, before_policy);
	before = captured_sum(captured);
	remembered = originals_count(captured->originals);
	assert_int_equal(trial_begin(captured->originals), 0);
	assert_true(trial_is_on(captured->originals));
	captured_apply(captured, tried_policy);
	assert_true(originals_count(captured->originals) > remembered);
	undo(captured);
	assert_int_equal(captured_sum(captured), before);
	assert_int_equal(originals_count(captured->originals), remembered); /* as if it never had been */
	go_back(captured);
	assert_int_equal(captured_sum(captured), first);
}

static void what_is_kept_stays(void **state)
{
	struct captured *captured = *state;
	unsigned long first = captured_sum(captured), tried;

	assert_int_equal(trial_begin(captured->originals), 0);
	captured_apply(captured, tried_policy);
	tried = captured_sum(captured);
	assert_int_equal(trial_keep(captured->originals), 0);
	assert_false(trial_is_noted(captured->run));
	assert_false(trial_was_cut_off(captured->originals));
	assert_int_equal(captured_sum(captured), tried);
	forget_and_load(captured);
	go_back(captured);
	assert_int_equal(captured_sum(captured), first);
}

static void one_that_was_cut_off_is_not_forgotten(void **state)
{
	struct captured *captured = *state;
	unsigned long first = captured_sum(captured), before;

	captured_apply(captured, before_policy);
	before = captured_sum(captured);
	assert_int_equal(trial_begin(captured->originals), 0);
	captured_apply(captured, tried_policy);
	forget_and_load(captured);
	assert_true(trial_was_cut_off(captured->originals));
	assert_int_equal(trial_begin(captured->originals), -EEXIST);
	undo(captured);
	assert_int_equal(captured_sum(captured), before);
	go_back(captured);
	assert_int_equal(captured_sum(captured), first);
}

static void one_that_changed_nothing_is_noted_too(void **state)
{
	struct captured *captured = *state;

	assert_int_equal(trial_begin(captured->originals), 0);
	forget_and_load(captured);
	assert_true(trial_was_cut_off(captured->originals));
	undo(captured);
}

/* ---- waiting ---------------------------------------------------------------------------------------------------- */

static void confirmed_before_and_after_the_time(void **state)
{
	struct captured *captured = *state;

	assert_int_equal(trial_confirm(captured->run), -ENOENT);
	assert_int_equal(trial_begin(captured->originals), 0);
	assert_int_equal(trial_confirm(captured->run), 0);
	assert_int_equal(trial_wait(captured->originals, 3600), 1);
	assert_int_equal(trial_keep(captured->originals), 0);

	assert_int_equal(trial_begin(captured->originals), 0);
	assert_int_equal(trial_wait(captured->originals, 0), 0);
	assert_int_equal(trial_confirm(captured->run), -EEXIST); /* it goes back already */
	undo(captured);
}

static void confirmed_by_another_process(void **state)
{
	struct captured *captured = *state;
	pid_t child;

	assert_int_equal(trial_begin(captured->originals), 0);
	child = fork();
	if (child == 0)
		_exit(trial_confirm(captured->run) < 0);
	assert_int_equal(trial_wait(captured->originals, 3600), 1);
	assert_int_equal(trial_keep(captured->originals), 0);
}

static void told_to_stop(void **state)
{
	struct captured *captured = *state;
	sigset_t set, before;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &before);
	assert_int_equal(trial_begin(captured->originals), 0);
	assert_int_equal(kill(getpid(), SIGTERM), 0);
	assert_int_equal(trial_wait(captured->originals, 3600), 0);
	undo(captured);
	assert_int_equal(sigwaitinfo(&set, NULL), SIGTERM);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(goes_back_to_what_was_there_before_it, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_kept_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_was_cut_off_is_not_forgotten, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_changed_nothing_is_noted_too, setup, teardown),
		cmocka_unit_test_setup_teardown(confirmed_before_and_after_the_time, setup, teardown),
		cmocka_unit_test_setup_teardown(confirmed_by_another_process, setup, teardown),
		cmocka_unit_test_setup_teardown(told_to_stop, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
