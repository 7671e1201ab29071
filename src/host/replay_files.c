/* Writes to a captured tree: single values as the kernel stores them, and the queue directories of a device. */
#include "replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "tree.h"

/* ---- values ---------------------------------------------------------------------------------------------------- */

static int replace(struct host *host, const char *path, const char *now, const char *then)
{
	size_t length = strlen(now);
	bool newline = length == 0 || now[length - 1] == '\n';
	CLEANUP(free_string) char *text = text_format("%s%s", then, newline ? "\n" : "");

	return text_equal(text, now) ? 0 : root_replace(host, path, text);
}

/* An affinity has two files, a list and a mask. Where the capture has both, both change. */
static int replace_twin(struct host *host, const char *path, const char *written)
{
	size_t stem = strlen("smp_affinity") + (size_t)(strstr(path, "smp_affinity") - path);
	bool list = path[stem];
	CLEANUP(free_string) char *twin = text_format("%.*s%s", (int)stem, path, list ? "" : "_list");
	CLEANUP(free_string) char *now = NULL, *then = NULL;
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	size_t length;

	if (root_read(host, twin, &now, &length) < 0)
		return 0;
	if ((list ? cpuset_parse_list(written, &set) : cpuset_parse_mask(written, &set)) < 0)
		return 0;
	then = list ? cpuset_mask(set, replay_mask_width(host, now)) : cpuset_list(set);
	return replace(host, twin, now, then);
}

static bool is_affinity(const char *path)
{
	return text_starts(path, "proc/irq/") && strstr(path, "/smp_affinity");
}

int replay_write(struct host *host, const char *path, const char *value)
{
	CLEANUP(free_string) char *now = NULL, *then = NULL;
	unsigned mode = 0;
	size_t length;
	int r = host_file_mode(host, path, &mode);

	if (r < 0)
		return r;
	if (!(mode & 0222)) /* the kernel's sign that this interrupt is not to be moved, even by root */
		return -EPERM;
	r = root_read(host, path, &now, &length);
	if (r == 0)
		r = replay_form(host, path, value, now, &then);
	if (r == 0)
		r = replace(host, path, now, then);
	return r == 0 && is_affinity(path) ? replace_twin(host, path, then) : r;
}

/* ---- queue directories ----------------------------------------------------------------------------------------- */

/* An empty mask, as wide as the one that is there. */
static void clear_mask(struct host *host, const char *directory, const char *name)
{
	CLEANUP(free_string) char *path = text_format("%s/%s", directory, name), *text = NULL;
	size_t length;

	if (root_read(host, path, &text, &length) < 0)
		return;
	for (char *c = text; *c; c++)
		if (*c != ',' && *c != '\n')
			*c = '0';
	root_replace(host, path, text);
}

static int make_queue(struct host *host, const char *first, const char *directory)
{
	CLEANUP(free_string) char *flows = text_format("%s/rps_flow_cnt", directory);
	int r = tree_copy(host, first, directory);

	if (r < 0)
		return r;
	clear_mask(host, directory, "rps_cpus");
	clear_mask(host, directory, "xps_cpus");
	clear_mask(host, directory, "xps_rxqs");
	if (host_exists(host, flows))
		root_replace(host, flows, "0\n");
	return 0;
}

/* Removes the directories of queues >= n, and makes those that are missing as the first one is. */
static int resize(struct host *host, const char *queues, const char *prefix, unsigned n)
{
	CLEANUP(free_string) char *first = text_format("%s/%s0", queues, prefix);
	CLEANUP(strings_clear) struct strings names = { 0 };
	int r = host_list(host, queues, &names);

	for (size_t i = 0; i < names.n && r == 0; i++) {
		CLEANUP(free_string) char *directory = text_format("%s/%s", queues, names.items[i]);
		uint32_t index;

		if (text_suffix_u32(names.items[i], prefix, &index) == 0 && index >= n)
			r = tree_remove(host, directory);
	}
	for (unsigned i = 0; i < n && r == 0; i++) {
		CLEANUP(free_string) char *directory = text_format("%s/%s%u", queues, prefix, i);

		if (host_exists(host, first) && !host_exists(host, directory))
			r = make_queue(host, first, directory);
	}
	return r == -ENOENT ? 0 : r; /* a capture without queues */
}

int replay_queues(struct host *host, const char *name, unsigned rx, unsigned tx)
{
	CLEANUP(free_string) char *queues = text_format("sys/class/net/%s/queues", name);
	int r = resize(host, queues, "rx-", rx);

	return r < 0 ? r : resize(host, queues, "tx-", tx);
}
