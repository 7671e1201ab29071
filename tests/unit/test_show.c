/* What people read: the words of show, plan and the report on a toy machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/pen.h"
#include "toy_machine.h"

#define assert_prints(text, part) assert_non_null(strstr((text), (part)))
#define assert_prints_no(text, part) assert_null(strstr((text), (part)))

static void devices_are_blocks(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	struct view view = { .machine = &machine };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_machine(&machine);
	text = printed(show_machine, &view);
	assert_string_equal(text, "8 CPUs online, 2 nodes (0-3; 4-7)   no policy   irqbalance inactive\n"
				  "\n"
				  "eth0     mlx5_core   25G up   node 0 (CPUs 0-3)\n"
				  "  channels  combined 4 of 8   pause on\n"
				  "  queues    0-3 -> CPU 0-3, one each, all local   RPS off   XPS follows\n"
				  "\n"
				  "br-lan   bridge      up       over eth0\n");
}

static void what_is_wanted_stands_beside_what_is(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	CLEANUP(plan_clear) struct plan plan = { .policy = alloc_string("toy") };
	struct policy policy = { .name = (char *)(uintptr_t) "toy" };
	struct view view = { .machine = &machine, .plan = &plan, .policy = &policy };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_machine(&machine);
	toy_change(&plan, SETTING_CHANNELS_COMBINED, CHANGE_TODO, "4", "2");
	toy_change(&plan, SETTING_PAUSE, CHANGE_SAME, "on", "on");
	toy_change(&plan, SETTING_RPS, CHANGE_TODO, "", "2");
	toy_change(&plan, SETTING_RPS, CHANGE_TODO, "", "3");
	text = printed(show_machine, &view);
	assert_prints(text, "policy toy, 3 changes to make");
	assert_prints(text, "combined 4 of 8, want 2");
	assert_prints(text, "RPS off, 2 to change");
	assert_prints_no(text, "pause on, want");
	assert_prints(text, "no section");
}

static void named_devices_show_every_queue(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	CLEANUP(strings_clear) struct strings devices = { 0 };
	struct view view = { .machine = &machine, .devices = &devices };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_machine(&machine);
	strings_add(&devices, "eth0");
	text = printed(show_machine, &view);
	assert_prints(text, "combined 3   33  mlx5_comp3  3         off  3\n");
	assert_prints(text, "control      29  mlx5_async  0-7\n");
	assert_prints_no(text, "br-lan");
	assert_prints_no(text, "NAPI"); /* nothing to say in that column */
}

static void findings_are_last_the_worst_at_the_end(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	struct finding items[] = {
		{ .level = NOTE_INFO, .code = "flat", .text = (char *)(uintptr_t) "cores are not known" },
		{ .level = NOTE_ERROR,
		  .code = "dead",
		  .device = (char *)(uintptr_t) "eth0",
		  .text = (char *)(uintptr_t) "a queue is dead",
		  .hint = (char *)(uintptr_t) "turn it off and on again" },
	};
	struct findings findings = { items, 2 };
	struct view view = { .machine = &machine, .findings = &findings };
	CLEANUP(free_string) char *text = NULL;
	const char *tail = "\ninfo     flat  cores are not known\n"
			   "error    dead  eth0: a queue is dead\n"
			   "               turn it off and on again\n";

	(void)state;
	toy_machine(&machine);
	text = printed(show_machine, &view);
	assert_string_equal(text + strlen(text) - strlen(tail), tail);
}

static void many_virtual_devices_are_one_line(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { .nics = alloc_zero(9, sizeof(struct nic)), .nnics = 9 };
	struct view view = { .machine = &machine };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_topology(&machine.topology);
	for (unsigned i = 0; i < 9; i++)
		machine.nics[i] =
			(struct nic){ .name = text_format("veth%u", i), .kind = NIC_VETH, .node = -1, .link = LINK_UP };
	text = printed(show_machine, &view);
	assert_prints(text, "9 veth devices without settings to show: veth0, veth1, veth2, veth3, ...\n");
	assert_prints_no(text, "veth5");
}

static void an_empty_machine_is_shown(void **state)
{
	struct machine machine = { 0 };
	struct view view = { .machine = &machine };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	text = printed(show_machine, &view);
	assert_string_equal(text, "0 CPUs online   no policy\n");
}

static void a_plan_is_a_table_with_reasons(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	CLEANUP(plan_clear) struct plan plan = { .policy = alloc_string("etc/toy.ini") };
	struct view view = { .machine = &machine, .plan = &plan };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_machine(&machine);
	toy_change(&plan, SETTING_CHANNELS_COMBINED, CHANGE_TODO, "4", "2");
	plan.changes[0].cost = COST_LINK_RESET | COST_RENUMBERS;
	toy_change(&plan, SETTING_PAUSE, CHANGE_SKIPPED, "on", "off");
	plan.changes[1].skipped = alloc_string("the driver has no pause");
	for (unsigned i = 0; i < 3; i++) {
		toy_change(&plan, SETTING_RPS, CHANGE_TODO, NULL, i < 2 ? "0-3" : "");
		plan.changes[2 + i].stage = 2;
		plan.changes[2 + i].queue = QUEUE_RX;
		plan.changes[2 + i].index = i;
	}
	text = printed(show_plan, &view);
	assert_string_equal(
		text, "policy etc/toy.ini: 4 changes\n"
		      "\n"
		      "eth0: 4 changes, the link goes down for a moment\n"
		      "  setting            change  policy     why\n"
		      "  channels.combined  4 -> 2  toy.ini:7  because the policy says so\n"
		      "\n"
		      "  then, a forecast: queues and interrupts are made anew, and this is planned again for them\n"
		      "  setting  queue   change       policy     why\n"
		      "  rps      rx 0-1  -> CPUs 0-3  toy.ini:7  because the policy says so\n"
		      "  rps      rx 2    -> off       toy.ini:7  because the policy says so\n"
		      "\n"
		      "  left alone  setting  wanted     why not\n"
		      "  eth0        pause    on -> off  the driver has no pause\n");
}

static void what_is_left_alone_for_one_reason_is_one_line(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	CLEANUP(plan_clear) struct plan plan = { .policy = alloc_string("toy") };
	struct view view = { .machine = &machine, .plan = &plan };
	CLEANUP(free_string) char *text = NULL;

	(void)state; /* rx and tx take turns, and tx 1 differs */
	toy_machine(&machine);
	for (unsigned i = 0; i < 6; i++) {
		toy_change(&plan, SETTING_IRQ, CHANGE_SKIPPED, "0", "1");
		plan.changes[i].queue = i % 2 ? QUEUE_TX : QUEUE_RX;
		plan.changes[i].index = i / 2;
		plan.changes[i].skipped = alloc_string(i == 3 ? "it is shared" : "the kernel manages it");
	}
	text = printed(show_plan, &view);
	assert_string_equal(text, "policy toy: nothing to do\n"
				  "\n"
				  "  left alone  setting  queue           wanted          why not\n"
				  "  eth0        irq      rx 0-2, tx 0,2                  the kernel manages it\n"
				  "  eth0        irq      tx 1            CPU 0 -> CPU 1  it is shared\n");
}

static void nothing_to_do_is_one_line(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	CLEANUP(plan_clear) struct plan plan = { .policy = alloc_string("toy") };
	struct view view = { .machine = &machine, .plan = &plan };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_machine(&machine);
	toy_change(&plan, SETTING_PAUSE, CHANGE_SAME, "on", "on");
	text = printed(show_plan, &view);
	assert_string_equal(text, "policy toy: nothing to do\n");
}

static void an_explanation_has_section_keys_and_queues(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	CLEANUP(strings_clear) struct strings devices = { 0 };
	struct view view = { .machine = &machine, .plan = &plan, .devices = &devices };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_machine(&machine);
	assert_int_equal(
		policy_parse("toy.ini",
			     "[nic others]\nmatch.name = wlan0\nrps = off\n"
			     "[nic ports]\nmatch.name = eth*\ncpus = cores(local)\nirq = spread\nring.rx = max\n",
			     &policy, &notes),
		0);
	view.policy = policy;
	plan_make(&machine, policy, NULL, &plan);
	strings_add(&devices, "eth0");
	text = printed(show_explain, &view);
	assert_prints(text, "eth0: section [nic ports] of policy toy.ini\n");
	assert_prints(text, "[nic others]"); /* and why it does not match */
	assert_prints(text, "6  cpus");
	assert_prints(text, "0-3");
	assert_prints(text, "7  irq");
	assert_prints(text, "4 as they are");
	assert_prints(text, "left alone: the driver has no ring sizes to set");
	assert_prints(text, "combined 3  CPU 3");
	strings_add(&devices, "br-lan");
	free_string(&text);
	text = printed(show_explain, &view);
	assert_prints(text, "br-lan: no section of policy toy.ini matches");
}

static char *printed_report(const struct report *report)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	show_report(out, report, false);
	fclose(out);
	return text;
}

static void a_report_says_what_failed_and_why(void **state)
{
	CLEANUP(report_clear) struct report report = { .rounds = 2, .writes = 3 };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_change(&report.plan, SETTING_XPS, CHANGE_DONE, "", "1");
	toy_change(&report.plan, SETTING_XPS, CHANGE_DONE, "", "1");
	toy_change(&report.plan, SETTING_IRQ, CHANGE_FAILED, "0", "1");
	report.plan.changes[2].skipped = alloc_string("managed by the kernel");
	report.plan.changes[2].queue = QUEUE_TX;
	report.plan.changes[2].index = 3;
	text = printed_report(&report);
	assert_string_equal(text, "  device  setting  change                result  why\n"
				  "  eth0    xps      2 queues -> CPU 1     done\n"
				  "  eth0    irq      tx 3: CPU 0 -> CPU 1  failed  managed by the kernel\n"
				  "2 done, 1 failed, 3 written, in 2 rounds\n");
}

static void a_report_makes_no_value_of_what_cannot_be_had(void **state)
{
	CLEANUP(report_clear) struct report report = { .rounds = 1 };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		toy_change(&report.plan, SETTING_RPS, CHANGE_SKIPPED, "", NULL);
		report.plan.changes[i].skipped = alloc_string("all are isolated");
	}
	text = printed_report(&report);
	assert_string_equal(text, "  device  setting  change    result   why\n"
				  "  eth0    rps      2 queues  skipped  all are isolated\n"
				  "nothing to do\n");
}

static void a_report_of_nothing_says_so(void **state)
{
	struct report report = { .rounds = 1 };
	CLEANUP(free_string) char *text = printed_report(&report);

	(void)state;
	assert_string_equal(text, "nothing to do\n");
}

/* Names come from outside: an escape sequence in one must not reach the terminal. */
static void control_characters_are_not_printed(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { .nics = alloc_zero(1, sizeof(struct nic)), .nnics = 1 };
	CLEANUP(strings_clear) struct strings devices = { 0 };
	struct view view = { .machine = &machine, .devices = &devices };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_topology(&machine.topology);
	toy_nic(&machine.nics[0], "eth\033[31m", 1, 0);
	strings_add(&devices, "eth\033[31m");
	free(machine.nics[0].irqs[0].name);
	machine.nics[0].irqs[0].name = alloc_string("\033]0;title\007");
	text = printed(show_machine, &view);
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\007'));
}

static void colour_is_there_only_when_wanted(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	struct view view = { .machine = &machine, .colour = true };
	CLEANUP(free_string) char *text = NULL;

	(void)state;
	toy_machine(&machine);
	text = printed(show_machine, &view);
	assert_prints(text, "\033[1meth0\033[0m");
}

static void lines_are_as_wide_as_the_terminal(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	CLEANUP(plan_clear) struct plan plan = { .policy = alloc_string("toy") };
	struct view view = { .machine = &machine, .plan = &plan, .width = 60 };
	CLEANUP(free_string) char *show = NULL;
	CLEANUP(free_string) char *planned = NULL;
	CLEANUP(strings_clear) struct strings lines = { 0 };

	(void)state;
	toy_machine(&machine);
	toy_change(&plan, SETTING_CHANNELS_COMBINED, CHANGE_TODO, "4", "2");
	show = printed(show_machine, &view);
	planned = printed(show_plan, &view);
	strings_split(&lines, show, "\n");
	strings_split(&lines, planned, "\n");
	for (size_t i = 0; i < lines.n; i++)
		assert_in_range(text_columns(lines.items[i]), 0, 60);
	assert_prints(planned, "because the policy\n"); /* broken between words */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_are_blocks),
		cmocka_unit_test(what_is_wanted_stands_beside_what_is),
		cmocka_unit_test(named_devices_show_every_queue),
		cmocka_unit_test(findings_are_last_the_worst_at_the_end),
		cmocka_unit_test(many_virtual_devices_are_one_line),
		cmocka_unit_test(an_empty_machine_is_shown),
		cmocka_unit_test(a_plan_is_a_table_with_reasons),
		cmocka_unit_test(what_is_left_alone_for_one_reason_is_one_line),
		cmocka_unit_test(nothing_to_do_is_one_line),
		cmocka_unit_test(an_explanation_has_section_keys_and_queues),
		cmocka_unit_test(a_report_says_what_failed_and_why),
		cmocka_unit_test(a_report_makes_no_value_of_what_cannot_be_had),
		cmocka_unit_test(a_report_of_nothing_says_so),
		cmocka_unit_test(control_characters_are_not_printed),
		cmocka_unit_test(colour_is_there_only_when_wanted),
		cmocka_unit_test(lines_are_as_wide_as_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
