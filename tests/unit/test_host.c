/* Files below a root: what is read, how links are kept inside, and that a value is written once. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "scratch.h"
#include <steer/host.h>

#include "host/private.h"

struct fixture {
	struct scratch scratch;
	struct host *host;
	bool by_hand;
};

static void reopen(struct fixture *it, enum host_mode mode)
{
	char *problem = NULL;

	host_close(it->host);
	assert_int_equal(host_open(it->scratch.path, mode, &it->host, &problem), 0);
	it->host->by_hand |= it->by_hand; /* what has no openat2(2), as valgrind, is tested by hand twice */
}

static int set_up(void **state, bool by_hand)
{
	struct fixture *it = alloc_zero(1, sizeof *it);

	scratch_make(&it->scratch);
	it->by_hand = by_hand;
	reopen(it, HOST_WRITABLE);
	*state = it;
	return 0;
}

static int set_up_kernel(void **state)
{
	return set_up(state, false);
}

static int set_up_by_hand(void **state)
{
	return set_up(state, true);
}

static int tear_down(void **state)
{
	struct fixture *it = *state;

	host_close(it->host);
	scratch_remove(&it->scratch);
	free(it);
	return 0;
}

static void reads(struct fixture *it, const char *path, const char *expected)
{
	CLEANUP(free_string) char *text = NULL;

	assert_int_equal(host_read(it->host, path, &text), 0);
	assert_string_equal(text, expected);
}

static void refuses(struct fixture *it, const char *path, int error)
{
	char *text = (char *)it;

	assert_int_equal(host_read(it->host, path, &text), error);
	assert_ptr_equal(text, (char *)it); /* untouched */
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static void roots(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *missing = scratch_path(&it->scratch, "missing");
	CLEANUP(free_string) char *file = scratch_path(&it->scratch, "file");
	struct host *host = NULL;
	char *problem = NULL;

	scratch_file(&it->scratch, "file", "x");
	assert_int_equal(host_open(missing, HOST_READ_ONLY, &host, &problem), -ENOENT);
	assert_int_equal(host_open(file, HOST_READ_ONLY, &host, &problem), -ENOTDIR);
	assert_int_equal(host_open("", HOST_READ_ONLY, &host, &problem), -ENOENT);
	assert_null(host);
	assert_null(problem);
	assert_false(host_is_live(it->host));
	assert_string_equal(host_root(it->host), it->scratch.path);
	host_close(NULL);
}

static void values(void **state)
{
	struct fixture *it = *state;
	uint32_t number = 7;
	int signed_number = 7;

	scratch_file(&it->scratch, "sys/a", "  text \n\n");
	scratch_bytes(&it->scratch, "sys/nul", "0-3\n\0", 5);
	scratch_file(&it->scratch, "sys/empty", "");
	scratch_file(&it->scratch, "sys/u", "42\n");
	scratch_file(&it->scratch, "sys/node", "-1\n");
	scratch_file(&it->scratch, "sys/large", "4294967295\n");
	reads(it, "sys/a", "  text");
	reads(it, "sys/nul", "0-3");
	reads(it, "sys/empty", "");
	refuses(it, "sys/missing", -ENOENT);
	refuses(it, "missing/a", -ENOENT);
	refuses(it, "sys/a/below", -ENOTDIR);
	refuses(it, "sys", -EISDIR);
	assert_int_equal(host_read_u32(it->host, "sys/a", &number), -EINVAL);
	assert_int_equal(host_read_u32(it->host, "sys/node", &number), -EINVAL);
	assert_int_equal(number, 7);
	assert_int_equal(host_read_u32(it->host, "sys/u", &number), 0);
	assert_int_equal(number, 42);
	assert_int_equal(host_read_int(it->host, "sys/large", &signed_number), -ERANGE);
	assert_int_equal(signed_number, 7);
	assert_int_equal(host_read_int(it->host, "sys/node", &signed_number), 0);
	assert_int_equal(signed_number, -1);
	assert_true(host_exists(it->host, "sys/a"));
	assert_true(host_exists(it->host, "sys"));
	assert_false(host_exists(it->host, "sys/b"));
}

/* Sizes around the page, the buffer and the limit, in a tree of single values and in one of many records. */
static void sizes(void **state)
{
	static const size_t sizes[] = { 1, 4095, 4096, 4097, 8191, 8192, 100000, 4 << 20 };
	struct fixture *it = *state;
	CLEANUP(free_string) char *bytes = alloc_zero((4 << 20) + 2, 1);

	memset(bytes, 'x', (4 << 20) + 1);
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		CLEANUP(free_string) char *value = NULL, *records = NULL;

		scratch_bytes(&it->scratch, "sys/value", bytes, sizes[i]);
		scratch_bytes(&it->scratch, "proc/interrupts", bytes, sizes[i]);
		assert_int_equal(host_read(it->host, "sys/value", &value), 0);
		assert_int_equal(host_read(it->host, "proc/interrupts", &records), 0);
		assert_int_equal(strlen(value), sizes[i]);
		assert_int_equal(strlen(records), sizes[i]);
	}
	scratch_bytes(&it->scratch, "proc/interrupts", bytes, (4 << 20) + 1);
	refuses(it, "proc/interrupts", -EFBIG);
}

/* The kernel ends each read of a file of records behind a whole one, long before the end of the file. */
static void live_records(void **state)
{
	CLEANUP(host_closep) struct host *host = NULL;
	CLEANUP(free_string) char *text = NULL;
	char *problem = NULL;

	(void)state;
	assert_int_equal(host_open("/", HOST_READ_ONLY, &host, &problem), 0);
	assert_true(host_is_live(host));
	assert_int_equal(host_read(host, "proc/self/smaps", &text), 0);
	assert_true(strlen(text) > 8192);
	assert_non_null(strstr(text, "[stack]")); /* among the last */
}

static void lists(void **state)
{
	struct fixture *it = *state;
	CLEANUP(strings_clear) struct strings names = { 0 };
	CLEANUP(free_string) char *joined = NULL;

	scratch_file(&it->scratch, "q/rx-10/a", "");
	scratch_file(&it->scratch, "q/rx-2/a", "");
	scratch_file(&it->scratch, "q/tx-0/a", "");
	assert_int_equal(host_list(it->host, "missing", &names), -ENOENT);
	assert_int_equal(host_list(it->host, "q/rx-2/a", &names), -ENOTDIR);
	assert_int_equal(names.n, 0);
	assert_int_equal(host_list(it->host, "q", &names), 0);
	joined = strings_join(&names, " ");
	assert_string_equal(joined, "rx-2 rx-10 tx-0");
}

static void long_lists(void **state)
{
	struct fixture *it = *state;
	CLEANUP(strings_clear) struct strings names = { 0 };

	for (unsigned i = 0; i < 3000; i++) {
		CLEANUP(free_string) char *path = text_format("long/a-name-that-fills-the-buffer-soon-%u", i);

		scratch_file(&it->scratch, path, "");
	}
	assert_int_equal(host_list(it->host, "long", &names), 0);
	assert_int_equal(names.n, 3000);
	assert_string_equal(names.items[2999], "a-name-that-fills-the-buffer-soon-2999");
}

/* ---- links ----------------------------------------------------------------------------------------------------- */

static void links_inside(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *target = NULL, *resolved = NULL, *absolute = NULL;

	scratch_file(&it->scratch, "sys/devices/pci0000:00/0000:00:03.0/net/eth0/ifindex", "4\n");
	scratch_link(&it->scratch, "sys/class/net/eth0", "../../devices/pci0000:00/0000:00:03.0/net/eth0");
	scratch_link(&it->scratch, "sys/devices/pci0000:00/0000:00:03.0/net/eth0/device", "../../../0000:00:03.0");
	scratch_link(&it->scratch, "sys/class/net/eth1", "/sys/devices/pci0000:00/0000:00:03.0/net/eth0");
	reads(it, "sys/class/net/eth0/ifindex", "4");
	reads(it, "sys/class/net/eth0/device/net/eth0/ifindex", "4");
	reads(it, "sys/class/net/eth1/ifindex", "4");
	assert_int_equal(host_link(it->host, "sys/class/net/eth0/device", &target), 0);
	assert_string_equal(target, "../../../0000:00:03.0");
	assert_int_equal(host_resolve(it->host, "sys/class/net/eth0/device", &resolved), 0);
	assert_string_equal(resolved, "sys/devices/pci0000:00/0000:00:03.0");
	assert_int_equal(host_resolve(it->host, "sys/class/net/eth1", &absolute), 0);
	assert_string_equal(absolute, "sys/devices/pci0000:00/0000:00:03.0/net/eth0");
	free(TAKE(target));
	assert_int_equal(host_link(it->host, "sys/class/net", &target), -EINVAL);
	assert_int_equal(host_link(it->host, "sys/class/nix", &target), -ENOENT);
	assert_int_equal(host_resolve(it->host, "sys/class/net/eth7", &target), -ENOENT);
	assert_null(target);
}

static void links_outside(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *outside = text_format("%s-outside", it->scratch.path);
	CLEANUP(free_string) char *relative = text_format("../%s-outside", strrchr(it->scratch.path, '/') + 1);
	CLEANUP(free_string) char *resolved = NULL;
	FILE *file = fopen(outside, "w");

	assert_non_null(file);
	assert_true(fputs("secret\n", file) > 0);
	fclose(file);
	scratch_link(&it->scratch, "absolute", outside);
	scratch_link(&it->scratch, "relative", relative);
	scratch_link(&it->scratch, "sys/deep", "../../../../../../../../../etc/hostname");
	scratch_link(&it->scratch, "up", "..");
	scratch_link(&it->scratch, "proc/self", "/");
	refuses(it, "absolute", -ENOENT);
	refuses(it, "relative", -ENOENT);
	refuses(it, relative, -ENOENT);
	refuses(it, "sys/deep", -ENOENT);
	assert_int_equal(host_write(it->host, "absolute", "x"), -ENOENT);
	scratch_file(&it->scratch, "etc/hostname", "inside\n");
	reads(it, "sys/deep", "inside");
	reads(it, "up/up/../etc/hostname", "inside");
	reads(it, "../../etc/hostname", "inside");
	reads(it, "proc/self/etc/hostname", "inside");
	assert_int_equal(host_resolve(it->host, "up", &resolved), 0);
	assert_string_equal(resolved, ".");
	unlink(outside);
}

static void links_in_circles(void **state)
{
	struct fixture *it = *state;

	scratch_link(&it->scratch, "a", "b");
	scratch_link(&it->scratch, "b", "a");
	refuses(it, "a", -ELOOP);
	assert_false(host_exists(it->host, "a"));
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

static void read_only(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *text = NULL;
	unsigned mode = 0;

	scratch_file(&it->scratch, "proc/irq/5/smp_affinity_list", "0-3\n");
	assert_int_equal(host_file_mode(it->host, "proc/irq/5/smp_affinity_list", &mode), 0);
	assert_int_equal(mode, 0644);
	assert_int_equal(host_file_mode(it->host, "proc/irq/6/smp_affinity_list", &mode), -ENOENT);
	reopen(it, HOST_READ_ONLY);
	assert_int_equal(host_write(it->host, "proc/irq/5/smp_affinity_list", "1"), -EROFS);
	assert_int_equal(host_write(it->host, "missing", "1"), -EROFS);
	text = scratch_text(&it->scratch, "proc/irq/5/smp_affinity_list");
	assert_string_equal(text, "0-3\n");
}

/* A limit of 4 bytes makes the first write(2) short; a second one would end the process by SIGXFSZ. */
static void one_write(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *path = scratch_path(&it->scratch, "value"), *text = NULL;
	struct rlimit before, limit;
	struct host *live = NULL;
	char *problem = NULL;

	scratch_file(&it->scratch, "value", "");
	assert_int_equal(host_open("/", HOST_WRITABLE, &live, &problem), 0);
	assert_int_equal(host_write(live, path + 1, "abc"), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 4;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(host_write(live, path + 1, "12345678"), -EIO);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	text = scratch_text(&it->scratch, "value");
	assert_string_equal(text, "1234");
	assert_int_equal(host_write(live, "dev/full", "x"), -ENOSPC);
	assert_int_equal(host_write(live, "dev/no-such-file", "x"), -ENOENT);
	host_close(live);
}

/* In a capture and on this machine the same: what was written is what stands there now, also where less was written
 * than stood there. */
static void written_and_read_back(void **state)
{
	struct fixture *it = *state;
	CLEANUP(free_string) char *path = scratch_path(&it->scratch, "value"), *now = NULL, *none = (char *)it;
	struct host *live = NULL;
	char *problem = NULL;

	scratch_file(&it->scratch, "value", "old\n\n");
	assert_int_equal(host_open("/", HOST_WRITABLE, &live, &problem), 0);
	assert_int_equal(host_write_back(live, path + 1, "new", &now), 0);
	assert_string_equal(now, "new");
	assert_int_equal(host_write_back(live, "dev/no-such-file", "x", &none), -ENOENT);
	assert_null(none);
	none = (char *)it;
	assert_int_equal(host_write_back(live, "dev/full", "x", &none), -ENOSPC);
	assert_null(none);
	host_close(live);
	free_string(&now);
	assert_int_equal(host_write_back(it->host, "value", "2", &now), 0);
	assert_string_equal(now, "2");
}

/* A root where everything that could be asked for is missing or of the wrong type. */
static void ruins(void **state)
{
	struct fixture *it = *state;
	CLEANUP(strings_clear) struct strings names = { 0 };
	char *text = NULL;
	unsigned mode;

	scratch_file(&it->scratch, "sys", "a file where a directory belongs");
	scratch_file(&it->scratch, "proc/interrupts/x", "a directory where a file belongs");
	scratch_link(&it->scratch, "dangling", "nowhere");
	refuses(it, "sys/class/net/eth0/ifindex", -ENOTDIR);
	refuses(it, "proc/interrupts", -EISDIR);
	refuses(it, "dangling", -ENOENT);
	refuses(it, "", -EISDIR);
	assert_int_equal(host_list(it->host, "sys", &names), -ENOTDIR);
	assert_int_equal(host_list(it->host, "dangling", &names), -ENOENT);
	assert_int_equal(host_file_mode(it->host, "dangling", &mode), -ENOENT);
	assert_int_equal(host_write(it->host, "dangling", "1"), -ENOENT);
	assert_int_equal(host_write(it->host, "proc/interrupts", "1"), -EISDIR);
	assert_int_equal(host_link(it->host, "sys/class/net/eth0", &text), -ENOTDIR);
	assert_null(text);
}

#define BOTH(test)                                                                                                     \
	cmocka_unit_test_setup_teardown(test, set_up_kernel, tear_down),                                               \
		cmocka_unit_test_setup_teardown(test, set_up_by_hand, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(roots),
		BOTH(values),
		BOTH(sizes),
		BOTH(lists),
		BOTH(long_lists),
		BOTH(links_inside),
		BOTH(links_outside),
		BOTH(links_in_circles),
		BOTH(read_only),
		BOTH(ruins),
		cmocka_unit_test(live_records),
		cmocka_unit_test_setup_teardown(one_write, set_up_kernel, tear_down),
		cmocka_unit_test_setup_teardown(written_and_read_back, set_up_kernel, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
