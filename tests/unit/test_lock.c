/* The lock: one writer at a time, and the others learn who it is. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <steer/apply.h>
#include <steer/cleanup.h>

static int setup(void **state)
{
	char base[] = "/tmp/lock-XXXXXX";

	if (!mkdtemp(base))
		return -1;
	*state = text_format("%s/run", base);
	return 0;
}

static int teardown(void **state)
{
	CLEANUP(free_string) char *run = *state;
	CLEANUP(free_string) char *lock = text_format("%s/lock", run);

	(void)unlink(lock);
	(void)rmdir(run);
	*strrchr(run, '/') = '\0';
	return rmdir(run);
}

static void directory_is_made(void **state)
{
	CLEANUP(lock_releasep) struct lock *lock = NULL;
	struct stat status;
	int holder = 0;

	assert_int_equal(lock_take(*state, &lock, &holder), 0);
	assert_int_equal(stat(*state, &status), 0);
	assert_true(S_ISDIR(status.st_mode));
	assert_int_equal(status.st_mode & 0022, 0);
}

static void free_again_after_release(void **state)
{
	int holder = 0;

	for (int i = 0; i < 2; i++) {
		struct lock *lock = NULL;

		assert_int_equal(lock_take(*state, &lock, &holder), 0);
		lock_release(lock);
	}
	lock_release(NULL);
}

/* Another process holds it until its end of the pipe closes. */
static void holder_is_named(void **state)
{
	CLEANUP(lock_releasep) struct lock *lock = NULL;
	int holder = 0, ready[2], end[2];
	char c;
	pid_t child;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(end), 0);
	child = fork();
	if (child == 0) {
		struct lock *mine;

		close(end[1]);
		if (lock_take(*state, &mine, &holder) < 0 || write(ready[1], "!", 1) != 1)
			_exit(1);
		_exit(read(end[0], &c, 1) == 0 ? 0 : 1);
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_int_equal(lock_take(*state, &lock, &holder), -EAGAIN);
	assert_int_equal(holder, child);
	assert_null(lock);

	close(end[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(lock_take(*state, &lock, &holder), 0);
	close(ready[0]);
	close(ready[1]);
	close(end[0]);
}

static void no_place_for_it(void **state)
{
	CLEANUP(free_string) char *deep = text_format("%s/no/such", (char *)*state);
	struct lock *lock = NULL;
	int holder = 0;

	assert_int_equal(lock_take(deep, &lock, &holder), -ENOENT);
	assert_int_equal(lock_take("/dev/null", &lock, &holder), -ENOTDIR);
}

/* A link that someone put in its place is not followed. */
static void link_is_refused(void **state)
{
	CLEANUP(free_string) char *path = text_format("%s/lock", (char *)*state);
	struct lock *lock = NULL;
	int holder = 0;

	assert_int_equal(mkdir(*state, 0755), 0);
	assert_int_equal(symlink("../elsewhere", path), 0);
	assert_int_equal(lock_take(*state, &lock, &holder), -ELOOP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(directory_is_made, setup, teardown),
		cmocka_unit_test_setup_teardown(free_again_after_release, setup, teardown),
		cmocka_unit_test_setup_teardown(holder_is_named, setup, teardown),
		cmocka_unit_test_setup_teardown(no_place_for_it, setup, teardown),
		cmocka_unit_test_setup_teardown(link_is_refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
