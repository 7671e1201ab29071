/* Runs fmc: no shell, no environment, a /tmp of its own, both output streams kept, and an end to it. Knows nothing of
 * what fmc does. */
#include "fmc_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <steer/cleanup.h>

#include "run.h"

enum {
	LINES_MOST = 200,
	LINE_MOST = 400, /* bytes of a line that are kept */
	GRACE = 5000,    /* ms between SIGTERM and SIGKILL */
	CANNOT_START = 127,
};

void fmc_result_clear(struct fmc_result *result)
{
	strings_clear(&result->lines);
	*result = (struct fmc_result){ 0 };
}

/* ---- the child -------------------------------------------------------------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A service manager may have done it already, and have taken the right to do it away. */
static int own_tmp(const char *directory)
{
	if (is_same(directory, "/tmp"))
		return 0;
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount(directory, "/tmp", NULL, MS_BIND, NULL) < 0)
		return -errno;
	return 0;
}

static _Noreturn void give_up(const char *what)
{
	dprintf(STDERR_FILENO, "ERR : cannot %s: %s\n", what, strerror(errno));
	_exit(CANNOT_START);
}

static _Noreturn void become(const struct fmc_run *run, int output)
{
	static char path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin", locale[] = "LC_ALL=C";
	char *const environment[] = { path, locale, NULL };
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
		give_up("open /dev/null");
	if (run->tmp && (errno = -own_tmp(run->tmp)))
		give_up("give fmc a /tmp of its own");
	if (chdir(run->directory) < 0)
		give_up("change to the directory of fmc");
	execve(run->arguments[0], (char *const *)(uintptr_t)run->arguments, environment);
	give_up("start the program");
}

/* ---- its output ------------------------------------------------------------------------------------------------- */

struct listening {
	struct fmc_result *result;
	char line[LINE_MOST + 1];
	size_t length;
};

static void end_line(struct listening *listening)
{
	struct fmc_result *result = listening->result;

	listening->line[listening->length] = '\0';
	listening->length = 0;
	if (result->lines.n < LINES_MOST)
		strings_add(&result->lines, listening->line);
	else
		result->more++;
}

/* False: nothing comes any more. */
static bool hear(struct listening *listening, int fd)
{
	char bytes[1024];
	ssize_t n = read(fd, bytes, sizeof bytes);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] == '\n')
			end_line(listening);
		else if (bytes[i] && listening->length < LINE_MOST)
			listening->line[listening->length++] = bytes[i];
	}
	if (n <= 0 && listening->length)
		end_line(listening);
	return n > 0;
}

/* Listens until it ends, or is made to. What it has started itself is ended with it. */
static void listen_to(pid_t child, int fd, unsigned timeout, struct fmc_result *ret)
{
	struct listening listening = { .result = ret };
	int64_t end = run_clock() + (int64_t)timeout * 1000;
	int stop = SIGTERM;

	for (;;) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };
		int64_t left = end - run_clock();
		int n = left > 0 ? poll(&wait, 1, (int)left) : 0;

		if (n > 0 && !hear(&listening, fd))
			return;
		if (n != 0)
			continue;
		ret->late = true;
		kill(-child, stop);
		if (stop == SIGKILL)
			return;
		stop = SIGKILL;
		end = run_clock() + GRACE;
	}
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int fmc_run(const struct fmc_run *run, struct fmc_result *ret)
{
	int ends[2], status = 0;
	pid_t child;

	*ret = (struct fmc_result){ 0 };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	child = fork();
	if (child == 0)
		become(run, ends[1]);
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return -errno;
	}
	setpgid(child, child); /* whoever of the two is first */
	listen_to(child, ends[0], run->timeout, ret);
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	ret->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return 0;
}
