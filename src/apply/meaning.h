/* What a refusal by the kernel means. */
#pragma once

#include <steer/machine.h>
#include <steer/plan.h>

struct refusal {
	enum setting setting;
	int error;        /* -errno */
	const char *said; /* the kernel's own explanation, or NULL */
	const char *device;
	enum link_state link;
	bool gone; /* the device is not there any more */
	bool root; /* steerd runs as root */
};

struct meaning {
	enum change_state state;
	bool once_more; /* worth one more try in the same run */
	bool no_vector; /* another CPU may have a free interrupt vector */
	bool read_only; /* true of the whole host */
};

/* *ret_words: what it means, the errno, the kernel's text and a hint, in one line; the caller frees. */
struct meaning meaning_of(const struct refusal *refusal, char **ret_words);
