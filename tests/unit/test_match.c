/* Matching: which section a device belongs to, why, and what has to be found out for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/policy.h>

static struct policy *policy_of(const char *text)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	struct policy *policy = NULL;

	if (policy_parse("test.ini", text, &policy, &notes) < 0)
		fail_msg("%s", notes.items[0].text);
	return policy;
}

static struct cpu cpus[4];

static const struct machine machine = { .topology = { .cpus = cpus, .ncpus = 4 },
					.hostname = (char *)"lab-a",
					.arch = (char *)"x86_64" };

static const struct nic uplink = { .name = (char *)"ens2f0np0",
				   .kind = NIC_PHYSICAL,
				   .driver = (char *)"mlx5_core",
				   .bus = (char *)"0000:5e:00.0",
				   .path = (char *)"pci0000:5d/0000:5d:00.0/0000:5e:00.0",
				   .pci_id = (char *)"15b3:1017",
				   .mac = (char *)"0c:42:a1:00:00:0b",
				   .node = 0,
				   .link = LINK_UP };

static const struct nic bridge = { .name = (char *)"br-lan", .kind = NIC_BRIDGE, .node = -1, .link = LINK_DOWN };

static const struct nic port = {
	.name = (char *)"eth10", .kind = NIC_VETH, .node = -1, .master = (char *)"br-lan", .link = LINK_NO_CARRIER
};

static const struct nic loopback = { .name = (char *)"lo", .kind = NIC_LOOPBACK, .node = -1 };

/* The section of one line. */
static bool matches(const struct nic *nic, const char *line)
{
	CLEANUP(free_string) char *text = text_format("[nic a]\n%s\nrps = off\n", line);
	CLEANUP(policy_freep) struct policy *policy = policy_of(text);

	return policy_match(policy, &machine, nic, NULL) != NULL;
}

static void each_condition(void **state)
{
	(void)state;
	assert_true(matches(&uplink, "match.name = ens2f?np?"));
	assert_true(matches(&uplink, "match.name = eth0 ens2*"));
	assert_false(matches(&uplink, "match.name = ens2f0"));
	assert_true(matches(&uplink, "match.driver = mlx5_core"));
	assert_false(matches(&uplink, "match.driver = mlx4_* i40e"));
	assert_true(matches(&uplink, "match.mac = 0C:42:A1:*"));
	assert_false(matches(&uplink, "match.mac = 00:1b:21:*"));
	assert_true(matches(&uplink, "match.path = 0000:5e:00.0"));
	assert_true(matches(&uplink, "match.path = 5e:00.?"));
	assert_true(matches(&uplink, "match.path = /sys/devices/pci0000:5d/*"));
	assert_true(matches(&uplink, "match.path = pci0000:5d/*"));
	assert_false(matches(&uplink, "match.path = 0000:5e:00.1"));
	assert_true(matches(&uplink, "match.kind = vf physical"));
	assert_false(matches(&uplink, "match.kind = virtual"));
	assert_true(matches(&bridge, "match.kind = virtual"));
	assert_true(matches(&bridge, "match.kind = bridge"));
	assert_true(matches(&uplink, "match.node = 1 0"));
	assert_false(matches(&uplink, "match.node = none"));
	assert_true(matches(&bridge, "match.node = none"));
	assert_true(matches(&uplink, "match.pci-id = 15B3:*"));
	assert_false(matches(&uplink, "match.pci-id = 8086:*"));
	assert_true(matches(&uplink, "match.host = lab-?"));
	assert_false(matches(&uplink, "match.host = lab"));
	assert_true(matches(&uplink, "match.arch = x86_64"));
	assert_true(matches(&port, "match.master = br-*"));
	assert_false(matches(&port, "match.name = eth1"));
	assert_true(matches(&port, "match.name = eth1*"));
}

static void exclusions(void **state)
{
	(void)state;
	assert_false(matches(&uplink, "match.name = ens2* !*f0*"));
	assert_true(matches(&uplink, "match.name = ens2* !*f1*"));
	assert_true(matches(&uplink, "match.kind = !virtual"));
	assert_false(matches(&bridge, "match.kind = !virtual"));
	assert_true(matches(&uplink, "match.kind = !loopback"));
}

static void the_unknown_matches_nothing(void **state)
{
	(void)state;
	assert_false(matches(&bridge, "match.driver = *"));
	assert_false(matches(&bridge, "match.path = *"));
	assert_false(matches(&uplink, "match.master = *"));
	assert_true(matches(&uplink, "match.master = !br-lan")); /* nor is it excluded */
}

static void numbers_and_links(void **state)
{
	struct nic unknown = uplink;

	(void)state;
	assert_true(matches(&uplink, "match.cpus = 4"));
	assert_true(matches(&uplink, "match.cpus = ==4"));
	assert_true(matches(&uplink, "match.cpus = >=4"));
	assert_true(matches(&uplink, "match.cpus = <= 4"));
	assert_true(matches(&uplink, "match.cpus = >3"));
	assert_true(matches(&uplink, "match.cpus = <5"));
	assert_false(matches(&uplink, "match.cpus = <4"));
	assert_false(matches(&uplink, "match.cpus = >4"));
	assert_false(matches(&uplink, "match.cpus = =5"));
	assert_true(matches(&uplink, "when.link = up"));
	assert_false(matches(&uplink, "when.link = down"));
	assert_true(matches(&bridge, "when.link = down"));
	assert_true(matches(&port, "when.link = down")); /* no carrier */
	unknown.link = LINK_UNKNOWN;
	assert_false(matches(&unknown, "when.link = up"));
	assert_false(matches(&unknown, "when.link = down"));
}

static void the_first_wins_and_says_why(void **state)
{
	CLEANUP(policy_freep)
	struct policy *policy = policy_of("[nic intel]\nmatch.driver = igb i40e\nrps = off\n"
					  "[nic few]\nmatch.driver = mlx5_core\nmatch.cpus = <2\n"
					  "[nic uplinks]\nmatch.name = ens*\nmatch.host = lab-*\nrps = off\n"
					  "[nic rest]\nrps = off\n");
	CLEANUP(free_string) char *why = NULL, *rest = NULL;

	(void)state;
	assert_string_equal(policy_match(policy, &machine, &uplink, &why)->name, "uplinks");
	assert_string_equal(why, "[nic intel] test.ini:1: no, driver mlx5_core, wanted igb i40e\n"
				 "[nic few] test.ini:4: no, 4 CPUs online\n"
				 "[nic uplinks] test.ini:7: yes, name ens2f0np0, host lab-a\n"
				 "[nic rest] test.ini:11: not asked, [nic uplinks] comes first");
	assert_string_equal(policy_match(policy, &machine, &bridge, &rest)->name, "rest");
	assert_non_null(strstr(rest, "no, driver unknown, wanted igb i40e\n"));
	assert_non_null(strstr(rest, "[nic rest] test.ini:11: yes, it matches every device"));
}

static void the_loopback_belongs_nowhere(void **state)
{
	CLEANUP(policy_freep) struct policy *policy = policy_of("[nic rest]\nrps = off\n");
	CLEANUP(free_string) char *why = NULL;

	(void)state;
	assert_null(policy_match(policy, &machine, &loopback, &why));
	assert_string_equal(why, "the loopback device belongs to no section");
	assert_int_equal(policy_details(policy, &machine, &loopback), 0);
}

static unsigned details_of(const char *lines)
{
	CLEANUP(free_string) char *text = text_format("[nic a]\n%s\n", lines);
	CLEANUP(policy_freep) struct policy *policy = policy_of(text);

	return policy_details(policy, &machine, &uplink);
}

static void only_what_is_needed_is_observed(void **state)
{
	(void)state;
	assert_int_equal(details_of("match.name = eth0\nrps = off"), 0); /* not this device */
	assert_int_equal(details_of("link = up\nmatch.node = 0\ncpus = local"), 0);
	assert_int_equal(details_of("rps = 0-3"), DETAIL_RPS);
	assert_int_equal(details_of("rps = all - irq-cpus"), DETAIL_RPS | DETAIL_IRQS | DETAIL_NAPI);
	assert_int_equal(details_of("rps = lacking(all)"), DETAIL_RPS | DETAIL_CHANNELS);
	assert_int_equal(details_of("rps.flows = 64"), DETAIL_RPS_FLOWS);
	assert_int_equal(details_of("pause = off"), DETAIL_PAUSE);
	assert_int_equal(details_of("ring.tx = max"), DETAIL_RINGS);
	assert_int_equal(details_of("channels.rx = 2"), DETAIL_CHANNELS);
	assert_int_equal(details_of("irq = spread"), DETAIL_CHANNELS | DETAIL_IRQS | DETAIL_NAPI);
	assert_int_equal(details_of("xps = follow-irq") & (DETAIL_XPS | DETAIL_XPS_RXQS | DETAIL_IRQS),
			 DETAIL_XPS | DETAIL_XPS_RXQS | DETAIL_IRQS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_condition),
		cmocka_unit_test(exclusions),
		cmocka_unit_test(the_unknown_matches_nothing),
		cmocka_unit_test(numbers_and_links),
		cmocka_unit_test(the_first_wins_and_says_why),
		cmocka_unit_test(the_loopback_belongs_nowhere),
		cmocka_unit_test(only_what_is_needed_is_observed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
