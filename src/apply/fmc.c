/* Loads the rules of [fmc]: judges the files, has fmc compile them without hardware, loads them, and records what came
 * of it. Decides nothing of the rules. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/fmc_load.h>

#include "fmc_run.h"

#define STATE "fmc.bin"           /* in fmc's /tmp */
#define MODEL "fmc_config_data.c" /* that fmc writes where it works, when it only compiles */

/* ---- files ------------------------------------------------------------------------------------------------------ */

static int fail(struct notes *notes, int error, const char *what, const char *path)
{
	notes_add(notes, NOTE_ERROR, "fmc", "cannot %s %s: %s", what, path, strerror(-error));
	return error;
}

static int make_directory(const char *path, struct notes *notes)
{
	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return fail(notes, -errno, "make", path);
	return 0;
}

/* Whole or not at all. */
static int write_file(const char *path, const char *text, struct notes *notes)
{
	CLEANUP(free_string) char *fresh = text_format("%s.new", path);
	size_t length = strlen(text);
	ssize_t n;
	int r = 0, fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return fail(notes, -errno, "write", path);
	n = write(fd, text, length);
	if (n != (ssize_t)length)
		r = n < 0 ? -errno : -ENOSPC;
	close(fd);
	if (r == 0 && rename(fresh, path) < 0)
		r = -errno;
	return r < 0 ? fail(notes, r, "write", path) : 0;
}

/* fmc reads its state as it is, and a wrong one crashes it: nobody else may have put it there. */
static int check_state(const struct fmc_job *job, struct notes *notes)
{
	struct stat st;

	if (!job->share_state || lstat("/tmp/" STATE, &st) < 0)
		return 0;
	if (S_ISREG(st.st_mode) && st.st_uid == 0 && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return 0;
	notes_add(notes, NOTE_ERROR, "fmc", "/tmp/" STATE " is not a file that only root can write: fmc is not run")
		->hint = alloc_string("find out who put it there, and remove it");
	return -EPERM;
}

static int check_trust(const struct fmc_job *job, bool unload, struct notes *notes)
{
	const char *const used[] = { job->program, job->pdl, job->config, job->policy };
	int r = check_state(job, notes);

	for (size_t i = 0; i < (unload ? 1 : COUNT_OF(used)) && r == 0; i++) {
		if (!used[i])
			continue;
		r = file_trusted(used[i], notes);
		if (r == 0 && !job->share_state && text_starts(used[i], "/tmp/"))
			r = fail(notes, -ENOENT, "have fmc use, which has a /tmp of its own,", used[i]);
	}
	return r;
}

/* ---- one run ---------------------------------------------------------------------------------------------------- */

static bool is_complaint(const char *line)
{
	return text_starts(line, "ERR") || text_starts(line, "WARN") || text_starts(line, "PARSE ERROR");
}

/* What of its lines says best why it failed; NULL: it said nothing. */
static const char *complaint_of(const struct fmc_result *result)
{
	for (size_t i = 0; i < result->lines.n; i++)
		if (is_complaint(result->lines.items[i]))
			return result->lines.items[i];
	return result->lines.n ? result->lines.items[0] : NULL;
}

static bool complains(const struct fmc_result *result)
{
	const char *line = complaint_of(result);

	return line && is_complaint(line);
}

static int run(const struct fmc_job *job, const char *const *arguments, const char *directory, struct fmc_result *ret,
	       struct notes *notes)
{
	const struct fmc_run one = {
		.arguments = arguments,
		.directory = directory,
		.tmp = job->share_state ? NULL : job->directory,
		.timeout = job->timeout,
	};
	int r = fmc_run(&one, ret);

	if (r < 0)
		return fail(notes, r, "start", job->program);
	for (size_t i = 0; i < ret->lines.n; i++)
		notes_add(notes, NOTE_INFO, "fmc", "%s", ret->lines.items[i]);
	if (ret->more)
		notes_add(notes, NOTE_INFO, "fmc", "%u more lines", ret->more);
	return 0;
}

static void refuse(const struct fmc_result *result, const char *what, const char *hint, struct notes *notes)
{
	const char *line = complaint_of(result);
	struct note *note;

	note = notes_add(notes, NOTE_ERROR, "fmc", "%s: %s%d%s%s", what,
			 result->late ? "it took too long, " : "exit status ", result->status, line ? ": " : "",
			 line ? line : "");
	note->hint = alloc_string(hint);
}

/* ---- compiling -------------------------------------------------------------------------------------------------- */

/* A port that fmc does not know becomes one of this type, without a word. */
static bool has_dummy_port(const char *model)
{
	FILE *in = fopen(model, "re");
	char line[512];
	bool has = false;

	while (in && !has && fgets(line, sizeof line, in))
		has = strstr(line, "e_FM_PORT_TYPE_DUMMY") != NULL;
	if (in)
		fclose(in);
	return has;
}

static int judge(const struct fmc_result *result, const char *model, struct notes *notes)
{
	if (result->late || result->status || complains(result)) {
		refuse(result, "the rules do not compile", "nothing was loaded", notes);
		return -EINVAL;
	}
	if (has_dummy_port(model)) {
		notes_add(notes, NOTE_ERROR, "fmc", "the configuration names a port that the Frame Manager has not")
			->hint = alloc_string("nothing was loaded");
		return -EINVAL;
	}
	return 0;
}

static int compile(const struct fmc_job *job, const char *config, const char *policy, struct notes *notes)
{
	CLEANUP(free_string) char *scratch = text_format("%s/scratch", job->directory);
	CLEANUP(free_string) char *model = text_format("%s/" MODEL, scratch);
	const char *const arguments[] = { job->program, "-c", config, "-p", policy, "-d", job->pdl, NULL };
	CLEANUP(fmc_result_clear) struct fmc_result result = { 0 };
	int r = make_directory(scratch, notes);

	if (r == 0)
		r = run(job, arguments, scratch, &result, notes);
	if (r == 0)
		r = judge(&result, model, notes);
	unlink(model);
	rmdir(scratch);
	return r;
}

/* ---- loading ---------------------------------------------------------------------------------------------------- */

static int record(const struct fmc_job *job, const struct fmc_result *result, struct notes *notes)
{
	CLEANUP(free_string) char *path = text_format("%s/applied", job->directory);
	CLEANUP(free_string) char *config = text_sha256(job->wanted->config);
	CLEANUP(free_string) char *policy = text_sha256(job->wanted->policy);
	CLEANUP(free_string) char *text = NULL;
	const char *line = complaint_of(result);
	char now[32] = "";
	time_t clock = time(NULL);
	struct tm parts;

	strftime(now, sizeof now, "%FT%TZ", gmtime_r(&clock, &parts));
	text = text_format("boot = %s\nwhat = %s\nconfig = %s\npolicy = %s\npdl = %s\nstatus = %d\ntime = %s\n%s%s%s",
			   job->boot, job->wanted->what, config, policy, job->pdl_digest, result->status, now,
			   line ? "said = " : "", line ? line : "", line ? "\n" : "");
	return write_file(path, text, notes);
}

static int load(const struct fmc_job *job, const char *config, const char *policy, struct notes *notes)
{
	const char *const arguments[] = { job->program, "-c", config, "-p", policy, "-d", job->pdl, "-a", NULL };
	CLEANUP(fmc_result_clear) struct fmc_result result = { 0 };
	int r = run(job, arguments, job->directory, &result, notes), recorded;

	if (r < 0)
		return r;
	if (result.late || result.status)
		refuse(&result, "the rules could not be loaded",
		       "ports may be disabled, and it is not tried again: a reboot is advised", notes);
	recorded = record(job, &result, notes);
	if (result.late)
		return -ETIMEDOUT;
	return result.status ? -EIO : recorded;
}

int fmc_load(const struct fmc_job *job, struct notes *notes)
{
	CLEANUP(free_string) char *config = text_format("%s/config.xml", job->directory);
	CLEANUP(free_string) char *policy = text_format("%s/policy.xml", job->directory);
	const char *own_config = job->config ? job->config : config, *own_policy = job->policy ? job->policy : policy;
	int r = check_trust(job, false, notes);

	if (r == 0 && !job->config)
		r = write_file(config, job->wanted->config, notes);
	if (r == 0 && !job->policy)
		r = write_file(policy, job->wanted->policy, notes);
	if (r == 0)
		r = compile(job, own_config, own_policy, notes);
	return r == 0 ? load(job, own_config, own_policy, notes) : r;
}

/* ---- taking out ------------------------------------------------------------------------------------------------- */

int fmc_unload(const struct fmc_job *job, struct notes *notes)
{
	CLEANUP(free_string) char *path = text_format("%s/applied", job->directory);
	const char *const arguments[] = { job->program, "-x", NULL };
	CLEANUP(fmc_result_clear) struct fmc_result result = { 0 };
	int r = check_trust(job, true, notes);

	if (r == 0)
		r = run(job, arguments, job->directory, &result, notes);
	if (r < 0)
		return r;
	if (result.late || result.status || complains(&result)) {
		refuse(&result, "the rules could not be taken out", "ports may be disabled: a reboot is advised",
		       notes);
		return result.late ? -ETIMEDOUT : -EIO;
	}
	return unlink(path) < 0 && errno != ENOENT ? fail(notes, -errno, "remove", path) : 0;
}
