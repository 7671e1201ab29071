/* A trial: remembers what it changes apart, and puts that back unless it is confirmed. Decides nothing about when. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <steer/cleanup.h>

#include "originals.h"
#include "run.h"

/* The file that ends a trial, for whoever waits: made by who confirms, or, when the time is over, by who waits. The
 * first one wins. */
#define DECIDED "decided"

static char *directory_of(const char *run_directory)
{
	return text_format("%s/trial", run_directory);
}

static bool exists(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

/* ---- begin and end ---------------------------------------------------------------------------------------------- */

bool trial_is_on(const struct originals *originals)
{
	return originals->trial;
}

bool trial_is_noted(const char *run_directory)
{
	CLEANUP(free_string) char *directory = directory_of(run_directory);

	return exists(directory);
}

bool trial_was_cut_off(const struct originals *originals)
{
	return !originals->trial && trial_is_noted(originals->run_directory);
}

int trial_begin(struct originals *originals)
{
	CLEANUP(free_string) char *directory = directory_of(originals->run_directory);
	CLEANUP(notes_clear) struct notes notes = { 0 };

	if (mkdir(directory, 0700) < 0)
		return -errno;
	return originals_load(directory, &originals->trial, &notes);
}

/* The directory goes, and with it that there is a trial. */
static int end(struct originals *originals)
{
	static const char *const files[] = { "originals.json", "originals.json.new", "originals.json.bad", DECIDED };
	CLEANUP(free_string) char *directory = directory_of(originals->run_directory);

	originals_free(TAKE(originals->trial));
	for (size_t i = 0; i < originals->n; i++)
		originals->items[i].tried = false;
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		CLEANUP(free_string) char *path = text_format("%s/%s", directory, files[i]);

		(void)unlink(path);
	}
	return rmdir(directory) < 0 && errno != ENOENT ? -errno : 0;
}

int trial_keep(struct originals *originals)
{
	return end(originals);
}

/* What was remembered only because of the trial, and is back, is as if it never had been touched. */
static void forget_tried(struct originals *originals)
{
	for (size_t i = originals->n; i-- > 0;)
		if (originals->items[i].tried && !originals_have(originals->trial, &originals->items[i]))
			originals_forget(originals, i);
}

int trial_undo(struct host *host, struct originals *originals, struct report *ret)
{
	CLEANUP(free_string) char *directory = directory_of(originals->run_directory);
	CLEANUP(notes_clear) struct notes notes = { 0 };
	struct report report;
	int r = originals->trial ? 0 : originals_load(directory, &originals->trial, &notes);

	if (r == 0)
		r = revert(host, originals->trial, NULL, &report);
	if (r < 0)
		return r;
	notes_move(&report.notes, &notes);
	forget_tried(originals);
	r = end(originals);
	if (r == 0)
		r = originals_save(originals);
	if (r < 0)
		report_clear(&report);
	else
		*ret = report;
	return r;
}

/* ---- who waits, and who confirms -------------------------------------------------------------------------------- */

int trial_confirm(const char *run_directory)
{
	CLEANUP(free_string) char *path = text_format("%s/trial/" DECIDED, run_directory);
	CLEANUP(close_fd) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : 0;
}

static int told_to_stop(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

int trial_wait(const struct originals *originals, unsigned seconds)
{
	CLEANUP(free_string) char *directory = directory_of(originals->run_directory);
	CLEANUP(free_string) char *decided = text_format("%s/" DECIDED, directory);
	CLEANUP(close_fd) int changes = inotify_init1(IN_CLOEXEC), stop = told_to_stop();
	struct pollfd wait[] = { { .fd = stop, .events = POLLIN }, { .fd = changes, .events = POLLIN } };
	int64_t until = run_clock() + (int64_t)seconds * 1000, left;
	char events[4096];

	if (changes < 0 || stop < 0 || inotify_add_watch(changes, directory, IN_CREATE) < 0)
		return -errno;
	while (!exists(decided)) {
		left = until - run_clock();
		if (left <= 0 || (poll(wait, COUNT_OF(wait), (int)left) < 0 && errno != EINTR) || wait[0].revents)
			return trial_confirm(originals->run_directory) == -EEXIST;
		if (wait[1].revents && read(changes, events, sizeof events) < 0)
			return -errno;
	}
	return 1;
}
