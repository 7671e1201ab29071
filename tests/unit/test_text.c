/* Strings: numbers are read whole or not at all, names sort as people count, misspelt words find their neighbour. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/text.h>

static void numbers(void **state)
{
	uint32_t value = 7;

	(void)state;
	assert_int_equal(text_u32("0", &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(text_u32("4294967295", &value), 0);
	assert_int_equal(value, UINT32_MAX);
	assert_int_equal(text_u32("4294967296", &value), -ERANGE);
	assert_int_equal(text_u32("", &value), -EINVAL);
	assert_int_equal(text_u32("12 ", &value), -EINVAL);
	assert_int_equal(text_u32("-1", &value), -EINVAL);
	assert_int_equal(text_u32("0x10", &value), -EINVAL);
	assert_int_equal(value, UINT32_MAX); /* untouched by failures */
	assert_int_equal(text_suffix_u32("rx-12", "rx-", &value), 0);
	assert_int_equal(value, 12);
	assert_int_equal(text_suffix_u32("tx-1", "rx-", &value), -EINVAL);
	assert_int_equal(text_suffix_u32("rx-", "rx-", &value), -EINVAL);
}

static void natural_order(void **state)
{
	CLEANUP(strings_clear) struct strings names = { 0 };
	CLEANUP(free_string) char *sorted = NULL;

	(void)state;
	strings_split(&names, "eth10 eth2 rx-10 eth1 rx-9 br-lan eth1.10 eth1.9", " ");
	strings_sort(&names);
	sorted = strings_join(&names, " ");
	assert_string_equal(sorted, "br-lan eth1 eth1.9 eth1.10 eth2 eth10 rx-9 rx-10");
	assert_true(text_natural("eth01", "eth1") != 0);
	assert_int_equal(text_natural("a", "a"), 0);
	assert_true(text_natural("cpu99999999999999999998", "cpu99999999999999999999") < 0);
}

static void lists(void **state)
{
	CLEANUP(strings_clear) struct strings words = { 0 };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	strings_split(&words, "  a b\tc  ", " \t");
	text = strings_join(&words, ", ");
	assert_string_equal(text, "a, b, c");
	assert_true(strings_have(&words, "b"));
	assert_false(strings_have(&words, "d"));
}

static void trim(void **state)
{
	char text[] = " \tword here\n", blank[] = "  ";

	(void)state;
	assert_string_equal(text_trim(text), "word here");
	assert_string_equal(text_trim(blank), "");
}

static void nearest(void **state)
{
	static const char *const keys[] = { "channels", "cpus", "irq", "rps", "xps", "pause", "ring.rx" };

	(void)state;
	assert_string_equal(text_nearest("chanels", keys, COUNT_OF(keys)), "channels");
	assert_string_equal(text_nearest("Pause", keys, COUNT_OF(keys)), "pause");
	assert_string_equal(text_nearest("cpu", keys, COUNT_OF(keys)), "cpus");
	assert_string_equal(text_nearest("rings.rx", keys, COUNT_OF(keys)), "ring.rx");
	assert_null(text_nearest("bananas", keys, COUNT_OF(keys)));
	assert_null(text_nearest("", keys, COUNT_OF(keys)));
}

static void globs(void **state)
{
	(void)state;
	assert_true(text_glob("ens2f?np?", "ens2f0np0"));
	assert_false(text_glob("ens2f?np?", "ens2f10np0"));
	assert_true(text_glob("eth[0-3]", "eth2"));
	assert_true(text_equal(NULL, NULL));
	assert_false(text_equal("a", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers), cmocka_unit_test(natural_order), cmocka_unit_test(lists),
		cmocka_unit_test(trim),    cmocka_unit_test(nearest),       cmocka_unit_test(globs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
