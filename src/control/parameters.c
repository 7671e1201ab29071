/* Reads the parameters of a call, strictly: what is unknown or of another kind is an error that names it. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "methods.h"

enum { WIDTH_MOST = 10000 };

void parameters_clear(struct parameters *parameters)
{
	strings_clear(&parameters->devices);
}

static bool read_devices(json_t *value, struct parameters *ret)
{
	json_t *name;
	size_t i;

	if (!json_is_array(value))
		return false;
	json_array_foreach(value, i, name)
	{
		if (!json_is_string(name))
			return false;
		strings_add(&ret->devices, json_string_value(name));
	}
	return true;
}

static bool read_device(json_t *value, struct parameters *ret)
{
	ret->device = json_string_value(value);
	return ret->device;
}

static bool read_number(json_t *value, json_int_t least, json_int_t most, unsigned *ret)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value) || number < least || number > most)
		return false;
	*ret = (unsigned)number;
	return true;
}

static bool read_confirm(json_t *value, struct parameters *ret)
{
	ret->confirm.set = read_number(value, 1, TRIAL_MOST, &ret->confirm.value);
	return ret->confirm.set;
}

static bool read_render(json_t *value, struct parameters *ret)
{
	json_t *colour = json_object_get(value, "colour");

	ret->rendered = true;
	ret->colour = json_is_true(colour);
	return json_object_size(value) == 2 && json_is_boolean(colour) &&
	       read_number(json_object_get(value, "width"), 0, WIDTH_MOST, &ret->width);
}

static const struct parameter {
	const char *name;
	unsigned bit;
	bool (*read)(json_t *value, struct parameters *ret);
} known[] = {
	{ "devices", TAKES_DEVICES, read_devices },
	{ "device", TAKES_DEVICE, read_device },
	{ "confirm", TAKES_CONFIRM, read_confirm },
	{ "render", TAKES_RENDER, read_render },
};

static bool read_one(const char *name, json_t *value, unsigned taken, struct parameters *ret)
{
	for (size_t i = 0; i < COUNT_OF(known); i++)
		if ((known[i].bit & taken) && strcmp(known[i].name, name) == 0)
			return json_is_null(value) || known[i].read(value, ret);
	return false;
}

static bool refuse(const struct request *request, const char *name)
{
	answer_error(request, "org.varlink.service.InvalidParameter", json_pack("{s:s}", "parameter", name));
	return false;
}

bool parameters_read(const struct request *request, unsigned taken, struct parameters *ret)
{
	CLEANUP(parameters_clear) struct parameters parameters = { 0 };
	const char *name;
	json_t *value;

	json_object_foreach(request->call->parameters, name, value)
	{
		if (!read_one(name, value, taken, &parameters))
			return refuse(request, name);
	}
	if ((taken & TAKES_DEVICE) && !parameters.device)
		return refuse(request, "device");
	*ret = parameters;
	parameters = (struct parameters){ 0 };
	return true;
}
