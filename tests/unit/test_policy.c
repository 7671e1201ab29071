/* Policies: what is read, that every error of a file is told with its place, and that what is printed is read again. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <steer/cleanup.h>
#include <steer/policy.h>

/* ---- helpers ---------------------------------------------------------------------------------------------------- */

/* Every note, one a line. */
static char *all_notes(const struct notes *notes)
{
	CLEANUP(strings_clear) struct strings texts = { 0 };

	for (size_t i = 0; i < notes->n; i++)
		strings_take(&texts, note_text(&notes->items[i]));
	return strings_join(&texts, "\n");
}

/* Reads a text and compares everything that is said of it. */
static void says(const char *text, int result, const char *expected)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(free_string) char *told = NULL;
	int r = policy_parse("p", text, &policy, &notes);

	told = all_notes(&notes);
	assert_string_equal(told, expected);
	assert_int_equal(r, result);
	assert_int_equal(policy != NULL, result == 0);
}

static void refused(const char *text, const char *expected)
{
	says(text, -EINVAL, expected);
}

/* The same for one line of [nic a], which is line 2. */
static void line_refused(const char *line, const char *expected)
{
	CLEANUP(free_string) char *text = text_format("[nic a]\n%s\n", line), *whole = text_format("p:2:%s", expected);

	refused(text, whole);
}

static void prints_as(const char *text, const char *canonical)
{
	CLEANUP(policy_freep) struct policy *policy = NULL, *again = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(free_string) char *printed = NULL, *twice = NULL, *told = NULL;

	if (policy_parse("p", text, &policy, &notes) < 0) {
		told = all_notes(&notes);
		fail_msg("%s", told);
	}
	printed = policy_text(policy);
	if (canonical)
		assert_string_equal(printed, canonical);
	assert_int_equal(policy_parse("p", printed, &again, &notes), 0);
	twice = policy_text(again);
	assert_string_equal(twice, printed);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static void fields_are_filled(void **state)
{
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	const struct section *section;

	(void)state;
	assert_int_equal(policy_parse("x.ini",
				      "[policy]\ndescription = a b\nrequire.cmdline = a=1  b\non-unmet = refuse\n"
				      "[nic up]\nmatch.name = a !b\nmatch.cpus = >=4\nwhen.link = down\n"
				      "cpus = cores(local)\nchannels = per-cpu\nchannels.tx = 2\nirq = spread\n"
				      "irq.control = 0\nrps = off\nrps.flows = 64\nxps = rxqs\nshare = partition\n"
				      "pause = autoneg\nring.rx = max\nlink = up\ndisruptive = never\n"
				      "[sysctl]\nnet.ipv4.tcp_rmem = 4096 131072 6291456\n",
				      &policy, &notes),
			 0);
	assert_int_equal(notes.n, 0);
	assert_string_equal(policy->description, "a b");
	assert_int_equal(policy->require_cmdline.n, 2);
	assert_int_equal(policy->require_at.line, 3);
	assert_true(policy->refuse_unmet);
	assert_int_equal(policy->nsections, 1);
	section = &policy->sections[0];
	assert_string_equal(section->name, "up");
	assert_int_equal(section->at.line, 5);
	assert_string_equal(section->at.file, "x.ini");
	assert_int_equal(section->match_name.globs.n, 2);
	assert_int_equal(section->match_cpus.compare, CMP_GE);
	assert_int_equal(section->when_link.value, 0);
	assert_int_equal(section->when_link.at.line, 8);
	assert_int_equal(section->cpus.mode, CPUS_EXPR);
	assert_int_equal(section->channels.mode, COUNT_PER_CPU);
	assert_int_equal(section->channels_kind[CHANNEL_TX].number, 2);
	assert_int_equal(section->irq.mode, CPUS_SPREAD);
	assert_int_equal(section->irq_control.mode, CPUS_EXPR);
	assert_int_equal(section->rps.mode, CPUS_OFF);
	assert_int_equal(section->rps_flows.number, 64);
	assert_int_equal(section->xps.mode, CPUS_RXQS);
	assert_int_equal(section->share.value, SHARE_PARTITION);
	assert_int_equal(section->pause.value, PAUSE_AUTONEG);
	assert_int_equal(section->ring_rx.mode, COUNT_MAX);
	assert_int_equal(section->ring_tx.mode, COUNT_ABSENT);
	assert_int_equal(section->link.value, 1);
	assert_int_equal(section->disruptive.value, DISRUPTIVE_NEVER);
	assert_int_equal(section->disruptive.at.line, 21);
	assert_string_equal(policy->sysctls[0].value, "4096 131072 6291456");
}

static void printed_in_one_form(void **state)
{
	(void)state;
	prints_as("[nic b]\nxps=none\nirq = all\nmatch.cpus = == 4\nrps.flows=007\n[sysctl]\nnet.core.x:1\n"
		  "[policy]\non-unmet=warn\n[nic a]\nmatch.name=x\n",
		  "[nic b]\nmatch.cpus = 4\nirq = all\nrps.flows = 7\nxps = off\n\n[nic a]\nmatch.name = x\n\n"
		  "[sysctl]\nnet.core.x = 1\n");
}

/* A line as long as inih takes, without a blank, is no longer when it is printed. */
static void long_lines_fit_again(void **state)
{
	CLEANUP(free_string) char *globs = alloc_zero(200, 1), *text = NULL, *tight = NULL;

	(void)state;
	memset(globs, '?', 199 - strlen("match.driver="));
	tight = text_format("[nic a]\nmatch.driver=%s\nrps = off\n", globs);
	text = text_format("[nic a]\nrps=off\nmatch.driver=%s\n", globs);
	prints_as(text, tight);
}

static void values_that_are_right_nowhere(void **state)
{
	(void)state;
	line_refused("cpus = 9999", "8: error: cpus: CPU 9999: must be 0 to 8191");
	line_refused("cpus = 0-", "8: error: cpus: '0-' lacks its end ('0-3' is a range, '0 - 3' subtracts)");
	line_refused("irq = cores(", "13: error: irq: CPUs are missing at the end");
	line_refused("irq = first(0, all)", "13: error: irq: first 0: must be 1 to 8192");
	line_refused("rps = mask:xyz", "12: error: rps: 'xyz' is no CPU mask (hexadecimal, in groups of 32 bits: "
				       "'mask:ff,00000000')");
	line_refused("rps = node:x", "12: error: rps: node needs a number, not 'x'");
	line_refused("cpus = none", "8: error: cpus: needs at least one CPU");
	line_refused("cpus = cpus - 1", "8: error: cpus: can't be made of itself");
	line_refused("irq = off", "7: error: irq: unknown word 'off'");
	line_refused("irq = spraed", "7: error: irq: unknown word 'spraed' (did you mean 'spread'?)");
	line_refused("xps = folow-irq", "7: error: xps: unknown word 'folow-irq' (did you mean 'follow-irq'?)");
	line_refused("channels = 0", "12: error: channels: 0 is not between 1 and 65535");
	line_refused("channels = -1", "12: error: channels: takes per-cpu, max or a number, not '-1'");
	line_refused("channels = percpu", "12: error: channels: takes per-cpu, max or a number, not 'percpu' (did you "
					  "mean 'per-cpu'?)");
	line_refused("ring.rx = 0", "11: error: ring.rx: 0 is not between 1 and 1048576");
	line_refused("ring.rx = 99999999999", "11: error: ring.rx: 99999999999 is not between 1 and 1048576");
	line_refused("pause = of", "9: error: pause: takes off, on, rx, tx or autoneg, not 'of' (did you mean 'off'?)");
	line_refused("link = down", "8: error: link: takes up, not 'down'");
	line_refused("match.cpus = <1", "14: error: match.cpus: '<1' is never true");
	line_refused("match.cpus = =>4", "14: error: match.cpus: takes a number, with =, <, <=, > or >= before it, not "
					 "'=>4'");
	line_refused("match.kind = physical bridgee",
		     "23: error: match.kind: 'bridgee' is no kind of device (did you mean 'bridge'?)");
	line_refused("match.kind = loopback", "14: error: match.kind: the loopback device is never matched");
	line_refused("match.node = 0-1", "14: error: match.node: takes numbers of nodes or none, not '0-1'");
	line_refused("match.name = a_very_long_name", "14: error: match.name: 'a_very_long_name' is longer than the 15 "
						      "characters of an interface name");
	line_refused("match.name = eth0, eth1", "14: error: match.name: 'eth0,' can't match (patterns are separated by "
						"blanks, not commas)");
	line_refused("match.name = ! eth0", "14: error: match.name: '!' excludes what follows it without a blank");
	line_refused("match.mac = eth0", "13: error: match.mac: 'eth0' is no address like 00:1b:21:*");
	line_refused("match.pci-id = 8086", "16: error: match.pci-id: '8086' is no VENDOR:DEVICE like 8086:15*");
	line_refused("cpus =", "1: error: cpus: has no value (it takes a CPU expression; without the line the setting "
			       "is left alone)");
	line_refused("channels.combined = 0\nchannels.rx = 0", " error: [nic a] leaves a device no channel to receive "
							       "by");
}

static void keys_that_are_none(void **state)
{
	(void)state;
	line_refused("chanels = 3", "1: error: unknown key 'chanels' (did you mean 'channels'?)");
	line_refused("Channels = 3", "1: error: unknown key 'Channels' (did you mean 'channels'?)");
	line_refused("name = eth0", "1: error: unknown key 'name' (did you mean 'match.name'?)");
	line_refused("ReceiveQueues = 3", "1: error: unknown key 'ReceiveQueues' (here it is channels.rx)");
	line_refused("rings = 3", "1: error: unknown key 'rings' (here it is ring.rx and ring.tx)");
	line_refused("on-unmet = warn", "1: error: unknown key 'on-unmet' (it belongs in [policy])");
	line_refused("zzz = 3", "1: error: unknown key 'zzz'");
	line_refused("when.xdp = yes", "1: error: key 'when.xdp' is not supported by this version");
	line_refused("coalesce.rx-usecs = 8", "1: error: key 'coalesce.rx-usecs' is not supported by this version");
	line_refused("coalesce.rx-usecs = 3", "1: error: key 'coalesce.rx-usecs' is not supported by this version");
	refused("[fmc]\nports = mac9\n", "p:1: error: [fmc] needs a mode (single, spread, files or off)");
	refused("[nci a]\nwhat = ever\n", "p:1:1: error: unknown section [nci] (did you mean 'nic'?)");
	refused("[link]\n",
		"p:1:1: error: unknown section [link] (there are [policy], [nic NAME], [sysctl], [fmc] and [daemon])");
	refused("[nic]\n", "p:1:1: error: a [nic] section needs a name, such as [nic uplinks]");
	refused("[sysctl x]\n", "p:1:1: error: [sysctl] has no name");
}

static void sysctls(void **state)
{
	(void)state;
	refused("[sysctl]\nkernel.panic = 1\nnet..x = 1\nnet.x. = 1\nnet.a/../../kernel.x = 1\nnet.*.*.x = 1\n"
		"net.*x = 1\nnet.x =\n",
		"p:2:1: error: kernel.panic: is not under net., and steerd sets nothing else\n"
		"p:3:1: error: net..x: has an empty component\n"
		"p:4:1: error: net.x.: has an empty component\n"
		"p:5:1: error: net.a/../../kernel.x: has an empty component\n"
		"p:6:1: error: net.*.*.x: has more than one '*'\n"
		"p:7:1: error: net.*x: '*x' is neither a plain name nor '*'\n"
		"p:8:1: error: net.x: has no value (it takes the value to write; without the line the setting is left "
		"alone)");
	refused("[sysctl]\nnet.//.x = 1\nnet.a b.x = 1\n",
		"p:2:1: error: net.//.x: '//' is neither a plain name nor '*'\n"
		"p:3:1: error: net.a b.x: 'a b' is neither a plain name nor '*'");
	prints_as("[sysctl]\nnet.ipv4.conf.*.send_redirects = 0\n", NULL);
	prints_as("[sysctl]\nnet.ipv4.conf.eth0/100.rp_filter = 0\n", NULL); /* eth0.100 */
}

static void times(void **state)
{
	(void)state;
	prints_as("[daemon]\naudit = 2min\n", "[daemon]\naudit = 120s\n");
	prints_as("[daemon]\naudit = 90\n", "[daemon]\naudit = 90s\n");
	prints_as("[daemon]\naudit = 24h\n", "[daemon]\naudit = 86400s\n");
	prints_as("[daemon]\naudit = off\n", "[daemon]\naudit = off\n");
	refused("[daemon]\naudit = 25h\n", "p:2:9: error: audit: 25h is not between 1 and 86400 seconds");
	refused("[daemon]\naudit = 99999999999h\n",
		"p:2:9: error: audit: takes off or a time such as 60s, 5min or 1h, not '99999999999h'");
	for (const char *const *value = (const char *const[]){ "0", "0s", "-1s", "s", "1 s", "1m", "soon", NULL };
	     *value; value++) {
		CLEANUP(free_string) char *text = text_format("[daemon]\naudit = %s\n", *value);
		CLEANUP(free_string)
		char *said = text_format("p:2:9: error: audit: takes off or a time such as 60s, 5min or 1h, not '%s'",
					 *value);

		refused(text, said);
	}
	refused("[daemon]\naudit = 1s\n[daemon]\n", "p:3:1: error: [daemon] is a second time here, first in line 1");
	refused("[daemon]\npause = off\n", "p:2:1: error: unknown key 'pause' (it belongs in [nic])");
}

static void all_errors_in_one_run(void **state)
{
	(void)state;
	refused("[policy]\non-unmet = x\n[nic a]\nirq = x\nx = y\n[what]\na = b\n[nic b]\npause = zz\n",
		"p:2:12: error: on-unmet: takes warn or refuse, not 'x'\n"
		"p:4:7: error: irq: unknown word 'x'\n"
		"p:5:1: error: unknown key 'x'\n"
		"p:6:1: error: unknown section [what] (there are [policy], [nic NAME], [sysctl], [fmc] and [daemon])\n"
		"p:9:9: error: pause: takes off, on, rx, tx or autoneg, not 'zz'");
}

/* ---- form: one fact of inih a test ------------------------------------------------------------------------------ */

static void lines_are_counted(void **state)
{
	(void)state;
	refused("\n; c\n[nic a]\n\n\n  x = 1\n", "p:6:3: error: unknown key 'x'");
	refused("\r\n[nic a]\r\nx = 1", "p:3:1: error: unknown key 'x'");
}

static void equal_headers_are_refused(void **state)
{
	(void)state;
	refused("[nic a]\nrps = off\n[nic b]\nrps = off\n[ nic  a ]\npause = zz\n",
		"p:5:1: error: [nic a] is a second time here, first in line 1\n"
		"p:6:9: error: pause: takes off, on, rx, tx or autoneg, not 'zz'");
	refused("[policy]\n[sysctl]\n[policy]\n[sysctl]\n",
		"p:3:1: error: [policy] is a second time here, first in line 1\n"
		"p:4:1: error: [sysctl] is a second time here, first in line 2");
}

static void equal_keys_are_refused(void **state)
{
	(void)state;
	refused("[nic a]\nrps = off\nrps = x\n[nic b]\nrps = off\nrps=all\n[sysctl]\nnet.x = 1\nnet.x = 1\n",
		"p:3:1: error: rps: is a second time here, first in line 2\n"
		"p:6:1: error: rps: is a second time here, first in line 5\n"
		"p:9:1: error: net.x: is a second time here, first in line 8");
}

static void empty_sections_are_seen(void **state)
{
	(void)state;
	says("[nic a]\n[nic b]\nrps = off\n", 0,
	     "p:1: warning: [nic a] matches every device and sets nothing\n"
	     "p:2: warning: [nic b] is never reached: [nic a] above matches every device");
	says("[nic a]\nmatch.name = x\n[nic b]\nrps = off\n", 0, ""); /* leaves x alone, on purpose */
	says("[nic a]\ncpus = all\nmatch.name=x\n[nic b]\nrps = off\n", 0,
	     "p:1: warning: [nic a] sets nothing (add irq, rps, channels or another setting)");
	says("", 0, "p: warning: this policy does nothing");
	says("[policy]\ndescription = x\n", 0, "p: warning: this policy does nothing");
}

static void long_lines_are_refused(void **state)
{
	CLEANUP(free_string) char *hundred_kb = alloc_zero(100001, 1), *text = NULL, *header = NULL, *comment = NULL;

	(void)state;
	memset(hundred_kb, 'x', 100000);
	text = text_format("[nic a]\nmatch.name = %s\nrps = of\n", hundred_kb);
	refused(text, "p:2: error: a line of 100013 bytes; at most 199 are read\n"
		      "p:3:7: error: rps: unknown word 'of' (did you mean 'off'?)");
	header = text_format("[nic a]\nrps = off\n[nic %s]\nrps = off\n", hundred_kb);
	refused(header, "p:3: error: a line of 100006 bytes; at most 199 are read");
	comment = text_format("; %s\n[nic a]\nrps = off\n", hundred_kb);
	says(comment, 0, "");
}

static void the_longest_line_is_read_whole(void **state)
{
	char value[200] = "", text[300];

	(void)state;
	memset(value, 'x', 199 - strlen("match.driver = "));
	snprintf(text, sizeof text, "[nic a]\nmatch.driver = %s   \nrps = off\n", value);
	says(text, 0, "");
	snprintf(text, sizeof text, "[nic a]\nmatch.driver = %sx\nrps = off\n", value);
	refused(text, "p:2: error: a line of 200 bytes; at most 199 are read");
}

static void long_section_names_are_refused(void **state)
{
	(void)state;
	says("[nic aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]\nrps = off\n", 0, "");
	refused("[nic aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]\nrps = off\n",
		"p:1:1: error: a section's header of more than 49 characters");
}

static void headers_are_whole(void **state)
{
	(void)state;
	refused("[nic a\nrps = x\n", "p:1:1: error: ']' is missing");
	refused("[nic a ; b]\n", "p:1:1: error: ']' is missing");
	refused("[nic a] b\n", "p:1:9: error: text behind a section's ']'");
	refused("[nic a b]\n", "p:1:1: error: a section's name is one word");
	refused(" [ ]\n", "p:1:2: error: a section without a kind");
	says("[nic a] ; b\nrps = off ; c\n", 0, "");
}

static void indented_lines_are_lines(void **state)
{
	(void)state;
	prints_as("[nic a]\n   rps = off\n\t\tpause = off\n", "[nic a]\nrps = off\npause = off\n");
	refused("[nic a]\nmatch.name = eth0\n             eth1\nrps = off\n",
		"p:3:14: error: neither 'key = value' nor '[section]' (a value does not go on in the next line)");
}

static void every_line_without_value_is_told(void **state)
{
	(void)state;
	refused("[nic a]\nrps\n= off\nxps\n", "p:2:1: error: neither 'key = value' nor '[section]'\n"
					      "p:3:1: error: a value without a key\n"
					      "p:4:1: error: neither 'key = value' nor '[section]'");
}

static void text_before_the_first_section(void **state)
{
	(void)state;
	refused("rps = off\nmore\n[nic a]\nx = 1\n", "p:1:1: error: text before the first section\n"
						     "p:4:1: error: unknown key 'x'");
}

static void comments(void **state)
{
	(void)state;
	prints_as("# a\n; b\n[nic a] ; c\nmatch.driver = a;b ; c\nrps = off\t; d\n ; e = f\n  # g\n",
		  "[nic a]\nmatch.driver = a;b\nrps = off\n");
	line_refused("match.driver =; igb", "1: error: match.driver: has no value (it takes patterns; without the line "
					    "the setting is left alone)");
	line_refused("match.driver = igb # lan", "20: error: match.driver: '#' begins no comment behind a value (write "
						 "' ;')");
	prints_as("[policy]\ndescription = rack # 3\n", "[policy]\ndescription = rack # 3\n");
}

static void byte_order_mark_and_dos_lines(void **state)
{
	(void)state;
	prints_as("\xef\xbb\xbf[nic a]\r\nrps = off\r\n", "[nic a]\nrps = off\n");
	prints_as("\xef\xbb\xbf; c\n[nic a]\nrps: off", "[nic a]\nrps = off\n");
}

static void what_is_no_text_is_one_error(void **state)
{
	(void)state;
	refused("[nic a]\nx = \x01\ny = \x02\n", "p:2:5: error: not a text file: byte 0x01 here is no UTF-8 text");
	refused("\xff\xfe[", "p:1:1: error: not a text file: byte 0xff here is no UTF-8 text");
	refused("[policy]\ndescription = caf\xe9\n", "p:2:18: error: not a text file: byte 0xe9 here is no UTF-8 text");
	says("[policy]\ndescription = caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xa7\n[nic \xc3\xa9]\nrps = off\n", 0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_filled),
		cmocka_unit_test(printed_in_one_form),
		cmocka_unit_test(long_lines_fit_again),
		cmocka_unit_test(values_that_are_right_nowhere),
		cmocka_unit_test(keys_that_are_none),
		cmocka_unit_test(sysctls),
		cmocka_unit_test(times),
		cmocka_unit_test(all_errors_in_one_run),
		cmocka_unit_test(lines_are_counted),
		cmocka_unit_test(equal_headers_are_refused),
		cmocka_unit_test(equal_keys_are_refused),
		cmocka_unit_test(empty_sections_are_seen),
		cmocka_unit_test(long_lines_are_refused),
		cmocka_unit_test(the_longest_line_is_read_whole),
		cmocka_unit_test(long_section_names_are_refused),
		cmocka_unit_test(headers_are_whole),
		cmocka_unit_test(indented_lines_are_lines),
		cmocka_unit_test(every_line_without_value_is_told),
		cmocka_unit_test(text_before_the_first_section),
		cmocka_unit_test(comments),
		cmocka_unit_test(byte_order_mark_and_dos_lines),
		cmocka_unit_test(what_is_no_text_is_one_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
