/* A captured machine of tests/machines that a test may write to. It lives in a directory of its own and goes with it.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <steer/apply.h>
#include <steer/cleanup.h>

struct captured {
	char *base; /* holds tree/ and run/ */
	char *tree, *run;
	struct host *host;
	struct originals *originals;
};

__attribute__((format(printf, 1, 2))) static inline void captured_run(const char *format, ...)
{
	CLEANUP(free_string) char *command = NULL;
	va_list arguments;

	va_start(arguments, format);
	assert_true(vasprintf(&command, format, arguments) >= 0);
	va_end(arguments);
	assert_int_equal(system(command), 0);
}

static inline struct captured *captured_new(const char *machine)
{
	struct captured *captured = alloc_zero(1, sizeof *captured);
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(free_string) char *problem = NULL;
	char base[] = "/tmp/captured-XXXXXX";

	assert_non_null(mkdtemp(base));
	captured->base = alloc_string(base);
	captured->tree = text_format("%s/tree", base);
	captured->run = text_format("%s/run", base);
	captured_run("mkdir '%s' && python3 '%s/tests/machines/expand' '%s' '%s'", captured->run, SOURCE_DIR, machine,
		     captured->tree);
	assert_int_equal(host_open(captured->tree, HOST_WRITABLE, &captured->host, &problem), 0);
	assert_int_equal(originals_load(captured->run, &captured->originals, &notes), 0);
	return captured;
}

static inline void captured_free(struct captured *captured)
{
	originals_free(captured->originals);
	host_close(captured->host);
	captured_run("rm -r '%s'", captured->base);
	free(captured->tree);
	free(captured->run);
	free(captured->base);
	free(captured);
}

/* What a file of the tree says. */
static inline char *captured_read(struct captured *captured, const char *path)
{
	char *text = NULL;

	assert_int_equal(host_read(captured->host, path, &text), 0);
	return text;
}

static inline void captured_expect(struct captured *captured, const char *path, const char *text)
{
	CLEANUP(free_string) char *is = captured_read(captured, path);

	assert_string_equal(is, text);
}

/* The whole tree as one number, for "nothing but this changed". */
static inline unsigned long captured_sum(struct captured *captured)
{
	CLEANUP(free_string)
	char *command = text_format("cd '%s' && find . -type f ! -name ethtool.json -print0 | sort -z | xargs -0 cksum "
				    "| cksum",
				    captured->tree);
	FILE *in = popen(command, "r");
	unsigned long sum = 0;

	assert_non_null(in);
	assert_int_equal(fscanf(in, "%lu", &sum), 1);
	assert_int_equal(pclose(in), 0);
	return sum;
}

/* Applies a policy; something is to do, and all of it is done. */
static inline void captured_apply(struct captured *captured, const char *text)
{
	CLEANUP(report_clear) struct report report = { 0 };
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };

	assert_int_equal(policy_parse("test.ini", text, &policy, &notes), 0);
	assert_int_equal(reconcile(captured->host, policy, captured->originals, NULL, &report), 0);
	assert_false(report_failed(&report));
	assert_true(report.writes > 0);
}
