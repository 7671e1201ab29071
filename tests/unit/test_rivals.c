/* Who is suspected of a change: whoever runs here and sets such a thing, else nobody in particular. */
#include "captured.h"

#include <string.h>

#include "watch/rivals.h"

static int setup(void **state)
{
	*state = captured_new("c240");
	return 0;
}

static int teardown(void **state)
{
	captured_free(*state);
	return 0;
}

static void run(struct captured *captured, unsigned pid, const char *name)
{
	captured_run("mkdir -p '%s/proc/%u' && echo '%s' >'%s/proc/%u/comm'", captured->tree, pid, name, captured->tree,
		     pid);
}

static void suspects(struct captured *captured, enum setting setting, const char *expected)
{
	struct rival_search search = { .host = captured->host };
	char name[] = "ens2f0np0";
	const struct change change = { .setting = setting, .device = name };

	assert_string_equal(rival_likely(&search, &change), expected);
	free(search.words);
}

static void nobody_in_particular(void **state)
{
	run(*state, 1, "systemd");
	run(*state, 812, "irqbalancer");
	for (unsigned setting = 0; setting < SETTINGS; setting++)
		suspects(*state, (enum setting)setting, "an administrator or a script");
}

static void irqbalance_moves_interrupts(void **state)
{
	run(*state, 812, "irqbalance");
	suspects(*state, SETTING_IRQ, "irqbalance");
	suspects(*state, SETTING_IRQ_CONTROL, "irqbalance");
	suspects(*state, SETTING_RPS, "an administrator or a script");
	suspects(*state, SETTING_CHANNELS_COMBINED, "an administrator or a script");
}

static void tuned_sets_devices(void **state)
{
	run(*state, 9, "tuned");
	suspects(*state, SETTING_CHANNELS_COMBINED, "tuned");
	suspects(*state, SETTING_RING_RX, "tuned");
	suspects(*state, SETTING_PAUSE, "tuned");
	suspects(*state, SETTING_SYSCTL, "tuned");
	suspects(*state, SETTING_IRQ, "tuned");
	suspects(*state, SETTING_XPS, "an administrator or a script");
	run(*state, 812, "irqbalance"); /* which is the likelier one for interrupts */
	suspects(*state, SETTING_IRQ, "irqbalance");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nobody_in_particular, setup, teardown),
		cmocka_unit_test_setup_teardown(irqbalance_moves_interrupts, setup, teardown),
		cmocka_unit_test_setup_teardown(tuned_sets_devices, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
