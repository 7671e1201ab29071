/* Applies one stage of a plan: device by device, in the order of enum setting, up to the device's first barrier. Never
 * stops because something failed, and never decides what is wanted. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/net.h>

#include "meaning.h"
#include "run.h"
#include "value.h"
#include "write.h"

/* A link that is still negotiating undoes flow control that is set meanwhile: it is given time first, all devices of a
 * stage together this many ms. */
enum { PAUSE_WAIT = 4000 };

static bool is_gone(struct run *run, const struct change *change)
{
	CLEANUP(free_string) char *path = NULL;
	uint32_t ifindex;

	if (!change->device)
		return false;
	path = text_format("sys/class/net/%s/ifindex", change->device);
	if (host_read_u32(run->host, path, &ifindex) < 0)
		return !host_exists(run->host, path);
	return ifindex != change->ifindex;
}

/* ---- what became of a change ----------------------------------------------------------------------------------- */

static void tell_read_only(struct run *run)
{
	if (run->read_only)
		return;
	run->read_only = true;
	notes_add(&run->notes, NOTE_ERROR, NULL, "/proc or /sys is read-only here, so nothing in it can be set")->hint =
		alloc_string("in a container run steerd on the host; in a unit look at ProtectKernelTunables=");
}

static void set_state(struct change *change, struct tried *tried, enum change_state state, int error, char *words)
{
	tried->change.state = change->state = state;
	tried->change.error = change->error = state == CHANGE_FAILED || state == CHANGE_DEFERRED ? error : 0;
	free_string(&change->skipped);
	change->skipped = alloc_string(words);
	tried->change.skipped = words;
}

static void note_done(struct run *run, const struct nic *nic, struct change *change, const struct answer *answer)
{
	CLEANUP(free_string) char *now = write_read_back(run->host, nic, change, answer);
	struct tried *tried = tries_add(&run->tries, change);

	tried->kept = !now || value_same(change->setting, now, change->to);
	set_state(change, tried, CHANGE_DONE, 0, NULL);
}

static struct meaning ask(struct run *run, const struct nic *nic, const struct change *change,
			  const struct answer *answer, char **ret_words)
{
	const struct refusal refusal = {
		.setting = change->setting,
		.error = answer->error,
		.said = answer->said,
		.device = change->device,
		.link = nic ? nic->link : LINK_UNKNOWN,
		.gone = is_gone(run, change),
		.root = geteuid() == 0,
	};

	return meaning_of(&refusal, ret_words);
}

/* An interrupt whose CPU is full goes to another CPU of the same cache, where the policy allows that. */
static bool go_elsewhere(struct run *run, const struct nic *nic, struct change *change)
{
	CLEANUP(cpuset_freep) cpuset *allowed = run->kind->elsewhere ? run->kind->elsewhere(run, nic) : NULL;
	CLEANUP(cpuset_freep) cpuset *tried = NULL, *from = NULL;
	CLEANUP(change_clear) struct change other = { 0 };
	int wanted, cpu;

	if (cpuset_parse_list(change->to, &tried) < 0 || cpuset_count(tried) != 1)
		return false;
	wanted = cpuset_first(tried);
	if (change->from)
		(void)cpuset_parse_list(change->from, &from);
	change_copy(&other, change);
	while ((cpu = vector_next(&run->topology, allowed, (unsigned)wanted, tried)) >= 0) {
		CLEANUP(answer_clear) struct answer answer = { 0 };
		bool there = cpuset_count(from) == 1 && cpuset_has(from, (unsigned)cpu);

		free_string(&other.to);
		other.to = text_format("%d", cpu);
		if (!there)
			run->writes +=
				write_values(run->host, &run->machine, nic, &(struct change *){ &other }, 1, &answer);
		if (there || answer.error == 0) {
			struct tried *found = tries_add(&run->tries, change);

			found->kept = found->final = true;
			set_state(change, found, CHANGE_DONE, 0,
				  text_format("CPU %d has no free interrupt vector; it is on CPU %d of the same cache",
					      wanted, cpu));
			return true;
		}
		if (answer.error != -ENOSPC)
			break;
		cpuset_add(tried, (unsigned)cpu);
	}
	return false;
}

static void note_refused(struct run *run, const struct nic *nic, struct change *change, const struct answer *answer)
{
	CLEANUP(free_string) char *words = NULL;
	struct meaning meaning = ask(run, nic, change, answer, &words);
	struct tried *tried;

	if (meaning.no_vector && nic && go_elsewhere(run, nic, change))
		return;
	if (meaning.read_only)
		tell_read_only(run);
	tried = tries_add(&run->tries, change);
	tried->final = !(meaning.once_more && tried->times < 2) && meaning.state != CHANGE_GONE;
	set_state(change, tried, meaning.state, answer->error, TAKE(words));
}

/* ---- one device ------------------------------------------------------------------------------------------------- */

/* True: done, and it was a barrier. */
static bool hand_over(struct run *run, const struct nic *nic, struct change *const *changes, size_t n)
{
	CLEANUP(answer_clear) struct answer answer = { 0 };
	bool barrier = false;

	if (changes[0]->setting == SETTING_PAUSE && nic->link == LINK_NO_CARRIER)
		(void)run_wait_carrier(run, nic, run->pause_until);
	run->writes += write_values(run->host, &run->machine, nic, changes, n, &answer);
	for (size_t i = 0; i < n; i++) {
		if (answer.error < 0)
			note_refused(run, nic, changes[i], &answer);
		else
			note_done(run, nic, changes[i], &answer);
		barrier |= answer.error == 0 && changes[i]->cost & COST_RENUMBERS;
	}
	return barrier;
}

static void note_gone(struct run *run, struct change *change)
{
	set_state(change, tries_add(&run->tries, change), CHANGE_GONE, 0, alloc_string("the device is gone"));
}

static void apply_device(struct run *run, struct change *const *changes, size_t n)
{
	const struct nic *nic = changes[0]->device ? machine_nic(&run->machine, changes[0]->device) : NULL;

	if (is_gone(run, changes[0])) {
		for (size_t i = 0; i < n; i++)
			note_gone(run, changes[i]);
		return;
	}
	for (size_t i = 0, together; i < n; i += together) {
		together = write_together(changes + i, n - i);
		if (hand_over(run, nic, changes + i, together))
			break;
	}
}

/* ---- all devices ------------------------------------------------------------------------------------------------ */

/* By device, then setting; the plan's order decides the rest. The host comes first: what it sets holds for all. */
static int compare(const void *left, const void *right)
{
	const struct change *a = *(struct change *const *)left, *b = *(struct change *const *)right;

	if (!a->device != !b->device)
		return a->device ? 1 : -1;
	if (a->device && !text_equal(a->device, b->device))
		return text_natural(a->device, b->device);
	if (a->setting != b->setting)
		return a->setting < b->setting ? -1 : 1;
	return (a > b) - (a < b);
}

size_t stage_order(struct plan *plan, struct change ***ret)
{
	struct change **todo = alloc_zero(plan->nchanges + 1, sizeof(struct change *));
	size_t n = 0;

	for (size_t i = 0; i < plan->nchanges; i++)
		if (plan->changes[i].state == CHANGE_TODO && plan->changes[i].stage == 1)
			todo[n++] = &plan->changes[i];
	qsort(todo, n, sizeof(struct change *), compare);
	*ret = todo;
	return n;
}

void stage_apply(struct run *run)
{
	struct change **todo;
	size_t n = stage_order(&run->plan, &todo);

	run->pause_until = run_clock() + PAUSE_WAIT;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && text_equal(todo[i]->device, todo[end]->device);)
			end++;
		apply_device(run, todo + i, end - i);
	}
	free(todo);
}
