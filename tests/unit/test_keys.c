/* The table of keys: each row is whole, its example is read and printed back, and steerd.ini(5) tells the same keys. */
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

#include "plan/keys.h"

static char *line_of(const struct key *key)
{
	if (strcmp(key->section, "sysctl") == 0)
		return alloc_string(key->example);
	return text_format("%s = %s", key->name, key->example);
}

static void rows_are_whole(void **state)
{
	const struct key *keys;
	size_t n = policy_keys(&keys);

	(void)state;
	assert_true(n > 30);
	for (size_t i = 0; i < n; i++) {
		assert_true(*keys[i].values && *keys[i].help && *keys[i].example);
		assert_true(keys[i].type || strcmp(keys[i].name, "net.*") == 0);
		assert_true(keys[i].least <= keys[i].most);
		for (size_t j = 0; j < i; j++)
			assert_false(strcmp(keys[i].name, keys[j].name) == 0 &&
				     strcmp(keys[i].section, keys[j].section) == 0);
	}
}

/* The lines around a key of [fmc], which means nothing without others. */
static void needed_by(const struct key *key, const char **ret_before, const char **ret_behind)
{
	bool fmc = strcmp(key->section, "fmc") == 0 && strcmp(key->name, "mode") != 0;

	*ret_before = fmc ? "mode = off\n" : "";
	*ret_behind = strcmp(key->section, "fmc") == 0 && !fmc ? "ports = mac9\n" : "";
	if (fmc && strcmp(key->name, "config") == 0) {
		*ret_before = "mode = files\n";
		*ret_behind = "policy = /policy.xml\n";
	} else if (fmc && strcmp(key->name, "policy") == 0) {
		*ret_before = "mode = files\nconfig = /config.xml\n";
	}
}

static void examples_are_read_and_printed(void **state)
{
	const struct key *keys;
	size_t n = policy_keys(&keys);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const char *before, *behind;
		CLEANUP(free_string) char *line = line_of(&keys[i]), *printed = NULL, *text = NULL;
		CLEANUP(policy_freep) struct policy *policy = NULL;
		CLEANUP(notes_clear) struct notes notes = { 0 };

		needed_by(&keys[i], &before, &behind);
		text = text_format("[%s%s]\n%s%s\n%s", keys[i].section, strcmp(keys[i].section, "nic") ? "" : " a",
				   before, line, behind);
		assert_int_equal(policy_parse("example.ini", text, &policy, &notes), 0);
		printed = policy_text(policy);
		assert_string_equal(printed, text);
	}
}

/* The line behind `from` that begins with `mark`, NULL at the end; *ret_rest is what stands behind the mark. */
static const char *next_line(const char *from, const char *mark, char *ret_rest, size_t size)
{
	for (const char *line = from; line; line = strchr(line, '\n'), line += line != NULL) {
		if (!text_starts(line, mark))
			continue;
		snprintf(ret_rest, size, "%.*s", (int)strcspn(line + strlen(mark), "\n"), line + strlen(mark));
		return strchr(line, '\n') + 1;
	}
	return NULL;
}

static char *manual(void)
{
	char *text = alloc_zero(1 << 16, 1);
	FILE *file = fopen(SOURCE_DIR "/man/steerd.ini.5", "r");

	assert_non_null(file);
	assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
	fclose(file);
	return text;
}

/* Key by key in the same order, each with the example of the table. */
static void manual_has_the_same_keys(void **state)
{
	CLEANUP(free_string) char *text = manual();
	const struct key *keys;
	size_t n = policy_keys(&keys);
	const char *at = text;
	char rest[256];

	(void)state;
	for (size_t i = 0; i < n; i++) {
		CLEANUP(free_string) char *line = line_of(&keys[i]);

		at = next_line(at, ".It Ic ", rest, sizeof rest);
		assert_non_null(at);
		rest[strcspn(rest, " ")] = '\0';
		assert_string_equal(rest, keys[i].name);
		assert_non_null(next_line(at, ".Dl ", rest, sizeof rest));
		assert_string_equal(rest, line);
	}
	assert_null(next_line(at, ".It Ic ", rest, sizeof rest));
}

static bool word_in(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at++)
		if ((at == text || strchr(" ,.:|(\n", at[-1])) && strchr(" ,.:|)\n", at[length]))
			return true;
	return false;
}

/* Each word that a key takes is in its `values` and in the manual. "none" is another spelling of "off". */
static void words_are_told(void **state)
{
	CLEANUP(free_string) char *text = manual();
	const struct key *keys;
	size_t n = policy_keys(&keys);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		for (const struct word *word = keys[i].words; word && word->word; word++) {
			assert_true(strcmp(word->word, "none") == 0 || word_in(keys[i].values, word->word));
			assert_true(word_in(text, word->word));
			assert_ptr_equal(word_find(keys[i].words, word->word), word);
			assert_int_equal(word_find(keys[i].words, word_of(keys[i].words, word->value))->value,
					 word->value);
		}
	}
	for (enum nic_kind kind = 0; kind < NIC_KINDS; kind++)
		assert_true(kind == NIC_LOOPBACK || word_in(text, nic_kind_name(kind)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(examples_are_read_and_printed),
		cmocka_unit_test(manual_has_the_same_keys),
		cmocka_unit_test(words_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
