/* Reads policies from files and directories, and judges whether root may obey them. Knows no syntax. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <steer/cleanup.h>

#include "policy_parts.h"

enum { FILE_MAX = 1 << 20 }; /* bytes; a policy of a thousand sections has a quarter of that */

/* Takes text over. */
static void refuse(struct notes *notes, const char *file, const char *hint, char *text)
{
	struct note *note = notes_add(notes, NOTE_ERROR, NULL, "%s", text);

	note->file = alloc_string(file);
	note->hint = alloc_string(hint);
	free(text);
}

static int refuse_errno(struct notes *notes, const char *file, const char *what, int error)
{
	refuse(notes, file, NULL, text_format("%s: %s", what, strerror(error)));
	return -error;
}

/* ---- one file --------------------------------------------------------------------------------------------------- */

static const char *type_name(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory";
	if (S_ISFIFO(mode))
		return "a pipe";
	if (S_ISSOCK(mode))
		return "a socket";
	return "a device";
}

/* Opens a regular file, never waiting for the other end of a pipe. */
static int open_regular(const char *path, struct notes *notes)
{
	CLEANUP(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	int opened;

	if (fd < 0)
		return refuse_errno(notes, path, "can't be opened", errno);
	if (fstat(fd, &st) < 0)
		return refuse_errno(notes, path, "can't be looked at", errno);
	if (!S_ISREG(st.st_mode)) {
		refuse(notes, path, NULL, text_format("is %s, not a file", type_name(st.st_mode)));
		return -EINVAL;
	}
	opened = fd;
	fd = -1;
	return opened;
}

/* The whole file, with a NUL behind it. */
static int read_all(int fd, const char *path, char **ret_text, size_t *ret_length, struct notes *notes)
{
	CLEANUP(free_string) char *text = alloc_zero(FILE_MAX + 1, 1);
	size_t length = 0;
	ssize_t n;

	while ((n = read(fd, text + length, FILE_MAX + 1 - length)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return refuse_errno(notes, path, "can't be read", errno);
		length += (size_t)n;
		if (length > FILE_MAX) {
			refuse(notes, path, NULL, text_format("is larger than %d bytes", FILE_MAX));
			return -EINVAL;
		}
	}
	*ret_text = TAKE(text);
	*ret_length = length;
	return 0;
}

static int load_file(struct parse *parse, const char *path)
{
	CLEANUP(close_fd) int fd = open_regular(path, parse->notes);
	CLEANUP(free_string) char *text = NULL;
	size_t length = 0;
	int r;

	if (fd < 0)
		return fd;
	r = read_all(fd, path, &text, &length, parse->notes);
	if (r == 0)
		parse_text(parse, path, text, length);
	return r;
}

/* ---- files of a directory --------------------------------------------------------------------------------------- */

static int is_policy(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".ini") == 0;
}

static int list_directory(const char *path, struct strings *ret, struct notes *notes)
{
	struct dirent **entries;
	int n = scandir(path, &entries, is_policy, NULL);

	if (n < 0)
		return refuse_errno(notes, path, "can't be read", errno);
	for (int i = 0; i < n; i++) {
		strings_take(ret,
			     text_format("%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	strings_sort(ret);
	if (n > 0)
		return 0;
	refuse(notes, path, NULL, text_format("no *.ini file in this directory"));
	return -EINVAL;
}

/* The files that a path stands for: itself, or those of the directory. */
static int list_files(const char *path, struct strings *ret, struct notes *notes)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return refuse_errno(notes, path, "can't be opened", errno);
	if (S_ISDIR(st.st_mode))
		return list_directory(path, ret, notes);
	strings_add(ret, path);
	return 0;
}

int policy_load(const char *path, struct policy **ret, struct notes *notes)
{
	CLEANUP(policy_freep) struct policy *policy = alloc_zero(1, sizeof *policy);
	CLEANUP(strings_clear) struct strings files = { 0 };
	CLEANUP(notes_clear) struct notes own = { 0 };
	CLEANUP(parse_clear) struct parse parse = { 0 };
	int r;

	parse_begin(&parse, policy, &own);
	policy->name = alloc_string(path);
	r = list_files(path, &files, &own);
	for (size_t i = 0; i < files.n; i++) {
		int file = load_file(&parse, files.items[i]);

		r = r ? r : file;
	}
	if (r < 0) {
		notes_move(notes, &own);
		return r;
	}
	return policy_finish(&policy, &own, ret, notes);
}

/* ---- trust ------------------------------------------------------------------------------------------------------ */

/* Others can neither write it nor, in a directory, put something else in its place (the sticky bit prevents that). */
static int trust(const char *path, struct notes *notes)
{
	CLEANUP(close_fd) int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return refuse_errno(notes, path, "can't be looked at", errno);
	if (st.st_uid != 0 && st.st_uid != geteuid()) {
		refuse(notes, path, "whoever can write it can steer this machine",
		       text_format("belongs to user %u", st.st_uid));
		return -EPERM;
	}
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) && !(S_ISDIR(st.st_mode) && (st.st_mode & S_ISVTX))) {
		refuse(notes, path, "whoever can write it can steer this machine",
		       text_format("may be written by %s", st.st_mode & S_IWOTH ? "everyone" : "its group"));
		return -EPERM;
	}
	return 0;
}

/* A file and each directory above it, behind all symbolic links. */
static int trust_way(const char *path, struct notes *notes)
{
	CLEANUP(free_string) char *real = realpath(path, NULL);
	int r;

	if (!real)
		return refuse_errno(notes, path, "can't be opened", errno);
	while ((r = trust(real, notes)) == 0 && strcmp(real, "/") != 0) {
		char *slash = strrchr(real, '/');

		slash[slash == real] = '\0';
	}
	return r;
}

int file_trusted(const char *path, struct notes *notes)
{
	return trust_way(path, notes);
}

int policy_trusted(const char *path, struct notes *notes)
{
	CLEANUP(strings_clear) struct strings files = { 0 };
	int r = list_files(path, &files, notes);

	for (size_t i = 0; i < files.n && r == 0; i++)
		r = trust_way(files.items[i], notes);
	return r;
}
