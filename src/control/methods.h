/* What the control socket offers, as text, and reading parameters. */
#pragma once

#include "control.h"

const char *control_interface(void); /* the definition of io.steerd: io.steerd.varlink */

struct parameters { /* those that methods take; each may be absent */
	struct strings devices;
	const char *device; /* borrowed */
	struct opt_u32 confirm;
	bool rendered; /* text is wanted instead of a document */
	bool colour;
	unsigned width;
};

enum { /* which of them a method takes, bits */
       TAKES_DEVICES = 1 << 0,
       TAKES_DEVICE = 1 << 1,
       TAKES_CONFIRM = 1 << 2,
       TAKES_RENDER = 1 << 3,
};

/* Answers with an error and gives false when something is not as it should be. */
bool parameters_read(const struct request *request, unsigned taken, struct parameters *ret);
void parameters_clear(struct parameters *parameters); /* for CLEANUP */

struct rendering { /* text that becomes a value */
	FILE *out; /* to print to */
	char *text;
	size_t length;
};

void rendering_begin(struct rendering *rendering);
json_t *rendering_end(struct rendering *rendering);

void answer_policy_refused(const struct request *request, const struct notes *problems);
