/* Reading the form of a policy: lines, sections, keys. What they mean is not known here. */
#pragma once

#include <steer/note.h>
#include <steer/policy.h>

struct spot { /* where the reader is */
	struct origin at;
	unsigned name_column, value_column;
};

struct listener { /* told of every section and key, in order */
	void (*section)(void *user, const struct spot *spot, const char *kind, const char *name); /* name "": none */
	void (*key)(void *user, const struct spot *spot, const char *key, const char *value);
	void *user;
};

/* Reads a whole text of a file. Errors of form are in notes. */
void policy_read(const char *file, const char *text, size_t length, const struct listener *listener,
		 struct notes *notes);
