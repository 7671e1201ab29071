/* Reads one value of a file in a directory. Knows no file by name; what cannot be read is unknown. */
#include "private.h"

#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

char *read_text(struct host *host, const char *directory, const char *name)
{
	CLEANUP(free_string) char *path = text_format("%s/%s", directory, name);
	char *text = NULL;

	return host_read(host, path, &text) < 0 ? NULL : text;
}

cpuset *read_cpus(struct host *host, const char *directory, const char *name)
{
	CLEANUP(free_string) char *text = read_text(host, directory, name);
	cpuset *set = NULL;

	return !text || cpuset_parse_list(text, &set) < 0 ? NULL : set;
}

cpuset *read_mask(struct host *host, const char *directory, const char *name)
{
	CLEANUP(free_string) char *text = read_text(host, directory, name);
	cpuset *set = NULL;

	return !text || cpuset_parse_mask(text, &set) < 0 ? NULL : set;
}

struct opt_u32 read_u32(struct host *host, const char *directory, const char *name)
{
	CLEANUP(free_string) char *text = read_text(host, directory, name);
	uint32_t value;

	return !text || text_u32(text, &value) < 0 ? (struct opt_u32){ 0 } : SOME_U32(value);
}

char *read_link_name(struct host *host, const char *directory, const char *name)
{
	CLEANUP(free_string) char *path = text_format("%s/%s", directory, name), *target = NULL;
	const char *slash;

	if (host_link(host, path, &target) < 0)
		return NULL;
	slash = strrchr(target, '/');
	return alloc_string(slash ? slash + 1 : target);
}

char *uevent_value(const char *uevent, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = uevent; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == '=')
			return text_format("%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
	}
	return NULL;
}
