/* Folding of placements into patterns, and the pairing of rx and tx queues. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/fold.h"
#include "show/rows.h"
#include "toy_machine.h"

/* "0|1|2-3" are the CPUs of queues 0, 1, 2; "?" is not known. */
static size_t spots_of(const char *text, struct spot *spots, struct strings *words)
{
	strings_split(words, text, "|");
	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->items[i];

		spots[i] = (struct spot){ .index = (unsigned)i };
		if (strcmp(word, "?") != 0)
			spots[i].cpus = cpus(strcmp(word, "-") == 0 ? "" : word);
	}
	return words->n;
}

static void release(struct spot *spots, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cpuset_free((cpuset *)(uintptr_t)spots[i].cpus);
}

static void placements_fold(void **state)
{
	static const struct {
		const char *spots, *text;
	} cases[] = {
		{ "0|1|2|3", "0-3 -> CPU 0-3, one each, all local" },
		{ "2", "0 -> CPU 2, local" },
		{ "6", "0 -> CPU 6, on node 1" },
		{ "0|1|2|3|4|5|6|7", "0-3 -> CPU 0-3; 4-7 -> CPU 4-7, on node 1, one each" },
		{ "0|1|0|1", "0-1 -> CPU 0-1; 2-3 -> CPU 0-1, all local" },
		{ "3|2|1|0", "0 -> CPU 3; 1 -> CPU 2; 2 -> CPU 1; 3 -> CPU 0, one each, all local" },
		{ "0|0|0|0", "0-3 -> CPU 0, all local" },
		{ "0-7|0-7", "0-1 -> any CPU" },
		{ "0-3|0-3", "0-1 -> CPUs 0-3, all local" },
		{ "0|?|2", "0 -> CPU 0; 1 -> ?; 2 -> CPU 2" },
		{ "3|2|1|0|3|2|1|0", "8 queues on 4 CPUs, up to 2 on one" },
		{ "7|6|5|4|3|2|1|0", "8 queues on as many CPUs, in no order, 4 remote" },
		{ "0-3|1|0-2|1|0-3|1|2", "7 queues, each placed otherwise" },
	};
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(cpuset_freep) cpuset *local = cpus("0-3");

	(void)state;
	toy_topology(&machine.topology);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct spot spots[8];
		CLEANUP(strings_clear) struct strings words = { 0 };
		size_t n = spots_of(cases[i].spots, spots, &words);
		CLEANUP(free_string) char *text = fold_spots(&machine.topology, local, spots, n);

		assert_string_equal(text, cases[i].text);
		release(spots, n);
	}
}

static void sets_fold(void **state)
{
	static const struct {
		const char *spots, *text;
	} cases[] = {
		{ "-|-|-", "off" },
		{ "1|1", "CPU 1" },
		{ "0-7|0-7", "any CPU" },
		{ "1-3|1-3", "CPUs 1-3" },
		{ "-|1|1", "0 -> off; 1-2 -> CPU 1" },
		{ "0|1|2", "0-2 -> CPU 0-2" },
		{ "3|2|1|0|3|2|1", "differs by queue" },
	};
	CLEANUP(machine_clear) struct machine machine = { 0 };

	(void)state;
	toy_topology(&machine.topology);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct spot spots[8];
		CLEANUP(strings_clear) struct strings words = { 0 };
		size_t n = spots_of(cases[i].spots, spots, &words);
		CLEANUP(free_string) char *text = fold_sets(&machine.topology, spots, n);

		assert_string_equal(text, cases[i].text);
		release(spots, n);
	}
}

static void long_lists_are_cut(void **state)
{
	CLEANUP(cpuset_freep) cpuset *even = cpuset_new();
	CLEANUP(cpuset_freep) cpuset *odd_one = cpuset_new();
	CLEANUP(free_string) char *text = NULL;
	CLEANUP(free_string) char *irregular = NULL;

	(void)state;
	for (unsigned i = 0; i < 40; i += 2)
		cpuset_add(even, i);
	text = cpus_text(NULL, even);
	assert_string_equal(text, "CPUs 0,2,..,38");
	cpuset_add_all(odd_one, even);
	cpuset_add(odd_one, 41);
	irregular = cpus_text(NULL, odd_one);
	assert_string_equal(irregular, "CPUs 0 to 41, 21 of them");
}

static void queues_pair_by_interrupt(void **state)
{
	struct nic nic = { 0 };
	struct row *rows;

	(void)state;
	toy_nic(&nic, "eth0", 4, 0);
	assert_int_equal(rows_make(&nic, &rows), 4);
	assert_int_equal(rows[3].type, QUEUE_COMBINED);
	assert_int_equal(rows[3].irq->number, 33);
	assert_ptr_equal(rows[3].rx, &nic.queues[3]);
	assert_ptr_equal(rows[3].tx, &nic.queues[7]);
	free(rows);

	/* virtio: rx and tx have vectors of their own, although channels are combined */
	for (unsigned i = 0; i < 4; i++)
		nic.irqs[i + 1].tx = (struct opt_u32){ 0 };
	assert_int_equal(rows_make(&nic, &rows), 8);
	assert_int_equal(rows[0].type, QUEUE_RX);
	assert_int_equal(rows[4].type, QUEUE_TX);
	assert_int_equal(rows[4].index, 0);
	assert_null(rows[4].irq);
	free(rows);

	/* nothing known of interrupts: what ethtool calls combined is shown so */
	for (unsigned i = 0; i < 4; i++)
		nic.irqs[i + 1].rx = (struct opt_u32){ 0 };
	nic.channels.count[CHANNEL_COMBINED] = SOME_U32(3);
	assert_int_equal(rows_make(&nic, &rows), 5);
	assert_int_equal(rows[2].type, QUEUE_COMBINED);
	assert_int_equal(rows[3].type, QUEUE_RX);
	assert_int_equal(rows[4].type, QUEUE_TX);
	free(rows);
	nic_clear(&nic);
}

static void napi_is_found_by_interrupt_or_queue(void **state)
{
	struct nic nic = { 0 };
	struct row *rows;

	(void)state;
	toy_nic(&nic, "eth0", 2, 0);
	nic.napis = alloc_zero(2, sizeof *nic.napis);
	nic.nnapis = 2;
	nic.napis[0] = (struct napi){ .id = 8193, .irq = SOME_U32(31) };
	nic.napis[1] = (struct napi){ .id = 8194, .rx = alloc_zero(1, sizeof(uint32_t)), .nrx = 1 };
	assert_int_equal(rows_make(&nic, &rows), 2);
	assert_int_equal(rows[0].napi.value, 8194);
	assert_int_equal(rows[1].napi.value, 8193);
	free(rows);
	nic_clear(&nic);
}

/* An interrupt may name a queue that sysfs does not have, and any number. */
static void interrupts_without_queues_have_rows(void **state)
{
	struct irq irq = { .number = 9, .role = IRQ_RX, .rx = SOME_U32(4294967295u) };
	struct nic nic = { .irqs = &irq, .nirqs = 1 };
	struct row *rows;

	(void)state;
	assert_int_equal(rows_make(&nic, &rows), 1);
	assert_int_equal(rows[0].index, 4294967295u);
	assert_null(rows[0].rx);
	free(rows);
}

/* virtio keeps vectors for all queues it could have. */
static void vectors_of_queues_not_in_use_are_no_rows(void **state)
{
	struct nic nic = { 0 };
	struct row *rows;

	(void)state;
	toy_nic(&nic, "eth0", 4, 0);
	nic.irqs[4].rx = nic.irqs[4].tx = SOME_U32(7);
	assert_int_equal(rows_make(&nic, &rows), 5); /* queue 3 has no interrupt: rx 3 and tx 3 are apart */
	assert_int_equal(rows[3].index, 3);
	assert_false(rows_have(rows, 5, &nic.irqs[4]));
	assert_true(rows_have(rows, 5, &nic.irqs[3]));
	free(rows);
	nic_clear(&nic);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(placements_fold),
		cmocka_unit_test(sets_fold),
		cmocka_unit_test(long_lists_are_cut),
		cmocka_unit_test(queues_pair_by_interrupt),
		cmocka_unit_test(napi_is_found_by_interrupt_or_queue),
		cmocka_unit_test(vectors_of_queues_not_in_use_are_no_rows),
		cmocka_unit_test(interrupts_without_queues_have_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
