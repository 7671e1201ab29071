/* Policies in files: directories, what is no policy file, who may write it; and the ones that are shipped. */
#include <errno.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/policy.h>

/* ---- a directory of its own for each test ----------------------------------------------------------------------- */

static int enter(void **state)
{
	char *directory = alloc_string("/tmp/steer-policy-XXXXXX");

	*state = mkdtemp(directory);
	return *state && chdir(directory) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	glob_t found;

	if (glob("*", 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			(void)remove(found.gl_pathv[i]);
		globfree(&found);
	}
	(void)chdir("/");
	(void)rmdir(*state);
	free(*state);
	return 0;
}

static void put(const char *name, const char *text, size_t length)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static char *all_notes(const struct notes *notes)
{
	CLEANUP(strings_clear) struct strings texts = { 0 };

	for (size_t i = 0; i < notes->n; i++)
		strings_take(&texts, note_text(&notes->items[i]));
	return strings_join(&texts, "\n");
}

static void load_refused(const char *path, int result, const char *expected)
{
	struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(free_string) char *told = NULL;

	assert_int_equal(policy_load(path, &policy, &notes), result);
	assert_null(policy);
	told = all_notes(&notes);
	assert_string_equal(told, expected);
}

/* ---- files and directories -------------------------------------------------------------------------------------- */

static void what_is_no_file(void **state)
{
	(void)state;
	load_refused("absent.ini", -ENOENT, "absent.ini: error: can't be opened: No such file or directory");
	load_refused("/dev/null", -EINVAL, "/dev/null: error: is a device, not a file");
	load_refused(".", -EINVAL, ".: error: no *.ini file in this directory");
	assert_int_equal(mkfifo("pipe.ini", 0600), 0);
	load_refused("pipe.ini", -EINVAL,
		     "pipe.ini: error: is a pipe, not a file"); /* and does not wait for a writer */
}

static void binary_files_are_one_error(void **state)
{
	(void)state;
	put("a.ini", "[nic a]\n\0\0\0\n\0\n", 13);
	load_refused("a.ini", -EINVAL, "a.ini:2:1: error: not a text file: byte 0x00 here is no UTF-8 text");
}

static void size_has_a_limit(void **state)
{
	CLEANUP(free_string) char *text = alloc_zero((1 << 20) + 1, 1);

	(void)state;
	memset(text, '\n', (1 << 20) + 1);
	put("a.ini", text, (1 << 20) + 1);
	load_refused("a.ini", -EINVAL, "a.ini: error: is larger than 1048576 bytes");
}

static void directories_are_one_policy(void **state)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };

	(void)state;
	put("10.ini", "[nic ten]\nmatch.name = a\nrps = off\n", 35);
	put("2.ini", "[nic two]\nmatch.name = a\nrps = off\n", 35);
	put("3.conf", "nonsense", 8);
	put(".1.ini", "nonsense", 8);
	assert_int_equal(policy_load(*state, &policy, &notes), 0);
	assert_int_equal(notes.n, 0);
	assert_int_equal(policy->nsections, 2);
	assert_string_equal(policy->sections[0].name, "two"); /* natural order */
	assert_string_equal(policy->sections[1].name, "ten");
	assert_non_null(strstr(policy->sections[0].at.file, "/2.ini"));
	assert_int_equal(policy->sections[1].at.line, 1);
	assert_string_equal(policy->name, *state);
	assert_int_equal(remove(".1.ini"), 0);
}

static void equal_headers_in_two_files(void **state)
{
	(void)state;
	put("1.ini", "[nic a]\nrps = off\n", 18);
	put("2.ini", "\n[nic a]\nrps = of\n", 18);
	load_refused("./", -EINVAL,
		     "./2.ini:2:1: error: [nic a] is a second time here, first in ./1.ini:1\n"
		     "./2.ini:3:7: error: rps: unknown word 'of' (did you mean 'off'?)");
}

/* ---- trust ------------------------------------------------------------------------------------------------------ */

static void only_its_owner_may_write(void **state)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(free_string) char *path = text_format("%s/a.ini", (char *)*state), *told = NULL, *expected = NULL;

	put("a.ini", "[nic a]\nrps = off\n", 18);
	assert_int_equal(chmod("a.ini", 0644), 0);
	assert_int_equal(policy_trusted("a.ini", &notes), 0);
	assert_int_equal(policy_trusted(".", &notes), 0); /* each file of it */
	assert_int_equal(notes.n, 0);
	assert_int_equal(chmod("a.ini", 0664), 0);
	assert_int_equal(policy_trusted(".", &notes), -EPERM);
	assert_int_equal(chmod("a.ini", 0646), 0);
	assert_int_equal(policy_trusted("a.ini", &notes), -EPERM);
	assert_int_equal(chmod("a.ini", 0644), 0);
	assert_int_equal(chmod(".", 0777), 0); /* anyone may put another file in its place */
	assert_int_equal(policy_trusted("a.ini", &notes), -EPERM);
	assert_int_equal(chmod(".", 01777), 0); /* as /tmp */
	assert_int_equal(policy_trusted("a.ini", &notes), 0);
	assert_int_equal(chmod(".", 0700), 0);
	told = all_notes(&notes);
	expected = text_format("%s: error: may be written by its group (whoever can write it can steer this machine)\n"
			       "%s: error: may be written by everyone (whoever can write it can steer this machine)\n"
			       "%s: error: may be written by everyone (whoever can write it can steer this machine)",
			       path, path, (char *)*state);
	assert_string_equal(told, expected);
}

static void strangers_files_are_not_obeyed(void **state)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };

	(void)state;
	put("a.ini", "[nic a]\nrps = off\n", 18);
	if (chown("a.ini", 12345, 0) < 0)
		skip(); /* only root can give a file away */
	assert_int_equal(symlink("a.ini", "link.ini"), 0);
	assert_int_equal(policy_trusted("link.ini", &notes), -EPERM); /* behind the link */
	assert_string_equal(notes.items[0].text, "belongs to user 12345");
	assert_int_equal(policy_trusted("absent.ini", &notes), -ENOENT);
}

/* ---- the shipped policies --------------------------------------------------------------------------------------- */

static void shipped_policies_are_read_and_printed(void **state)
{
	glob_t found;

	(void)state;
	assert_int_equal(glob(SOURCE_DIR "/etc/*.ini", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 6);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		CLEANUP(policy_freep) struct policy *policy = NULL, *again = NULL;
		CLEANUP(notes_clear) struct notes notes = { 0 };
		CLEANUP(free_string) char *printed = NULL, *twice = NULL;

		assert_int_equal(policy_load(found.gl_pathv[i], &policy, &notes), 0);
		assert_int_equal(notes.n, 0);
		assert_non_null(policy->description);
		printed = policy_text(policy);
		assert_int_equal(policy_parse("again", printed, &again, &notes), 0);
		twice = policy_text(again);
		assert_string_equal(twice, printed);
	}
	globfree(&found);
}

static void auto_is_built_in(void **state)
{
	CLEANUP(policy_freep) struct policy *built_in = NULL, *file = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(free_string) char *a = NULL, *b = NULL;

	(void)state;
	assert_int_equal(policy_builtin(&built_in), 0);
	assert_int_equal(policy_load(SOURCE_DIR "/etc/auto.ini", &file, &notes), 0);
	a = policy_text(built_in);
	b = policy_text(file);
	assert_string_equal(a, b);
	assert_string_equal(built_in->name, "auto (built in)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_no_file, enter, leave),
		cmocka_unit_test_setup_teardown(binary_files_are_one_error, enter, leave),
		cmocka_unit_test_setup_teardown(size_has_a_limit, enter, leave),
		cmocka_unit_test_setup_teardown(directories_are_one_policy, enter, leave),
		cmocka_unit_test_setup_teardown(equal_headers_in_two_files, enter, leave),
		cmocka_unit_test_setup_teardown(only_its_owner_may_write, enter, leave),
		cmocka_unit_test_setup_teardown(strangers_files_are_not_obeyed, enter, leave),
		cmocka_unit_test_setup_teardown(shipped_policies_are_read_and_printed, enter, leave),
		cmocka_unit_test_setup_teardown(auto_is_built_in, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
