/* What programs read: the keys of the JSON documents, in their order, and null for what is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "toy_machine.h"

static json_t *parsed(char *text)
{
	CLEANUP(free_string) char *owned = text;
	json_error_t error;
	json_t *document = json_loads(owned, JSON_REJECT_DUPLICATES, &error);

	assert_non_null(document);
	assert_int_equal(owned[strlen(owned) - 1], '\n');
	return document;
}

/* The keys of an object, in order, with blanks between. */
static void assert_keys(json_t *object, const char *expected)
{
	CLEANUP(strings_clear) struct strings keys = { 0 };
	CLEANUP(free_string) char *joined = NULL;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) strings_add(&keys, key);
	joined = strings_join(&keys, " ");
	assert_string_equal(joined, expected);
}

static json_t *member(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_non_null(value);
	return value;
}

#define assert_text(object, key, text) assert_string_equal(json_string_value(member((object), (key))), (text))
#define assert_number(object, key, number) assert_int_equal(json_integer_value(member((object), (key))), (number))
#define assert_null_at(object, key) assert_true(json_is_null(member((object), (key))))

static void a_machine_has_host_devices_findings(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	struct view view = { .machine = &machine };
	json_t *document, *host, *eth0, *queue, *irq;

	(void)state;
	toy_machine(&machine);
	document = parsed(printed(json_machine, &view));
	assert_keys(document, "host devices fman findings");
	host = member(document, "host");
	assert_keys(host, "cpus_online nodes isolated irqbalance flowtables kernel arch policy in_force changes");
	assert_text(host, "cpus_online", "0-7");
	assert_text(json_array_get(member(host, "nodes"), 1), "cpus", "4-7");
	assert_null_at(host, "policy");
	assert_null_at(host, "kernel");

	eth0 = json_array_get(member(document, "devices"), 1);
	assert_keys(eth0,
		    "name driver kind bus pci_id node local_cpus link speed master uppers lowers xdp channels pause "
		    "rings policy queues irqs");
	assert_number(eth0, "node", 0);
	assert_number(member(member(eth0, "channels"), "combined"), "count", 4);
	assert_null_at(member(member(eth0, "channels"), "rx"), "max");
	assert_null_at(member(member(eth0, "rings"), "rx"), "count");
	assert_null_at(eth0, "policy");

	assert_int_equal(json_array_size(member(eth0, "queues")), 4);
	queue = json_array_get(member(eth0, "queues"), 3);
	assert_keys(queue, "type index irq irq_cpus effective_cpus rps_cpus rps_flows xps_cpus xps_rxqs napi threaded");
	assert_text(queue, "type", "combined");
	assert_number(queue, "irq", 33);
	assert_text(queue, "irq_cpus", "3");
	assert_text(queue, "rps_cpus", "");
	assert_text(queue, "xps_cpus", "3");
	assert_null_at(queue, "effective_cpus");
	assert_null_at(queue, "napi");

	irq = json_array_get(member(eth0, "irqs"), 0);
	assert_text(irq, "role", "control");
	assert_null_at(irq, "queue");
	assert_number(json_array_get(member(eth0, "irqs"), 4), "queue", 3);
	json_decref(document);
}

/* Vectors of queues that the driver could have, and vectors of an rx and a tx queue that are not of one index. */
static void queues_are_those_that_exist(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	struct view view = { .machine = &machine };
	json_t *document, *eth0, *irq;

	(void)state;
	toy_machine(&machine);
	machine.nics[1].irqs[3].tx = SOME_U32(3); /* of rx 2 */
	machine.nics[1].irqs[4].rx = SOME_U32(7);
	machine.nics[1].irqs[4].tx = SOME_U32(7);
	document = parsed(printed(json_machine, &view));
	eth0 = json_array_get(member(document, "devices"), 1);
	assert_int_equal(json_array_size(member(eth0, "queues")), 6); /* combined 0-1, rx 2-3, tx 2-3 */
	irq = json_array_get(member(eth0, "irqs"), 3);
	assert_text(irq, "role", "combined");
	assert_number(irq, "queue", 2);
	irq = json_array_get(member(eth0, "irqs"), 4);
	assert_text(irq, "role", "combined");
	assert_number(irq, "queue", 7);
	json_decref(document);
}

static void only_the_named_devices_are_there(void **state)
{
	CLEANUP(machine_clear) struct machine machine;
	CLEANUP(strings_clear) struct strings devices = { 0 };
	struct view view = { .machine = &machine, .devices = &devices };
	json_t *document;

	(void)state;
	toy_machine(&machine);
	strings_add(&devices, "br-lan");
	document = parsed(printed(json_machine, &view));
	assert_int_equal(json_array_size(member(document, "devices")), 1);
	assert_null_at(json_array_get(member(document, "devices"), 0), "node");
	json_decref(document);
}

static void print_plan(FILE *out, const struct view *view)
{
	json_plan(out, view->plan);
}

static void a_plan_has_changes_unmet_skipped(void **state)
{
	CLEANUP(plan_clear) struct plan plan = { .policy = alloc_string("toy.ini") };
	struct view view = { .plan = &plan };
	json_t *document, *change, *skipped;

	(void)state;
	toy_change(&plan, SETTING_IRQ, CHANGE_TODO, "0-7", "3");
	plan.changes[0].queue = QUEUE_COMBINED;
	plan.changes[0].index = 3;
	plan.changes[0].irq = SOME_U32(33);
	plan.changes[0].target = alloc_string("/proc/irq/33/smp_affinity_list");
	toy_change(&plan, SETTING_PAUSE, CHANGE_SAME, "off", "off");
	toy_change(&plan, SETTING_RING_RX, CHANGE_SKIPPED, "256", "512");
	plan.changes[2].skipped = alloc_string("not for this device");
	strings_add(&plan.unmet, "iommu.passthrough=1");
	document = parsed(printed(print_plan, &view));
	assert_keys(document, "policy changes unmet skipped refused");
	assert_int_equal(json_array_size(member(document, "changes")), 1);
	change = json_array_get(member(document, "changes"), 0);
	assert_keys(change, "device setting queue irq from to target why policy stage resets_link");
	assert_text(change, "setting", "irq");
	assert_text(change, "queue", "combined-3");
	assert_number(change, "irq", 33);
	assert_text(change, "policy", "etc/toy.ini:7");
	skipped = json_array_get(member(document, "skipped"), 0);
	assert_text(skipped, "setting", "ring.rx");
	assert_text(skipped, "why", "not for this device");
	assert_null_at(skipped, "queue");
	assert_text(json_array_get(member(document, "unmet"), 0), "text", "iommu.passthrough=1");
	json_decref(document);
}

/* Interface names are bytes; JSON is UTF-8. */
static void bytes_that_are_no_text_are_replaced(void **state)
{
	CLEANUP(machine_clear) struct machine machine = { .nics = alloc_zero(1, sizeof(struct nic)), .nnics = 1 };
	struct view view = { .machine = &machine };
	json_t *document;

	(void)state;
	machine.nics[0] = (struct nic){ .name = alloc_string("eth\xff\x01"), .node = -1 };
	document = parsed(printed(json_machine, &view));
	assert_text(json_array_get(member(document, "devices"), 0), "name", "eth?\x01");
	json_decref(document);
}

static void print_report(FILE *out, const struct view *view)
{
	struct report report = { .plan = *view->plan, .rounds = 2, .writes = 1 };

	json_report(out, &report);
}

static void a_report_has_states_and_errors(void **state)
{
	CLEANUP(plan_clear) struct plan plan = { .policy = alloc_string("toy.ini") };
	struct view view = { .plan = &plan };
	json_t *document, *change;

	(void)state;
	toy_change(&plan, SETTING_IRQ, CHANGE_FAILED, "0-7", "3");
	plan.changes[0].error = -5;
	plan.changes[0].skipped = alloc_string("managed by the kernel");
	document = parsed(printed(print_report, &view));
	assert_keys(document, "policy rounds writes failed changes unmet skipped refused notes");
	assert_true(json_is_true(member(document, "failed")));
	change = json_array_get(member(document, "changes"), 0);
	assert_text(change, "state", "failed");
	assert_text(change, "said", "managed by the kernel");
	assert_number(change, "error", 5);
	json_decref(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_has_host_devices_findings),
		cmocka_unit_test(queues_are_those_that_exist),
		cmocka_unit_test(only_the_named_devices_are_there),
		cmocka_unit_test(a_plan_has_changes_unmet_skipped),
		cmocka_unit_test(bytes_that_are_no_text_are_replaced),
		cmocka_unit_test(a_report_has_states_and_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
