/* Notes: one line each, with place, level, subject and hint where they are known. Log: no priority but for the journal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/log.h>
#include <steer/text.h>

static void expect_text(const struct note *note, const char *expected)
{
	CLEANUP(free_string) char *text = note_text(note);

	assert_string_equal(text, expected);
}

static void texts(void **state)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	struct note *note = notes_add(&notes, NOTE_ERROR, NULL, "unknown key '%s'", "chanels");

	(void)state;
	expect_text(note, "error: unknown key 'chanels'");
	note->file = alloc_string("a.ini");
	expect_text(note, "a.ini: error: unknown key 'chanels'");
	note->line = 3;
	expect_text(note, "a.ini:3: error: unknown key 'chanels'");
	note->column = 7;
	note->hint = alloc_string("did you mean 'channels'?");
	expect_text(note, "a.ini:3:7: error: unknown key 'chanels' (did you mean 'channels'?)");
	expect_text(notes_add(&notes, NOTE_WARNING, "eth0", "is down"), "warning: eth0: is down");
}

static void lists(void **state)
{
	CLEANUP(notes_clear) struct notes notes = { 0 }, more = { 0 };

	(void)state;
	notes_add(&notes, NOTE_INFO, NULL, "one");
	notes_add(&more, NOTE_WARNING, NULL, "two");
	notes_move(&notes, &more);
	assert_int_equal(notes.n, 2);
	assert_int_equal(more.n, 0);
	assert_true(notes_have(&notes, NOTE_WARNING));
	assert_false(notes_have(&notes, NOTE_ERROR));
}

/* Logs one line into a file, with a JOURNAL_STREAM that names this file or another, and returns what was written. */
static char *logged(bool is_journal)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	char text[64] = "";
	struct stat is;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &is), 0);
	CLEANUP(free_string)
	char *stream = text_format("%ju:%ju", (uintmax_t)is.st_dev, (uintmax_t)is.st_ino + (is_journal ? 0 : 1));
	setenv("JOURNAL_STREAM", stream, 1);
	dup2(fileno(file), STDERR_FILENO);
	log_warning("careful");
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	assert_non_null(fgets(text, sizeof text, file));
	fclose(file);
	return alloc_string(text);
}

static void priorities(void **state)
{
	CLEANUP(free_string) char *journal = logged(true), *elsewhere = logged(false);

	(void)state;
	assert_string_equal(journal, "<4>careful\n");
	assert_string_equal(elsewhere, "careful\n");
}

static void levels(void **state)
{
	enum log_level level;

	(void)state;
	assert_int_equal(log_level_parse("warning", &level), 0);
	assert_int_equal(level, LOG_LEVEL_WARNING);
	assert_true(log_level_parse("loud", &level) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(lists),
		cmocka_unit_test(priorities),
		cmocka_unit_test(levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
