/* The values that were there before the first write: what revert goes by. */
#pragma once

#include <steer/apply.h>

struct original {
	enum setting setting;
	char *device; /* its name when it was recorded; NULL: the host */
	char *path;   /* of the device, what it is found by; NULL: the host */
	/* Of a virtual device, which is found by this: its path holds its name, which may change and be another's next.
	 * 0: not a virtual one, or not known. */
	unsigned ifindex;
	char *part; /* as in value.h */
	char *value;
	bool tried; /* added in the trial that is going on */
};

struct originals {
	char *run_directory;
	struct original *items; /* sorted when read or saved: by path, setting, part; that is the order of a plan */
	size_t n;
	bool changed;            /* since it was read or saved */
	struct originals *trial; /* what was there before the trial that is going on: added to and saved as this is */
};

/* Whether it is this nic's; nic NULL: whether it is the host's. */
bool original_is_of(const struct original *original, const struct machine *machine, const struct nic *nic);

/* Remembers a value unless one is remembered for the same thing already: the first one wins. nic NULL: the host. A NULL
 * value, or an interrupt without a part: nothing is known, nothing is remembered. */
void originals_add(struct originals *originals, const struct machine *machine, const struct nic *nic,
		   enum setting setting, const char *part, const char *value);

/* Remembers everything of a device that making its queues and interrupts anew may lose. */
void originals_add_device(struct originals *originals, const struct machine *machine, const struct nic *nic);

/* Whether this is remembered too. */
bool originals_have(const struct originals *originals, const struct original *original);

void originals_sort(struct originals *originals);
void originals_forget(struct originals *originals, size_t index);

/* Writes the file if anything changed, whole or not at all; removes it when nothing is remembered. -errno. */
int originals_save(struct originals *originals);
