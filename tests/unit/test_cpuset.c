/* CPU sets: both kernel texts, read and printed, at the widths where masks break. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/cpuset.h>

static void list_round_trip(const char *text, const char *printed)
{
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	CLEANUP(free_string) char *again = NULL;

	assert_int_equal(cpuset_parse_list(text, &set), 0);
	again = cpuset_list(set);
	assert_string_equal(again, printed);
}

static void list_refused(const char *text, int error)
{
	cpuset *set = (cpuset *)1;

	assert_int_equal(cpuset_parse_list(text, &set), error);
	assert_ptr_equal(set, (cpuset *)1); /* untouched */
}

static void lists(void **state)
{
	(void)state;
	list_round_trip("", "");
	list_round_trip("\n", "");
	list_round_trip("0", "0");
	list_round_trip("0-3,8", "0-3,8");
	list_round_trip("8,0-3,2\n", "0-3,8");
	list_round_trip("0,1,2", "0-2");
	list_round_trip("0-7:2/4", "0-1,4-5");
	list_round_trip("3-3", "3");
	list_round_trip("8191", "8191");
	list_refused("0-", -EINVAL);
	list_refused("-3", -EINVAL);
	list_refused("3-1", -EINVAL);
	list_refused("0,,1", -EINVAL);
	list_refused("0,", -EINVAL);
	list_refused("0 1", -EINVAL);
	list_refused("0x3", -EINVAL);
	list_refused("0-7:0/4", -EINVAL);
	list_refused("0-7:5/4", -EINVAL);
	list_refused("0-7:1/0", -EINVAL);
	list_refused("8192", -ERANGE);
	list_refused("99999999999999999999", -ERANGE);
}

static void mask_of(const char *text, const char *list)
{
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	CLEANUP(free_string) char *printed = NULL;

	assert_int_equal(cpuset_parse_mask(text, &set), 0);
	printed = cpuset_list(set);
	assert_string_equal(printed, list);
}

static void masks(void **state)
{
	cpuset *set;

	(void)state;
	mask_of("0", "");
	mask_of("00000000,00000000", "");
	mask_of("e\n", "1-3");
	mask_of("0xff", "0-7");
	mask_of("FF,00000000", "32-39");
	mask_of("00,00100000", "20");
	mask_of("1,0,0", "64");        /* short groups, as a person writes them */
	mask_of("ffffc0000", "18-35"); /* no comma at all */
	mask_of("00000010,00000000,00000000,00000000", "100");
	assert_int_equal(cpuset_parse_mask("", &set), -EINVAL);
	assert_int_equal(cpuset_parse_mask("0x", &set), -EINVAL);
	assert_int_equal(cpuset_parse_mask("fg", &set), -EINVAL);
	assert_int_equal(cpuset_parse_mask("f,,f", &set), -EINVAL);
	assert_int_equal(cpuset_parse_mask(",f", &set), -EINVAL);
	assert_int_equal(cpuset_parse_mask("1ffffffff,0", &set), -EINVAL);
}

/* Machines of 31, 32, 33, ... CPUs: tools have printed 0, or the wrong half, at each of these. */
static void mask_widths(void **state)
{
	static const struct {
		unsigned ids;
		const char *last, *none;
	} cases[] = {
		{ 1, "1", "0" },
		{ 4, "8", "0" },
		{ 5, "10", "00" },
		{ 31, "40000000", "00000000" },
		{ 32, "80000000", "00000000" },
		{ 33, "1,00000000", "0,00000000" },
		{ 40, "80,00000000", "00,00000000" },
		{ 63, "40000000,00000000", "00000000,00000000" },
		{ 64, "80000000,00000000", "00000000,00000000" },
		{ 65, "1,00000000,00000000", "0,00000000,00000000" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(cpuset_freep) cpuset *last = cpuset_one(cases[i].ids - 1), *none = cpuset_new(), *read = NULL;
		CLEANUP(free_string) char *last_text = cpuset_mask(last, cases[i].ids);
		CLEANUP(free_string) char *none_text = cpuset_mask(none, cases[i].ids);

		assert_string_equal(last_text, cases[i].last);
		assert_string_equal(none_text, cases[i].none);
		assert_int_equal(cpuset_parse_mask(last_text, &read), 0);
		assert_true(cpuset_equal(read, last));
	}
}

static void wide_masks(void **state)
{
	static const unsigned sizes[] = { 1023, 1024, 1025, 1280, CPUSET_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		CLEANUP(cpuset_freep) cpuset *set = cpuset_one(sizes[i] - 1), *read = NULL;
		CLEANUP(free_string) char *text = NULL;

		cpuset_add(set, 0);
		text = cpuset_mask(set, sizes[i]);
		assert_int_equal(cpuset_parse_mask(text, &read), 0);
		assert_true(cpuset_equal(read, set));
	}
}

static void operations(void **state)
{
	CLEANUP(cpuset_freep) cpuset *a = NULL, *b = NULL;

	(void)state;
	assert_int_equal(cpuset_parse_list("0-3", &a), 0);
	assert_int_equal(cpuset_parse_list("2-5", &b), 0);
	assert_true(cpuset_overlap(a, b));
	assert_false(cpuset_within(a, b));
	assert_false(cpuset_equal(a, b));
	cpuset_keep(a, b);
	assert_int_equal(cpuset_count(a), 2);
	assert_true(cpuset_within(a, b));
	cpuset_drop_all(b, a);
	assert_int_equal(cpuset_first(b), 4);
	assert_int_equal(cpuset_next(b, 4), 5);
	assert_int_equal(cpuset_next(b, 5), -1);
	assert_int_equal(cpuset_last(b), 5);
	cpuset_add_all(b, a);
	assert_int_equal(cpuset_first(b), 2);
}

static void null_is_empty(void **state)
{
	CLEANUP(cpuset_freep) cpuset *empty = cpuset_new();
	CLEANUP(free_string) char *list = cpuset_list(NULL);

	(void)state;
	assert_true(cpuset_empty(NULL));
	assert_true(cpuset_equal(NULL, empty));
	assert_true(cpuset_within(NULL, empty));
	assert_false(cpuset_overlap(NULL, empty));
	assert_int_equal(cpuset_first(NULL), -1);
	assert_null(cpuset_dup(NULL));
	assert_string_equal(list, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),      cmocka_unit_test(masks),      cmocka_unit_test(mask_widths),
		cmocka_unit_test(wide_masks), cmocka_unit_test(operations), cmocka_unit_test(null_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
