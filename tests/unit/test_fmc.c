/* The files of [fmc] as texts, and whether a record is of them. What a machine makes of the section is tested on
 * captured boards (tests/cli/fmc). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/fmc.h>

static void schemes_are_counted(void **state)
{
	(void)state;
	assert_int_equal(fmc_schemes(1, FMC_L4), 1); /* nothing to hash */
	assert_int_equal(fmc_schemes(4, FMC_L4), 7);
	assert_int_equal(fmc_schemes(4, FMC_L3), 3);
	assert_int_equal(fmc_schemes(4, FMC_L3L4_V4), 4);
}

static void a_single_queue_has_no_key(void **state)
{
	const struct fmc_port port = { .mac = 9, .base = 0x3c02, .count = 1 };
	CLEANUP(free_string) char *config = fmc_config_text(&port, 1);
	CLEANUP(free_string) char *policy = fmc_policy_text(&port, 1, FMC_L4, true, "single queue, core 2");

	(void)state;
	assert_string_equal(config, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
				    "<cfgdata>\n  <config>\n    <engine name=\"fm0\">\n"
				    "      <port type=\"MAC\" number=\"9\" policy=\"steerd_mac9\"/>\n"
				    "    </engine>\n  </config>\n</cfgdata>\n");
	assert_non_null(strstr(policy, "<queue count=\"1\" base=\"0x3c02\"/>"));
	assert_null(strstr(policy, "<key"));
}

static void symmetric_is_what_fmc_takes_for_it(void **state)
{
	const struct fmc_port port = { .mac = 3, .base = 0x3900, .count = 2 };
	CLEANUP(free_string) char *policy = fmc_policy_text(&port, 1, FMC_L3, true, "x");

	(void)state;
	assert_non_null(strstr(policy, "<key symmetric=\"true\">"));
	assert_null(strstr(policy, "tcp"));
}

static void a_record_is_of_its_files_alone(void **state)
{
	struct fmc_wanted wanted = { .config = (char[]){ "c" }, .policy = (char[]){ "p" } };
	CLEANUP(fman_clear) struct fman fman = { .pdl = alloc_string("pdl") };

	(void)state;
	assert_false(fmc_is_recorded(&fman, &wanted));
	fman.record = (struct fmc_record){ .what = alloc_string("single:0 (mac9)"),
					   .config = text_sha256("c"),
					   .policy = text_sha256("p"),
					   .pdl = alloc_string("pdl") };
	assert_true(fmc_is_recorded(&fman, &wanted));
	wanted.policy[0] = 'q';
	assert_false(fmc_is_recorded(&fman, &wanted));
	wanted.policy[0] = 'p';
	fman.pdl[0] = 'x';
	assert_false(fmc_is_recorded(&fman, &wanted));
}

static void digests_are_those_of_the_standard(void **state)
{
	CLEANUP(free_string) char *digest = text_sha256("abc"); /* FIPS 180-2, B.1 */

	(void)state;
	assert_string_equal(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schemes_are_counted),
		cmocka_unit_test(a_single_queue_has_no_key),
		cmocka_unit_test(symmetric_is_what_fmc_takes_for_it),
		cmocka_unit_test(a_record_is_of_its_files_alone),
		cmocka_unit_test(digests_are_those_of_the_standard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
