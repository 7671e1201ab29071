/* Calls and replies as texts, and back. Knows no method. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <steer/cleanup.h>
#include <steer/text.h>
#include <steer/wire.h>

static void free_json(json_t **json)
{
	json_decref(*json);
	*json = NULL;
}

/* ---- limits ----------------------------------------------------------------------------------------------------- */

bool json_is_flat(const char *text, unsigned deepest)
{
	bool in_string = false;
	unsigned depth = 0;

	for (const char *at = text; *at; at++) {
		if (in_string && *at == '\\' && at[1])
			at++;
		else if (*at == '"')
			in_string = !in_string;
		else if (!in_string && (*at == '{' || *at == '['))
			depth++;
		else if (!in_string && (*at == '}' || *at == ']') && depth > 0)
			depth--;
		if (depth > deepest)
			return false;
	}
	return true;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

void call_clear(struct call *call)
{
	free(call->method);
	json_decref(call->parameters);
	*call = (struct call){ 0 };
}

/* An object, one that is absent or null too; NULL: something else. */
static json_t *object_member(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!value || json_is_null(value))
		return json_object();
	return json_is_object(value) ? json_incref(value) : NULL;
}

/* false when it is absent or null. */
static int flag_member(json_t *object, const char *key, bool *ret)
{
	json_t *value = json_object_get(object, key);

	if (value && !json_is_null(value) && !json_is_boolean(value))
		return -EBADMSG;
	*ret = json_is_true(value);
	return 0;
}

int call_parse(const char *message, struct call *ret)
{
	CLEANUP(call_clear) struct call call = { 0 };
	CLEANUP(free_json) json_t *object = NULL;

	if (json_is_flat(message, WIRE_DEEPEST))
		object = json_loads(message, JSON_REJECT_DUPLICATES, NULL);
	if (!json_is_object(object) || !json_is_string(json_object_get(object, "method")))
		return -EBADMSG;
	call.method = alloc_string(json_string_value(json_object_get(object, "method")));
	call.parameters = object_member(object, "parameters");
	if (!call.parameters || flag_member(object, "more", &call.more) < 0 ||
	    flag_member(object, "oneway", &call.oneway) < 0 || flag_member(object, "upgrade", &call.upgrade) < 0)
		return -EBADMSG;
	*ret = call;
	call = (struct call){ 0 };
	return 0;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Takes the document over. */
static char *text_of(json_t *document)
{
	char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;

	if (!text)
		abort();
	json_decref(document);
	return text;
}

char *call_text(const char *method, json_t *parameters, bool more)
{
	json_t *document = json_pack("{s:s, s:o*}", "method", method, "parameters", parameters);

	if (more)
		json_object_set_new(document, "more", json_true());
	return text_of(document);
}

char *reply_text(json_t *parameters, bool continues)
{
	json_t *document = json_pack("{s:o}", "parameters", parameters ? parameters : json_object());

	if (continues)
		json_object_set_new(document, "continues", json_true());
	return text_of(document);
}

char *error_text(const char *name, json_t *parameters)
{
	return text_of(json_pack("{s:s, s:o}", "error", name, "parameters", parameters ? parameters : json_object()));
}
