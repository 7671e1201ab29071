/* CPU expressions: what is read and printed back, what is refused and where. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/policy.h>

static void reads_as(const char *text, const char *canonical)
{
	struct cpuexpr *expr = NULL, *again = NULL;
	CLEANUP(free_string) char *problem = NULL, *printed = NULL, *twice = NULL;
	unsigned column = 0;

	if (cpuexpr_parse(text, &expr, &problem, &column) < 0)
		fail_msg("'%s' is refused: %s", text, problem);
	printed = cpuexpr_text(expr);
	assert_string_equal(printed, canonical);
	assert_int_equal(cpuexpr_parse(printed, &again, &problem, &column), 0);
	twice = cpuexpr_text(again);
	assert_string_equal(twice, canonical);
	cpuexpr_free(expr);
	cpuexpr_free(again);
}

static void refused(const char *text, unsigned at, const char *why)
{
	struct cpuexpr *expr = (struct cpuexpr *)1;
	CLEANUP(free_string) char *problem = NULL;
	unsigned column = 0;

	if (cpuexpr_parse(text, &expr, &problem, &column) == 0)
		fail_msg("'%s' is read", text);
	assert_ptr_equal(expr, (struct cpuexpr *)1); /* untouched */
	if (!strstr(problem, why) || column != at)
		fail_msg("'%s': column %u: %s", text, column, problem);
}

static void words(void **state)
{
	static const char *const canonical[] = {
		"all",          "online",       "none",
		"local",        "remote",       "isolated",
		"housekeeping", "irq-cpus",     "cpus",
		"node:3",       "package:1",    "llc:12",
		"0-19",         "0-3,8,40",     "N",
		"4-N",          "0-31:2/4",     "mask:ff",
		"cores(local)", "threads(0-3)", "first(2, local)",
		"last(1, all)", "skip(0, all)", "spread(4, all)",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(canonical); i++)
		reads_as(canonical[i], canonical[i]);
	reads_as("lacking(cores(local))", "lacking(cores(local))");
	reads_as(" cores( local ) ", "cores(local)");
	reads_as("0-3, 8", "0-3,8");
	reads_as("7-7", "7");
	reads_as("first( 2 ,0-3,8)",
		 "first(2, 0-3,8)"); /* the first comma ends the number, the others are the list's */
	reads_as("first(2, mask:1,00000000)", "first(2, mask:1,00000000)");
	reads_as("mask:0,0", "none");
	reads_as("cores(threads(first(2, (local))))", "cores(threads(first(2, local)))");
}

static void operators_go_from_left_to_right(void **state)
{
	(void)state;
	reads_as("local+node:1&housekeeping", "local + node:1 & housekeeping");
	reads_as("(local + node:1) & housekeeping", "local + node:1 & housekeeping");
	reads_as("local + (node:1 & housekeeping)", "local + (node:1 & housekeeping)");
	reads_as("all - (0 + 1)", "all - (0 + 1)");
	reads_as("((all))", "all");
}

/* "-" is a range between two numbers, an operator beside a word or between blanks, and nothing else. */
static void minus(void **state)
{
	(void)state;
	reads_as("0-19 - 4", "0-19 - 4");
	reads_as("all-isolated", "all - isolated");
	reads_as("housekeeping-irq-cpus", "housekeeping - irq-cpus");
	reads_as("all-4", "all - 4");
	reads_as("0-isolated", "0 - isolated");
	reads_as("0-(1+2)", "0 - (1 + 2)");
	reads_as("(0-3)-1", "0-3 - 1");
	reads_as("4-N - N", "4-N - N");
	refused("0-19-4", 5, "a range has two ends");
	refused("0-19 -4", 6, "subtracts with two");
	refused("0- 19", 1, "'0-' lacks its end");
	refused("0-", 1, "'0-' lacks its end");
}

static void nonsense(void **state)
{
	(void)state;
	refused("", 1, "CPUs are missing at the end");
	refused("cores(", 7, "CPUs are missing at the end");
	refused("cores()", 7, "CPUs are missing before ')'");
	refused("cores(local", 12, "')' is missing");
	refused("cores local", 6, "in parentheses: 'cores(local)'");
	refused("(local", 7, "')' is missing");
	refused("local)", 6, "')' does not belong here");
	refused("local(0)", 6, "'(0)' does not belong here");
	refused("lcoal", 1, "did you mean 'local'?");
	refused("all - irq-cpu", 7, "did you mean 'irq-cpus'?");
	refused("all + frist(2, all)", 7, "did you mean 'first'?");
	refused("spread", 7, "'spread(2, local)'");
	refused("first(0, all)", 7, "first 0: must be 1 to 8192");
	refused("first(all)", 7, "first needs a number, not 'all)'");
	refused("first(2 all)", 9, "',' is missing");
	refused("first(2,)", 9, "CPUs are missing before ')'");
	refused("9999", 1, "CPU 9999: must be 0 to 8191");
	refused("0-8192", 3, "CPU 8192");
	refused("99999999999999999999", 1, "must be 0 to 8191");
	refused("3-1", 1, "'3-1' runs backwards");
	refused("N-4", 1, "'N-4' runs backwards");
	refused("0,,1", 3, "a CPU number is missing");
	refused("0,", 3, "a CPU number is missing");
	refused("0-3,node:1", 5, "'+' joins words");
	refused("0-3 5", 5, "',' joins numbers");
	refused("3x", 2, "'x' is no part");
	refused("0-7:0/4", 5, "must be 1");
	refused("0-7:5/4", 4, "can't use 5 CPUs of each 4");
	refused("0-7:2", 6, "USED/GROUP");
	refused("node:x", 6, "node needs a number, not 'x'");
	refused("node:1024", 6, "must be 0 to 1023");
	refused("node", 5, "'node:0'");
	refused("llc: 1", 5, "needs a number");
	refused("mask:", 6, "is no CPU mask");
	refused("mask:fg", 6, "'fg' is no CPU mask");
	refused("mask:f,,f", 6, "is no CPU mask");
	refused("+ all", 1, "CPUs are missing before '+'");
	refused("all +", 6, "CPUs are missing at the end");
	refused("all ++ 1", 6, "CPUs are missing before '+'");
	refused("\"0-3\"", 1, "CPUs are missing before '\"'");
	refused("-3", 1, "CPUs are missing before '-'");
	refused("all \xc3\xa4", 5, "does not belong here");
}

static void depth_has_a_limit(void **state)
{
	char text[4096];

	(void)state;
	memset(text, '(', 2000);
	text[2000] = '\0';
	refused(text, 33, "more than 32 parentheses deep");
	for (size_t i = 0; i < 1000; i++)
		memcpy(text + 2 * i, "0+", 3);
	refused(text, 514, "more than 256 operators");
}

/* What fits a line of the policy fits again when it is printed, however little room it had. */
static void long_ones_are_printed_tight(void **state)
{
	CLEANUP(free_string) char *text = alloc_string("0"), *printed = NULL, *problem = NULL;
	struct cpuexpr *expr;
	unsigned column;

	(void)state;
	for (size_t i = 0; i < 30; i++) {
		CLEANUP(free_string) char *before = TAKE(text);

		text = text_format("%s+all-1 - 2", before);
	}
	assert_int_equal(cpuexpr_parse(text, &expr, &problem, &column), 0);
	printed = cpuexpr_text(expr);
	assert_string_equal(printed, text);
	cpuexpr_free(expr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(operators_go_from_left_to_right),
		cmocka_unit_test(minus),
		cmocka_unit_test(nonsense),
		cmocka_unit_test(depth_has_a_limit),
		cmocka_unit_test(long_ones_are_printed_tight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
