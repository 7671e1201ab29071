/* JSON values and how they are printed: keys in the order in which they were added, two blanks of indentation. */
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/json.h>

json_t *json_or_end(json_t *value)
{
	if (!value)
		abort();
	return value;
}

/* jansson refuses what is no UTF-8: then each byte above ASCII becomes "?". */
json_t *json_text(const char *text)
{
	json_t *value = text ? json_string(text) : json_null();
	CLEANUP(free_string) char *copy = NULL;

	if (value)
		return value;
	copy = alloc_string(text);
	for (char *at = copy; *at; at++)
		if ((unsigned char)*at >= 0x80)
			*at = '?';
	return json_or_end(json_string(copy));
}

json_t *json_taken(char *text)
{
	CLEANUP(free_string) char *owned = text;

	return json_text(owned);
}

json_t *json_cpus(const cpuset *cpus)
{
	return cpus ? json_taken(cpuset_list(cpus)) : json_null();
}

json_t *json_u32(struct opt_u32 value)
{
	return value.set ? json_or_end(json_integer(value.value)) : json_null();
}

json_t *json_flag(struct opt_bool value)
{
	return value.set ? json_boolean(value.value) : json_null();
}

json_t *json_names(const struct strings *names)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; i < names->n; i++)
		json_element(array, json_text(names->items[i]));
	return array;
}

json_t *json_note(const struct note *note)
{
	json_t *object = json_or_end(json_object());

	json_member(object, "level", json_text(note_level_name(note->level)));
	json_member(object, "subject", json_text(note->subject));
	json_member(object, "text", json_text(note->text));
	json_member(object, "hint", json_text(note->hint));
	json_member(object, "file", json_text(note->file));
	json_member(object, "line", note->line ? json_integer(note->line) : json_null());
	json_member(object, "column", note->column ? json_integer(note->column) : json_null());
	return object;
}

json_t *json_notes(const struct notes *notes)
{
	json_t *array = json_or_end(json_array());

	for (size_t i = 0; i < notes->n; i++)
		json_element(array, json_note(&notes->items[i]));
	return array;
}

void json_member(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) < 0)
		abort();
}

void json_element(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) < 0)
		abort();
}

void json_print(FILE *out, json_t *document)
{
	json_dumpf(document, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(document);
}
