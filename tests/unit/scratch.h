/* A directory of its own for a test, with files and links made in it, removed at the end. */
#pragma once

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/text.h>

struct scratch {
	char path[64];
};

static inline void scratch_make(struct scratch *scratch)
{
	snprintf(scratch->path, sizeof scratch->path, "/tmp/steer-test-XXXXXX");
	if (!mkdtemp(scratch->path))
		abort();
}

static inline int scratch_remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status;
	(void)type;
	(void)at;
	return remove(path);
}

static inline void scratch_remove(struct scratch *scratch)
{
	nftw(scratch->path, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline char *scratch_path(const struct scratch *scratch, const char *path)
{
	return text_format("%s/%s", scratch->path, path);
}

/* The directories that a path needs. */
static inline void scratch_parents(const struct scratch *scratch, const char *path)
{
	CLEANUP(free_string) char *full = scratch_path(scratch, path);

	for (char *slash = full + strlen(scratch->path) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = 0;
		if (mkdir(full, 0755) < 0 && errno != EEXIST)
			abort();
	}
}

static inline void scratch_bytes(const struct scratch *scratch, const char *path, const void *bytes, size_t n)
{
	CLEANUP(free_string) char *full = scratch_path(scratch, path);
	FILE *file;

	scratch_parents(scratch, path);
	file = fopen(full, "w");
	if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
		abort();
}

static inline void scratch_file(const struct scratch *scratch, const char *path, const char *text)
{
	scratch_bytes(scratch, path, text, strlen(text));
}

static inline void scratch_link(const struct scratch *scratch, const char *path, const char *target)
{
	CLEANUP(free_string) char *full = scratch_path(scratch, path);

	scratch_parents(scratch, path);
	if (symlink(target, full) < 0)
		abort();
}

/* The text of a file; NULL: there is none. The caller frees. */
static inline char *scratch_text(const struct scratch *scratch, const char *path)
{
	CLEANUP(free_string) char *full = scratch_path(scratch, path);
	FILE *file = fopen(full, "r");
	char *text = alloc_zero(1 << 16, 1);

	if (!file) {
		free(text);
		return NULL;
	}
	text[fread(text, 1, (1 << 16) - 1, file)] = 0;
	fclose(file);
	return text;
}
