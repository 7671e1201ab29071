/* Changes: every setting has a word that leads back, copies own their texts, and flow control has one text a state. */
#include <errno.h>

#include "fixture.h"

static void settings_have_words(void **state)
{
	(void)state;
	for (enum setting setting = 0; setting < SETTINGS; setting++) {
		enum setting back;

		assert_non_null(setting_name(setting));
		assert_int_equal(setting_parse(setting_name(setting), &back), 0);
		assert_int_equal(back, setting);
	}
	assert_int_equal(setting_parse("chanels", &(enum setting){ 0 }), -EINVAL);
	for (enum change_state s = CHANGE_SAME; s <= CHANGE_GONE; s++)
		assert_string_not_equal(change_state_name(s), "?");
}

static void queues_have_names(void **state)
{
	struct change change = { .queue = QUEUE_COMBINED, .index = 12 };
	CLEANUP(free_string) char *name = change_queue(&change);

	(void)state;
	assert_string_equal(name, "combined-12");
	change.queue = QUEUE_NONE;
	assert_null(change_queue(&change));
}

static void copies_own_their_texts(void **state)
{
	CLEANUP(change_clear) struct change copy = { 0 };
	struct change change = { .setting = SETTING_RPS, .index = 3, .to = alloc_string("1-3") };

	(void)state;
	change_copy(&copy, &change);
	change_clear(&change);
	assert_null(change.to);
	assert_string_equal(copy.to, "1-3");
	assert_int_equal(copy.index, 3);
	assert_null(copy.from);
}

static void pause_texts_lead_back(void **state)
{
	static const char *const texts[] = {
		"off", "on", "rx", "tx", "autoneg", "autoneg (rx on, tx off)", "autoneg (rx off, tx off)",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct pause pause;
		CLEANUP(free_string) char *text = NULL;

		assert_int_equal(pause_parse(texts[i], &pause), 0);
		text = pause_text(&pause);
		assert_string_equal(text, texts[i]);
	}
	assert_null(pause_text(&(struct pause){ 0 }));
}

static void damaged_pause_texts_are_refused(void **state)
{
	static const char *const texts[] = {
		"", "of", "autoneg (", "autoneg (rx on)", "autoneg (rx on, tx maybe)", "autoneg (tx on, rx on)"
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct pause pause = { .rx = SOME_BOOL(true) };

		assert_int_equal(pause_parse(texts[i], &pause), -EINVAL);
		assert_true(pause.rx.value); /* untouched */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_have_words),
		cmocka_unit_test(queues_have_names),
		cmocka_unit_test(copies_own_their_texts),
		cmocka_unit_test(pause_texts_lead_back),
		cmocka_unit_test(damaged_pause_texts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
