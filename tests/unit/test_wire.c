/* Messages of the control socket: cutting a stream, reading a call, and what is refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <steer/cleanup.h>
#include <steer/wire.h>

static void add(struct inbox *inbox, const char *bytes, size_t n)
{
	assert_int_equal(inbox_add(inbox, bytes, n, 64), 0);
}

static void assert_next(struct inbox *inbox, const char *want)
{
	CLEANUP(free_string) char *message = inbox_take(inbox);

	assert_string_equal(message, want);
}

/* ---- cutting ---------------------------------------------------------------------------------------------------- */

static void cuts_at_every_nul(void **state)
{
	CLEANUP(inbox_clear) struct inbox inbox = { 0 };

	(void)state;
	add(&inbox, "one\0two\0\0th", 11);
	assert_next(&inbox, "one");
	assert_next(&inbox, "two");
	assert_next(&inbox, "");
	assert_null(inbox_take(&inbox));
	add(&inbox, "ree\0", 4);
	assert_next(&inbox, "three");
	assert_false(inbox_has(&inbox));
	assert_null(inbox.bytes); /* who is idle costs nothing */
}

static void takes_a_message_byte_by_byte(void **state)
{
	CLEANUP(inbox_clear) struct inbox inbox = { 0 };
	const char message[] = "byte by byte";

	(void)state;
	for (size_t i = 0; i < sizeof message; i++) {
		assert_false(inbox_has(&inbox));
		add(&inbox, message + i, 1);
	}
	assert_next(&inbox, message);
}

static void refuses_what_never_ends(void **state)
{
	CLEANUP(inbox_clear) struct inbox inbox = { 0 };
	const char bytes[16] = "xxxxxxxxxxxxxxx";
	size_t sum = 0;

	(void)state;
	while (inbox_add(&inbox, bytes, sizeof bytes - 1, WIRE_CALL_MOST) == 0)
		sum += sizeof bytes - 1;
	assert_in_range(sum, WIRE_CALL_MOST - sizeof bytes, WIRE_CALL_MOST);
	assert_true(inbox.room <= 2 * WIRE_CALL_MOST);
}

static void refuses_what_ends_too_late(void **state)
{
	CLEANUP(inbox_clear) struct inbox just = { 0 }, late = { 0 };
	char bytes[66] = "";

	(void)state;
	memset(bytes, 'x', 65);
	add(&just, bytes + 1, 65); /* 64 and the NUL */
	assert_int_equal(inbox_add(&late, bytes, 66, 64), -EMSGSIZE);
}

static void takes_nothing(void **state)
{
	CLEANUP(inbox_clear) struct inbox inbox = { 0 };

	(void)state;
	add(&inbox, "", 0);
	assert_false(inbox_has(&inbox));
	assert_null(inbox_take(&inbox));
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static void reads_a_call(void **state)
{
	CLEANUP(call_clear) struct call call = { 0 };

	(void)state;
	assert_int_equal(call_parse("{\"method\": \"a.b.C\", \"parameters\": {\"x\": [1]}, \"more\": true}", &call), 0);
	assert_string_equal(call.method, "a.b.C");
	assert_int_equal(json_object_size(call.parameters), 1);
	assert_true(call.more && !call.oneway && !call.upgrade);
}

static void null_is_absent(void **state)
{
	CLEANUP(call_clear) struct call call = { 0 };

	(void)state;
	assert_int_equal(call_parse("{\"method\":\"a.B\",\"parameters\":null,\"oneway\":null,\"else\":1}", &call), 0);
	assert_int_equal(json_object_size(call.parameters), 0);
	assert_false(call.oneway);
}

static void refuses_what_is_no_call(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"null",
		"\"a.B\"",
		"{}",
		"{\"method\": 1}",
		"{\"method\": null}",
		"{\"method\": \"a.B\", \"method\": \"a.B\"}",
		"{\"method\": \"a.B\"} {}",
		"{\"method\": \"a.B\", \"parameters\": []}",
		"{\"method\": \"a.B\", \"more\": 1}",
		"{\"method\": \"a.B\", \"oneway\": \"yes\"}",
		"{\"method\": \"a.B\\u0000\"}",
		"{\"method\": \"\xff\"}",
		"{\"method\": \"a.B\", \"parameters\": {\"x\": 1e999}}",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct call call = { 0 };

		if (call_parse(texts[i], &call) != -EBADMSG)
			fail_msg("taken for a call: %s", texts[i]);
		assert_null(call.method);
	}
}

static char *nested(unsigned depth)
{
	char *text = alloc_zero(64 + 2 * (size_t)depth, 1);

	strcpy(text, "{\"method\":\"a.B\",\"parameters\":{\"x\":");
	memset(text + strlen(text), '[', depth);
	memset(text + strlen(text), ']', depth);
	strcat(text, "}}");
	return text;
}

static void refuses_what_is_deep(void **state)
{
	CLEANUP(free_string) char *just = nested(WIRE_DEEPEST - 2), *deep = nested(WIRE_DEEPEST - 1);
	CLEANUP(call_clear) struct call call = { 0 };

	(void)state;
	assert_int_equal(call_parse(just, &call), 0);
	assert_int_equal(call_parse(deep, &call), -EBADMSG);
}

static void brackets_in_strings_are_no_depth(void **state)
{
	(void)state;
	assert_true(json_is_flat("{\"a\": \"[[[[{{{{\"}", 1));
	assert_true(json_is_flat("{\"a\\\"[[[[\": 1}", 1));
	assert_false(json_is_flat("{\"a\\\\\": [", 1));
	assert_true(json_is_flat("[] [] {} {}", 1));
	assert_true(json_is_flat("]]]][", 1));
	assert_true(json_is_flat("\"\\", 0));
}

/* ---- replies ---------------------------------------------------------------------------------------------------- */

static void assert_text(char *text, const char *want)
{
	CLEANUP(free_string) char *owned = text;

	assert_string_equal(owned, want);
}

static void makes_messages(void **state)
{
	(void)state;
	assert_text(call_text("a.B", NULL, false), "{\"method\":\"a.B\"}");
	assert_text(call_text("a.B", json_pack("{s:i}", "x", 1), true),
		    "{\"method\":\"a.B\",\"parameters\":{\"x\":1},\"more\":true}");
	assert_text(reply_text(NULL, false), "{\"parameters\":{}}");
	assert_text(reply_text(json_pack("{s:s}", "x", "y"), true),
		    "{\"parameters\":{\"x\":\"y\"},\"continues\":true}");
	assert_text(error_text("a.Bad", NULL), "{\"error\":\"a.Bad\",\"parameters\":{}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuts_at_every_nul),       cmocka_unit_test(takes_a_message_byte_by_byte),
		cmocka_unit_test(refuses_what_never_ends), cmocka_unit_test(refuses_what_ends_too_late),
		cmocka_unit_test(takes_nothing),           cmocka_unit_test(reads_a_call),
		cmocka_unit_test(null_is_absent),          cmocka_unit_test(refuses_what_is_no_call),
		cmocka_unit_test(refuses_what_is_deep),    cmocka_unit_test(brackets_in_strings_are_no_depth),
		cmocka_unit_test(makes_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
