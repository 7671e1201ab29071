/* Puts back the values that were there before steerd, by the same rounds, and forgets those that are back. */
#include <stdlib.h>

#include <steer/cleanup.h>

#include "back.h"

/* A virtual device that is not there will never be: the next of its name is another. */
static bool is_gone_for_good(const struct original *original, enum verdict verdict)
{
	return verdict == NO_DEVICE && original->ifindex;
}

/* What stays remembered has not come back yet. */
static void forget(struct run *run)
{
	bool *over = alloc_zero(run->originals->n + 1, sizeof *over);

	for (size_t i = 0; i < run->originals->n; i++) {
		const struct original *original = &run->originals->items[i];
		enum verdict verdict = back_verdict(run, original, NULL);

		over[i] = back_selected(run, original) &&
			  (verdict == BACK || verdict == NO_PART || is_gone_for_good(original, verdict));
	}
	for (size_t i = run->originals->n; i-- > 0;)
		if (over[i])
			originals_forget(run->originals, i);
	free(over);
}

static void tell_absent(struct run *run)
{
	const char *told = NULL;

	for (size_t i = 0; i < run->originals->n; i++) {
		const struct original *original = &run->originals->items[i];

		if (!original->path || back_nic(run, original) || !back_selected(run, original) ||
		    text_equal(told, original->device))
			continue;
		told = original->device;
		notes_add(&run->notes, NOTE_WARNING, told,
			  "is not there; what is remembered of it is kept in case it comes back");
	}
}

static unsigned remembered_details(const void *context, const struct machine *machine, const struct nic *nic)
{
	const struct run *run = context;

	unsigned details = 0;

	for (size_t i = 0; i < run->originals->n; i++) {
		const struct original *original = &run->originals->items[i];

		if (!original_is_of(original, machine, nic))
			continue;
		details |= DETAIL_ALL & ~(unsigned)(DETAIL_FEATURES | DETAIL_EFFECTIVE);
		if (original->setting == SETTING_OFFLOAD)
			details |= DETAIL_FEATURES;
	}
	return details;
}

static const struct run_kind reverting = { .details = remembered_details, .plan = back_plan };

int revert(struct host *host, struct originals *originals, const struct strings *devices, struct report *ret)
{
	CLEANUP(run_clear)
	struct run run = {
		.kind = &reverting,
		.host = host,
		.originals = originals,
		.devices = devices,
	};
	int r;

	for (size_t i = 0; i < originals->n; i++)
		if (originals->items[i].setting == SETTING_SYSCTL)
			strings_add(&run.sysctls, originals->items[i].part);
	originals_sort(originals);
	if ((r = run_rounds(&run)) < 0)
		return r;
	forget(&run);
	tell_absent(&run);
	if ((r = originals_save(originals)) < 0)
		return r;
	run_report(&run, ret);
	return 0;
}
