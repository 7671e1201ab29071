/* Settings of a device as a whole, and of the host: flow control, rings, link, sysctl. */
#include "fixture.h"

static void flow_control_is_what_the_driver_can(void **state)
{
	static const struct {
		const char *driver, *want, *is;
		enum change_state state;
		const char *to;
	} cases[] = {
		{ "igb", "off", "autoneg (rx on, tx off)", CHANGE_TODO, "off" },
		{ "igb", "off", "autoneg (rx off, tx off)", CHANGE_TODO, "off" },
		{ "igb", "off", "off", CHANGE_SAME, "off" },
		{ "igb", "rx", "rx", CHANGE_SAME, "rx" },
		{ "igb", "autoneg", "autoneg (rx off, tx off)", CHANGE_SAME, NULL },
		{ "igb", "autoneg", "on", CHANGE_TODO, "autoneg" },
		{ "i40e", "off", "autoneg (rx on, tx on)", CHANGE_TODO, "autoneg (rx off, tx off)" },
		{ "ice", "off", "autoneg (rx off, tx off)", CHANGE_SAME, "autoneg (rx off, tx off)" },
		{ "ice", "off", "rx", CHANGE_TODO, "off" },
		{ "mlx5_core", "autoneg", "on", CHANGE_SKIPPED, NULL },
		{ "virtio_net", "off", NULL, CHANGE_SKIPPED, "off" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		CLEANUP(free_string) char *policy = text_format("[nic x]\npause = %s\n", cases[i].want);
		struct nic *nic;

		fixture_cpus(&machine, 1, (const char *[]){ "0" }, NULL, 0);
		nic = fixture_nic(&machine, "eth0", cases[i].driver, 0);
		if (cases[i].is)
			assert_int_equal(pause_parse(cases[i].is, &nic->pause), 0);
		fixture_plan(&machine, policy, &plan);
		fixture_expect(&plan, "eth0", SETTING_PAUSE, NULL, cases[i].state, cases[i].to);
	}
}

static void rings_are_capped_and_roundings_accepted(void **state)
{
	static const struct {
		const char *want;
		uint32_t is;
		enum change_state state;
		const char *to;
	} cases[] = {
		{ "1024", 512, CHANGE_TODO, "1024" },  { "512", 512, CHANGE_SAME, "512" },
		{ "max", 512, CHANGE_TODO, "4096" },   { "9999", 4096, CHANGE_SAME, "4096" },
		{ "9999", 512, CHANGE_TODO, "4096" },  { "1000", 1024, CHANGE_SAME, "1024" },
		{ "1001", 1008, CHANGE_SAME, "1008" }, { "1000", 2048, CHANGE_TODO, "1000" },
		{ "1000", 999, CHANGE_TODO, "1000" },  { "600", 1024, CHANGE_SAME, "1024" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		CLEANUP(free_string) char *policy = text_format("[nic x]\nring.rx = %s\n", cases[i].want);
		struct nic *nic;

		fixture_cpus(&machine, 1, (const char *[]){ "0" }, NULL, 0);
		nic = fixture_nic(&machine, "eth0", "ixgbe", 0);
		nic->rings = (struct rings){ .rx = SOME_U32(cases[i].is), .rx_max = SOME_U32(4096) };
		fixture_plan(&machine, policy, &plan);
		fixture_expect(&plan, "eth0", SETTING_RING_RX, NULL, cases[i].state, cases[i].to);
	}
}

static void a_device_without_rings_has_none_to_set(void **state)
{
	static const char *const wanted[] = { "ring.tx = max", "ring.tx = 512" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		CLEANUP(machine_clear) struct machine machine = { 0 };
		CLEANUP(plan_clear) struct plan plan = { 0 };
		CLEANUP(free_string) char *policy = text_format("[nic x]\n%s\n", wanted[i]);

		fixture_cpus(&machine, 1, (const char *[]){ "0" }, NULL, 0);
		fixture_nic(&machine, "eth0", "x", 0)->rings =
			(struct rings){ .tx = SOME_U32(0), .tx_max = SOME_U32(0) };
		fixture_plan(&machine, policy, &plan);
		fixture_expect(&plan, "eth0", SETTING_RING_TX, NULL, CHANGE_SKIPPED, NULL);
	}
}

static void add_sysctl(struct machine *machine, const char *name, const char *value)
{
	machine->sysctls = alloc_more(machine->sysctls, machine->nsysctls, sizeof *machine->sysctls);
	machine->sysctls[machine->nsysctls++] =
		(struct sysctl){ .name = alloc_string(name), .value = alloc_string(value) };
}

static void sysctls(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };

	(void)state;
	add_sysctl(&machine, "net.ipv4.tcp_rmem", "4096\t131072\t6291456");
	add_sysctl(&machine, "net.ipv4.ip_forward", "0");
	add_sysctl(&machine, "net.core.no_such", NULL);
	add_sysctl(&machine, "net.ipv4.conf.all.send_redirects", "0");
	add_sysctl(&machine, "net.ipv4.conf.eth0/100.send_redirects", "1");
	add_sysctl(&machine, "net.ipv4.conf.eth0.send_redirects", "1");
	fixture_plan(
		&machine,
		"[sysctl]\nnet.ipv4.tcp_rmem = 4096 131072 6291456\nnet.ipv4.ip_forward = 1\nnet.core.no_such = 1\n"
		"net.ipv4.conf.*.send_redirects = 0\nnet.ipv4.conf.eth0.send_redirects = 1\n",
		&plan);
	assert_int_equal(plan.nchanges, 6);
	assert_int_equal(plan_todo(&plan, 0), 2);
	for (size_t i = 0; i < plan.nchanges; i++) {
		const struct change *change = &plan.changes[i];

		assert_null(change->device);
		if (strcmp(change->path, "net.ipv4.conf.eth0/100.send_redirects") == 0) {
			assert_int_equal(change->state, CHANGE_TODO);
			assert_string_equal(change->target, "/proc/sys/net/ipv4/conf/eth0.100/send_redirects");
		}
		if (strcmp(change->path, "net.core.no_such") == 0)
			assert_int_equal(change->state, CHANGE_SKIPPED);
		if (strcmp(change->path, "net.ipv4.conf.eth0.send_redirects") == 0)
			assert_int_equal(change->state, CHANGE_SAME); /* its own key, not the pattern's */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flow_control_is_what_the_driver_can),
		cmocka_unit_test(rings_are_capped_and_roundings_accepted),
		cmocka_unit_test(a_device_without_rings_has_none_to_set),
		cmocka_unit_test(sysctls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
