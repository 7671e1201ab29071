/* ethtool.json of a captured machine: what is understood, what is unknown, and what a broken file says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scratch.h"
#include <steer/net.h>

/* The form of DESIGN's example, made of a real igb with four of eight channels. */
static const char igb[] =
	"{\"eth0\": {\"driver\": \"igb\", \"bus-info\": \"0000:81:00.0\",\n"
	" \"channels\": {\"rx\": {\"max\": 0, \"count\": 0}, \"tx\": {\"max\": 0, \"count\": 0},\n"
	"  \"other\": {\"max\": 1, \"count\": 1}, \"combined\": {\"max\": 8, \"count\": 4}},\n"
	" \"pause\": {\"autoneg\": true, \"rx\": true, \"tx\": false},\n"
	" \"rings\": {\"rx\": {\"max\": 4096, \"count\": 256}, \"tx\": {\"max\": 4096, \"count\": 512}},\n"
	" \"features\": {\"rx-lro\": {\"active\": false, \"fixed\": true}, \"rx-gro\": {\"active\": true, \"fixed\": "
	"false}},\n"
	" \"napi\": [{\"id\": 8193, \"irq\": 29, \"rx\": [0], \"tx\": [0]}, {\"id\": 8194, \"rx\": [1, 2]}]}}\n";

static int make(void **state)
{
	*state = alloc_zero(1, sizeof(struct scratch));
	scratch_make(*state);
	return 0;
}

static int remove_all(void **state)
{
	scratch_remove(*state);
	free(*state);
	return 0;
}

static struct host *opened(const struct scratch *scratch, const char *json)
{
	struct host *host = NULL;
	char *problem = NULL;

	if (json)
		scratch_file(scratch, "ethtool.json", json);
	assert_int_equal(host_open(scratch->path, HOST_READ_ONLY, &host, &problem), 0);
	assert_null(problem);
	return host;
}

static void reads_all(void **state)
{
	CLEANUP(host_closep) struct host *host = opened(*state, igb);
	CLEANUP(nic_clear) struct nic nic = { .name = alloc_string("eth0") };
	CLEANUP(free_string) char *driver = net_driver(host, "eth0");

	assert_string_equal(driver, "igb");
	assert_int_equal(net_read(host, &nic, DETAIL_ALL), 0);
	assert_false(nic.channels.max[CHANNEL_RX].set); /* 0: the driver has no such kind */
	assert_false(nic.channels.count[CHANNEL_TX].set);
	assert_int_equal(nic.channels.max[CHANNEL_COMBINED].value, 8);
	assert_int_equal(nic.channels.count[CHANNEL_COMBINED].value, 4);
	assert_int_equal(nic.channels.count[CHANNEL_OTHER].value, 1);
	assert_true(nic.pause.autoneg.set && nic.pause.autoneg.value);
	assert_true(nic.pause.tx.set && !nic.pause.tx.value);
	assert_int_equal(nic.rings.rx_max.value, 4096);
	assert_int_equal(nic.rings.tx.value, 512);
	assert_int_equal(nic.nfeatures, 2);
	assert_string_equal(nic.features[0].name, "rx-lro");
	assert_true(nic.features[0].fixed && !nic.features[0].active);
	assert_true(!nic.features[1].fixed && nic.features[1].active);
	assert_int_equal(nic.nnapis, 2);
	assert_int_equal(nic.napis[0].irq.value, 29);
	assert_false(nic.napis[1].irq.set);
	assert_int_equal(nic.napis[1].nrx, 2);
	assert_int_equal(nic.napis[1].rx[1], 2);
	assert_int_equal(nic.napis[1].ntx, 0);
}

/* What is asked for, and nothing else; a second reading does not add to the first. */
static void reads_what_is_asked(void **state)
{
	CLEANUP(host_closep) struct host *host = opened(*state, igb);
	CLEANUP(nic_clear) struct nic nic = { .name = alloc_string("eth0") };

	assert_int_equal(net_read(host, &nic, DETAIL_PAUSE | DETAIL_NAPI), 0);
	assert_int_equal(net_read(host, &nic, DETAIL_PAUSE | DETAIL_NAPI), 0);
	assert_true(nic.pause.rx.set);
	assert_int_equal(nic.nnapis, 2);
	assert_false(nic.channels.count[CHANNEL_COMBINED].set);
	assert_false(nic.rings.rx.set);
	assert_int_equal(nic.nfeatures, 0);
}

static void nothing_known(const struct scratch *scratch, const char *json, const char *name)
{
	CLEANUP(host_closep) struct host *host = opened(scratch, json);
	CLEANUP(nic_clear) struct nic nic = { .name = alloc_string(name) };

	assert_int_equal(net_read(host, &nic, DETAIL_ALL), 0);
	for (size_t kind = 0; kind < CHANNEL_KINDS; kind++)
		assert_false(nic.channels.max[kind].set || nic.channels.count[kind].set);
	assert_false(nic.pause.autoneg.set || nic.pause.rx.set || nic.pause.tx.set);
	assert_false(nic.rings.rx.set || nic.rings.tx.set || nic.rings.rx_max.set || nic.rings.tx_max.set);
	assert_int_equal(nic.nfeatures, 0);
	assert_int_equal(nic.nnapis, 0);
	assert_null(net_driver(host, name));
}

static void unknown(void **state)
{
	nothing_known(*state, NULL, "eth0"); /* no file */
	nothing_known(*state, igb, "eth1");
	nothing_known(*state, "{}", "eth0");
	nothing_known(*state, "{\"eth0\": {}}", "eth0");
}

static void wrong_types(void **state)
{
	static const char *const documents[] = {
		"{\"eth0\": null}",
		"{\"eth0\": []}",
		"{\"eth0\": 7}",
		"{\"eth0\": {\"driver\": 7, \"channels\": [1], \"pause\": \"on\", \"rings\": 3, \"features\": [], "
		"\"napi\": {}}}",
		"{\"eth0\": {\"channels\": {\"combined\": 4, \"rx\": {\"max\": \"4\", \"count\": -1}, \"tx\": "
		"{\"max\": 4.5, "
		"\"count\": 4294967296}}}}",
		"{\"eth0\": {\"pause\": {\"autoneg\": 1, \"rx\": \"true\", \"tx\": null}, \"rings\": {\"rx\": [], "
		"\"tx\": {}}}}",
		"{\"eth0\": {\"features\": {\"lro\": true, \"gro\": {\"fixed\": true}}, \"napi\": [1, null, {\"irq\": "
		"4}]}}",
	};

	for (size_t i = 0; i < COUNT_OF(documents); i++)
		nothing_known(*state, documents[i], "eth0");
}

static void odd_queue_lists(void **state)
{
	CLEANUP(host_closep)
	struct host *host = opened(
		*state, "{\"eth0\": {\"napi\": [{\"id\": 1, \"irq\": \"x\", \"rx\": [\"0\", -1, 3], \"tx\": 5}]}}");
	CLEANUP(nic_clear) struct nic nic = { .name = alloc_string("eth0") };

	assert_int_equal(net_read(host, &nic, DETAIL_NAPI), 0);
	assert_int_equal(nic.nnapis, 1);
	assert_false(nic.napis[0].irq.set);
	assert_int_equal(nic.napis[0].nrx, 1);
	assert_int_equal(nic.napis[0].rx[0], 3);
	assert_int_equal(nic.napis[0].ntx, 0);
}

static void broken(const struct scratch *scratch, const char *json, size_t length, const char *where)
{
	CLEANUP(free_string) char *problem = NULL, *start = text_format("%s/ethtool.json:%s: ", scratch->path, where);
	struct host *host = NULL;

	scratch_bytes(scratch, "ethtool.json", json, length);
	assert_int_equal(host_open(scratch->path, HOST_READ_ONLY, &host, &problem), -EBADMSG);
	assert_null(host);
	assert_non_null(problem);
	assert_true(text_starts(problem, start));
	assert_true(strlen(problem) > strlen(start));
}

static void broken_files(void **state)
{
	static const struct {
		const char *json, *where;
	} files[] = {
		{ "", "1:0" },
		{ "{\"eth0\":\n {\"pause\": tru}}", "2:14" },
		{ "{\"eth0\": {}} x", "1:14" },
		{ "{\"eth0\": {},\n \"eth0\": {}}", "2:7" },
		{ "[]", "1:1" },
		{ "{\"eth0\": {\"driver\": \"igb\"", "1:25" },
	};
	CLEANUP(free_string) char *deep = alloc_zero(100000, 1);

	for (size_t i = 0; i < COUNT_OF(files); i++)
		broken(*state, files[i].json, strlen(files[i].json), files[i].where);
	broken(*state,
	       "\x7f"
	       "ELF\0\1\2",
	       7, "1:1");
	broken(*state, "{\"a\0b\": {}}", 11, "1:3");
	memset(deep, '[', 99999);
	broken(*state, deep, 99999, "1:2049");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, remove_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_all),   TEST(reads_what_is_asked), TEST(unknown),
		TEST(wrong_types), TEST(odd_queue_lists),     TEST(broken_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
