/* What is remembered: the first value wins, the file is whole or put aside, and nothing goes by interrupt numbers. */
#include <errno.h>
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

#include <steer/apply.h>
#include <steer/cleanup.h>

#include "apply/originals.h"
#include "apply/value.h"

static int setup(void **state)
{
	char base[] = "/tmp/originals-XXXXXX";

	*state = mkdtemp(base) ? alloc_string(base) : NULL;
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	static const char *const names[] = { "originals.json", "originals.json.bad", "originals.json.new" };
	CLEANUP(free_string) char *run = *state;

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		CLEANUP(free_string) char *path = text_format("%s/%s", run, names[i]);

		(void)unlink(path);
	}
	return rmdir(run);
}

static void put_file(const char *run, const char *text)
{
	CLEANUP(free_string) char *path = text_format("%s/originals.json", run);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static bool has_file(const char *run, const char *name)
{
	CLEANUP(free_string) char *path = text_format("%s/%s", run, name);

	return access(path, F_OK) == 0;
}

static struct originals *load(const char *run)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	struct originals *originals = NULL;

	assert_int_equal(originals_load(run, &originals, &notes), 0);
	assert_int_equal(notes.n, 0);
	return originals;
}

static const struct nic igb = { .name = "ens1", .path = "devices/pci0000:80/0000:81:00.0" };

static void first_value_wins(void **state)
{
	CLEANUP(originals_freep) struct originals *originals = load(*state);
	CLEANUP(originals_freep) struct originals *again = NULL;

	originals_add(originals, NULL, &igb, SETTING_RPS, "rx-0", "0-3");
	originals_add(originals, NULL, &igb, SETTING_RPS, "rx-0", "7");
	originals_add(originals, NULL, &igb, SETTING_RPS, "rx-1", "");
	assert_int_equal(originals_save(originals), 0);

	again = load(*state);
	originals_add(again, NULL, &igb, SETTING_RPS, "rx-0", "5");
	assert_int_equal(originals_count(again), 2);
	assert_string_equal(again->items[0].value, "0-3");
	assert_string_equal(again->items[1].value, "");
}

static void all_kinds_come_back(void **state)
{
	CLEANUP(originals_freep) struct originals *originals = load(*state);
	CLEANUP(originals_freep) struct originals *again = NULL;

	originals_add(originals, NULL, &igb, SETTING_CHANNELS_COMBINED, NULL, "8");
	originals_add(originals, NULL, &igb, SETTING_IRQ, "combined-10", "0-39");
	originals_add(originals, NULL, &igb, SETTING_IRQ, "combined-9", "0-39");
	originals_add(originals, NULL, NULL, SETTING_SYSCTL, "net.core.netdev_budget", "300");
	assert_int_equal(originals_save(originals), 0);

	again = load(*state);
	assert_int_equal(originals_count(again), 4);
	assert_null(again->items[0].device);
	assert_string_equal(again->items[0].part, "net.core.netdev_budget");
	assert_int_equal(again->items[1].setting, SETTING_CHANNELS_COMBINED);
	assert_string_equal(again->items[2].part, "combined-9");
	assert_string_equal(again->items[3].part, "combined-10");
	assert_string_equal(again->items[3].path, igb.path);
}

static void unknown_is_not_remembered(void **state)
{
	const struct nic no_path = { .name = "odd0" };
	CLEANUP(originals_freep) struct originals *originals = load(*state);

	originals_add(originals, NULL, &igb, SETTING_XPS, "tx-0", NULL);
	originals_add(originals, NULL, &igb, SETTING_IRQ, NULL, "3");
	originals_add(originals, NULL, &no_path, SETTING_PAUSE, NULL, "on");
	assert_int_equal(originals_count(originals), 0);
}

static void file_is_private_and_goes_with_the_last(void **state)
{
	CLEANUP(originals_freep) struct originals *originals = load(*state);
	CLEANUP(free_string) char *path = text_format("%s/originals.json", (char *)*state);
	struct stat status;

	originals_add(originals, NULL, &igb, SETTING_PAUSE, NULL, "on");
	assert_int_equal(originals_save(originals), 0);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_false(has_file(*state, "originals.json.new"));

	originals_forget(originals, 0);
	assert_int_equal(originals_save(originals), 0);
	assert_false(has_file(*state, "originals.json"));
}

static void damaged_file_is_put_aside(void **state)
{
	static const char *const damaged[] = {
		"",
		"{",
		"[]",
		"{\"format\": 2, \"originals\": []}",
		"{\"format\": 1}",
		"{\"format\": 1, \"originals\": [{\"setting\": \"rps\"}]}",
		"{\"format\": 1, \"originals\": [{\"setting\": \"colour\", \"value\": \"red\"}]}",
		"{\"format\": 1, \"originals\": [{\"setting\": \"rps\", \"value\": \"1\", \"device\": \"ens1\"}]}",
		"{\"format\": 1, \"originals\": [{\"setting\": \"rps\", \"value\": 1}]}",
	};

	for (size_t i = 0; i < COUNT_OF(damaged); i++) {
		CLEANUP(originals_freep) struct originals *originals = NULL;
		CLEANUP(notes_clear) struct notes notes = { 0 };

		put_file(*state, damaged[i]);
		assert_int_equal(originals_load(*state, &originals, &notes), 0);
		assert_int_equal(originals_count(originals), 0);
		assert_int_equal(notes.n, 1);
		assert_int_equal(notes.items[0].level, NOTE_ERROR);
		assert_non_null(strstr(notes.items[0].text, "originals.json.bad"));
		assert_true(has_file(*state, "originals.json.bad"));
		assert_false(has_file(*state, "originals.json"));
	}
}

static void no_directory_is_an_error_of_saving(void **state)
{
	CLEANUP(free_string) char *missing = text_format("%s/no", (char *)*state);
	CLEANUP(originals_freep) struct originals *originals = load(missing);

	originals_add(originals, NULL, &igb, SETTING_PAUSE, NULL, "on");
	assert_int_equal(originals_save(originals), -ENOENT);
}

/* Renamed it is the same device; a second port of the same function is not. */
static void names_and_ports(void **state)
{
	struct nic nics[] = {
		{ .name = "port1", .path = igb.path },
		{ .name = "port2", .path = igb.path },
	};
	const struct machine both = { .nics = nics, .nnics = 2 }, one = { .nics = nics, .nnics = 1 };
	CLEANUP(originals_freep) struct originals *originals = load(*state);

	originals_add(originals, &both, &nics[0], SETTING_PAUSE, NULL, "on");
	originals_add(originals, &both, &nics[1], SETTING_PAUSE, NULL, "off");
	assert_int_equal(originals_count(originals), 2);

	nics[0].name = "wan";
	originals_add(originals, &one, &nics[0], SETTING_PAUSE, NULL, "rx");
	assert_int_equal(originals_count(originals), 2);
}

/* A virtual device is the same under another name, and another one under the same name; gone it is gone for good. */
static void virtual_devices(void **state)
{
	struct nic ve0 = { .name = "ve0", .path = "virtual/net/ve0", .ifindex = 7 };
	const struct nic renamed = { .name = "wan", .path = "virtual/net/wan", .ifindex = 7 };
	const struct nic second = { .name = "ve0", .path = "virtual/net/ve0", .ifindex = 9 };
	const struct nic card = { .name = "ens1", .path = igb.path, .ifindex = 2 };
	CLEANUP(originals_freep) struct originals *originals = load(*state);
	CLEANUP(originals_freep) struct originals *again = NULL;

	originals_add(originals, NULL, &ve0, SETTING_RPS, "rx-0", "0");
	originals_add(originals, NULL, &card, SETTING_RPS, "rx-0", "1");
	assert_int_equal(originals_save(originals), 0);

	again = load(*state);
	originals_add(again, NULL, &renamed, SETTING_RPS, "rx-0", "0-3");
	assert_int_equal(originals_count(again), 2);
	originals_add(again, NULL, &second, SETTING_RPS, "rx-0", "2");
	assert_int_equal(originals_count(again), 3);
	originals_forget_nic(again, 7);
	originals_forget_nic(again, 2); /* a card may come back */
	originals_forget_nic(again, 0);
	assert_int_equal(originals_count(again), 2);
	originals_sort(again);
	assert_string_equal(again->items[0].value, "1");
	assert_string_equal(again->items[1].value, "2");
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

static void interrupts_are_named_by_what_they_serve(void **state)
{
	static const char *const expected[] = { "control-vector-0", "combined-0", "rx-1",  "tx-1",
						"unknown",          "unknown+1",  "rx-1+1" };
	struct irq irqs[] = {
		{ .number = 40, .role = IRQ_CONTROL, .vector = SOME_U32(0) },
		{ .number = 41, .role = IRQ_COMBINED, .rx = SOME_U32(0), .tx = SOME_U32(0), .vector = SOME_U32(1) },
		{ .number = 42, .role = IRQ_RX, .rx = SOME_U32(1) },
		{ .number = 43, .role = IRQ_TX, .tx = SOME_U32(1) },
		{ .number = 44 },
		{ .number = 45 },
		{ .number = 46, .role = IRQ_RX, .rx = SOME_U32(1) },
	};
	const struct nic nic = { .irqs = irqs, .nirqs = COUNT_OF(irqs) };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(irqs); i++) {
		CLEANUP(free_string) char *part = part_of_irq(&nic, &irqs[i]);

		assert_string_equal(part, expected[i]);
		assert_ptr_equal(irq_of_part(&nic, part), &irqs[i]);
	}
	assert_null(irq_of_part(&nic, "rx-1+2"));
	assert_null(irq_of_part(&nic, "combined-1"));
}

static void same_values(void **state)
{
	(void)state;
	assert_true(value_same(SETTING_PAUSE, "autoneg (rx on, tx off)", "autoneg"));
	assert_false(value_same(SETTING_PAUSE, "autoneg (rx on, tx off)", "autoneg (rx on, tx on)"));
	assert_false(value_same(SETTING_PAUSE, "autoneg (rx on, tx on)", "autoneg (rx off, tx off)"));
	assert_false(value_same(SETTING_PAUSE, "autoneg (rx off, tx off)", "off"));
	assert_false(value_same(SETTING_PAUSE, "rx", "off"));
	assert_true(value_same(SETTING_SYSCTL, "4096\t131072\t6291456", "4096 131072 6291456"));
	assert_false(value_same(SETTING_SYSCTL, "1", "2"));
	assert_false(value_same(SETTING_RPS, NULL, ""));
	assert_true(value_same(SETTING_RPS, "", ""));
}

static void sysctls_have_paths(void **state)
{
	static const char *const pairs[][2] = {
		{ "net.ipv4.ip_forward", "proc/sys/net/ipv4/ip_forward" },
		{ "net.ipv4.conf.eth0/100.forwarding", "proc/sys/net/ipv4/conf/eth0.100/forwarding" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		CLEANUP(free_string) char *path = sysctl_path(pairs[i][0]);
		CLEANUP(free_string) char *absolute = text_format("/%s", pairs[i][1]);
		CLEANUP(free_string) char *name = sysctl_name(absolute);

		assert_string_equal(path, pairs[i][1]);
		assert_string_equal(name, pairs[i][0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(first_value_wins, setup, teardown),
		cmocka_unit_test_setup_teardown(all_kinds_come_back, setup, teardown),
		cmocka_unit_test_setup_teardown(unknown_is_not_remembered, setup, teardown),
		cmocka_unit_test_setup_teardown(file_is_private_and_goes_with_the_last, setup, teardown),
		cmocka_unit_test_setup_teardown(damaged_file_is_put_aside, setup, teardown),
		cmocka_unit_test_setup_teardown(no_directory_is_an_error_of_saving, setup, teardown),
		cmocka_unit_test_setup_teardown(names_and_ports, setup, teardown),
		cmocka_unit_test_setup_teardown(virtual_devices, setup, teardown),
		cmocka_unit_test(interrupts_are_named_by_what_they_serve),
		cmocka_unit_test(same_values),
		cmocka_unit_test(sysctls_have_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
