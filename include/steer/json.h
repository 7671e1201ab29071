/* Building JSON values that cannot fail, and the documents of show, plan and apply as such values, for whoever prints
 * or sends them (steerctl(8), JSON). Hides nothing of jansson. */
#pragma once

#include <stdio.h>

#include <jansson.h>

#include <steer/show.h>

json_t *json_or_end(json_t *value);

/* A string, also of bytes that are no UTF-8 (they become "?"); NULL is null. */
json_t *json_text(const char *text);
json_t *json_taken(char *text); /* the same, and frees it */

json_t *json_cpus(const cpuset *cpus); /* a kernel list; NULL is null */
json_t *json_u32(struct opt_u32 value);
json_t *json_flag(struct opt_bool value);
json_t *json_names(const struct strings *names);
json_t *json_note(const struct note *note);
json_t *json_notes(const struct notes *notes);

/* Adds a member or an element and takes the value over. */
void json_member(json_t *object, const char *key, json_t *value);
void json_element(json_t *array, json_t *value);

/* The documents; the caller lets go of them. */
json_t *json_of_machine(const struct view *view);
json_t *json_of_fman(const struct view *view); /* a part of the machine's */
json_t *json_of_plan(const struct plan *plan);
json_t *json_of_report(const struct report *report);

/* Prints a document and a newline, and lets go of it. */
void json_print(FILE *out, json_t *document);
