/* replay DIR POLICY: the laws of applying, on a copy of a captured machine. A policy that was applied leaves nothing to
 * do, applying it again writes nothing, and reverting restores every byte. Prints what breaks a law; exit status 0
 * or 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include <steer/apply.h>
#include <steer/cleanup.h>
#include <steer/observe.h>

/* nftw(3) has no argument for its function. */
static const char *walk_from, *walk_to;
static bool broken;

__attribute__((format(printf, 2, 3))) static void breaks(const char *law, const char *format, ...)
{
	va_list arguments;

	printf("%s: ", law);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	broken = true;
}

static void die(const char *what, int error)
{
	fprintf(stderr, "replay: %s: %s\n", what, strerror(-error));
	exit(1);
}

/* ---- trees ------------------------------------------------------------------------------------------------------ */

/* The whole of a file, or what a link says; NULL when there is no such thing. */
static char *content(const char *path, size_t *ret_size)
{
	struct stat status;
	char *text;
	ssize_t got;

	if (lstat(path, &status) < 0)
		return NULL;
	text = alloc_zero((size_t)status.st_size + 4096, 1);
	if (S_ISLNK(status.st_mode)) {
		got = readlink(path, text, (size_t)status.st_size + 4095);
	} else {
		CLEANUP(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

		got = read(fd, text, (size_t)status.st_size + 4095);
	}
	if (got < 0)
		die(path, -errno);
	*ret_size = (size_t)got;
	return text;
}

static char *moved(const char *path)
{
	return text_format("%s%s", walk_to, path + strlen(walk_from));
}

static int copy_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	CLEANUP(free_string) char *to = moved(path), *text = NULL;
	CLEANUP(close_fd) int fd = -1;
	size_t size;

	(void)walk;
	if (type == FTW_D)
		return mkdir(to, status->st_mode & 0777) < 0 && errno != EEXIST ? -1 : 0;
	text = content(path, &size);
	if (type == FTW_SL || type == FTW_SLN)
		return symlink(text, to);
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status->st_mode & 0777);
	return fd < 0 || write(fd, text, size) != (ssize_t)size ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

/* A JSON document is laid out anew when it is written, so its values are compared. */
static bool same_json(const char *a, const char *b)
{
	json_t *left = json_loads(a, 0, NULL), *right = json_loads(b, 0, NULL);
	bool same = left && right && json_equal(left, right);

	json_decref(left);
	json_decref(right);
	return same;
}

static int compare_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	CLEANUP(free_string) char *other = moved(path), *text = NULL, *then = NULL;
	size_t size = 0, size_then = 0;

	(void)status;
	(void)walk;
	if (type == FTW_D) {
		if (access(other, F_OK) < 0)
			breaks("revert restores every byte", "no directory %s", other);
		return 0;
	}
	text = content(path, &size);
	then = content(other, &size_then);
	if (!then)
		breaks("revert restores every byte", "no %s", other);
	else if ((size != size_then || memcmp(text, then, size) != 0) &&
		 !(strstr(path, "ethtool.json") && same_json(text, then)))
		breaks("revert restores every byte", "%s was \"%s\", is \"%s\"", path, text, then);
	return 0;
}

static int extra_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	CLEANUP(free_string) char *other = moved(path);
	struct stat there;

	(void)status;
	(void)type;
	(void)walk;
	if (lstat(other, &there) < 0)
		breaks("revert restores every byte", "%s was not there", path);
	return 0;
}

static void walk(const char *from, const char *to, __nftw_func_t visit, int flags)
{
	walk_from = from;
	walk_to = to;
	if (nftw(from, visit, 16, FTW_PHYS | flags) != 0)
		die(from, -errno);
}

/* ---- laws ------------------------------------------------------------------------------------------------------- */

static void tell_changes(const char *law, const struct plan *plan, unsigned states)
{
	for (size_t i = 0; i < plan->nchanges; i++) {
		const struct change *change = &plan->changes[i];
		CLEANUP(free_string) char *queue = change_queue(change);

		if (change->stage > 0 && states & 1U << change->state) /* 0: never by a reconciliation */
			breaks(law, "%s %s %s irq %d: %s -> %s %s: %s", change->device ? change->device : "host",
			       setting_name(change->setting), queue ? queue : "",
			       change->irq.set ? (int)change->irq.value : -1, change->from, change->to,
			       change_state_name(change->state), change->skipped);
	}
}

static void must_leave_nothing(struct host *host, const struct policy *policy)
{
	CLEANUP(machine_clear) struct machine machine = { 0 };
	CLEANUP(plan_clear) struct plan plan = { 0 };
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(strings_clear) struct strings sysctls = { 0 };
	struct observe_scope scope = { .sysctls = &sysctls };

	for (size_t i = 0; i < policy->nsysctls; i++)
		strings_add(&sysctls, policy->sysctls[i].name);
	observe(host, &scope, &machine, &notes);
	plan_make(&machine, policy, NULL, &plan);
	tell_changes("an applied policy leaves nothing to do", &plan, 1U << CHANGE_TODO);
}

static void apply_and_revert(struct host *host, const struct policy *policy, struct originals *originals)
{
	CLEANUP(report_clear) struct report first = { 0 }, second = { 0 }, back = { 0 };
	int r = reconcile(host, policy, originals, NULL, &first);

	if (r < 0)
		die("reconcile", r);
	tell_changes("applying does not fail", &first.plan, 1U << CHANGE_TODO | 1U << CHANGE_FAILED);
	must_leave_nothing(host, policy);
	if ((r = reconcile(host, policy, originals, NULL, &second)) < 0)
		die("reconcile again", r);
	if (second.writes)
		breaks("applying again writes nothing", "%u writes", second.writes);
	if ((r = revert(host, originals, NULL, &back)) < 0)
		die("revert", r);
	tell_changes("reverting does not fail", &back.plan,
		     1U << CHANGE_TODO | 1U << CHANGE_FAILED | 1U << CHANGE_SKIPPED | 1U << CHANGE_GONE);
	if (originals_count(originals))
		breaks("what is back is forgotten", "%zu are remembered", originals_count(originals));
	printf("applied %u values in %u rounds, reverted %u in %u\n", first.writes, first.rounds, back.writes,
	       back.rounds);
}

static void replay(const char *directory, const char *copy, const char *run, const char *policy_file)
{
	CLEANUP(host_closep) struct host *host = NULL;
	CLEANUP(policy_freep) struct policy *policy = NULL;
	CLEANUP(originals_freep) struct originals *originals = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	CLEANUP(free_string) char *problem = NULL;
	int r;

	walk(directory, copy, copy_one, 0);
	if ((r = host_open(copy, HOST_WRITABLE, &host, &problem)) < 0)
		die(problem ? problem : copy, r);
	r = strcmp(policy_file, "auto") == 0 ? policy_builtin(&policy) : policy_load(policy_file, &policy, &notes);
	if (r < 0)
		die(notes.n ? notes.items[0].text : policy_file, r);
	if (mkdir(run, 0700) < 0 || (r = originals_load(run, &originals, &notes)) < 0)
		die(run, r);
	apply_and_revert(host, policy, originals);
	walk(directory, copy, compare_one, 0);
	walk(copy, directory, extra_one, 0);
}

int main(int argc, char **argv)
{
	const char *temporary = getenv("TMPDIR");
	CLEANUP(free_string) char *base = text_format("%s/replay-XXXXXX", temporary ? temporary : "/tmp");
	CLEANUP(free_string) char *directory = NULL, *copy = NULL, *run = NULL;

	if (argc != 3) {
		fputs("usage: replay DIR POLICY|auto\n", stderr);
		return 2;
	}
	directory = realpath(argv[1], NULL);
	if (!directory || !mkdtemp(base))
		die(argv[1], -errno);
	copy = text_format("%s/tree", base);
	run = text_format("%s/run", base);
	replay(directory, copy, run, argv[2]);
	walk(base, "", remove_one, FTW_DEPTH);
	return broken ? 1 : 0;
}
