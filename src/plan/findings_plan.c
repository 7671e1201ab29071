/* Finds where the machine and its policy differ: drift, failures, requirements, and a rival who moves interrupts too.
 */
#include <string.h>

#include <steer/cleanup.h>

#include "findings.h"

static void find_unmet(const struct inquiry *inquiry)
{
	for (size_t i = 0; i < inquiry->plan->unmet.n; i++)
		finding_add(inquiry, inquiry->plan->refused ? NOTE_ERROR : NOTE_WARNING, "unmet", NULL,
			    alloc_string(inquiry->plan->unmet.items[i]),
			    inquiry->plan->refused
				    ? alloc_string("nothing is changed before it is met (on-unmet = refuse)")
				    : NULL);
}

/* A policy for another machine, or a slip in what it matches. */
static void find_unmatched(const struct inquiry *inquiry, const struct policy *policy)
{
	const struct machine *machine = inquiry->machine;

	if (!policy || !policy->nsections)
		return;
	for (size_t i = 0; i < machine->nnics; i++)
		if (policy_match(policy, machine, &machine->nics[i], NULL))
			return;
	finding_add(inquiry, NOTE_WARNING, "unmatched", NULL,
		    text_format("no section of the policy matches a device of this machine%s%s",
				machine->hostname ? ", " : "", machine->hostname ? machine->hostname : ""),
		    alloc_string("run `steerctl explain IFACE` to see what keeps a section from matching"));
}

static void find_rival(const struct inquiry *inquiry)
{
	const char *irqbalance = inquiry->machine->irqbalance;
	bool places = false;

	for (size_t i = 0; i < inquiry->plan->nchanges; i++)
		places |= inquiry->plan->changes[i].setting == SETTING_IRQ && inquiry->plan->changes[i].to;
	if (places && irqbalance && strcmp(irqbalance, "active") == 0)
		finding_add(inquiry, NOTE_WARNING, "irqbalance-active", NULL,
			    alloc_string("irqbalance is running and moves interrupts that the policy places"),
			    alloc_string("stop it with `systemctl disable --now irqbalance`, or have it ban them"));
}

static void find_drift(const struct inquiry *inquiry, const char *device)
{
	size_t n = planned(inquiry, device, CHANGE_TODO);
	char *hint;

	if (!n)
		return;
	hint = device ? text_format("run `steerctl plan %s`", device) : alloc_string("run `steerctl plan`");
	finding_add(inquiry, NOTE_WARNING, "drift", device,
		    text_format("%zu %ssetting%s from the policy", n, device ? "" : "host ",
				n == 1 ? " differs" : "s differ"),
		    hint);
}

static void find_failed(const struct inquiry *inquiry, const char *device)
{
	size_t n = planned(inquiry, device, CHANGE_FAILED);

	for (size_t i = 0; n && i < inquiry->plan->nchanges; i++) {
		const struct change *change = &inquiry->plan->changes[i];

		if (change->state != CHANGE_FAILED || !text_equal(change->device, device))
			continue;
		finding_add(inquiry, NOTE_ERROR, "failed", device,
			    text_format("%zu setting%s could not be applied, the first is %s: %s", n, n == 1 ? "" : "s",
					setting_name(change->setting),
					change->skipped ? change->skipped : "no reason known"),
			    NULL);
		return;
	}
}

void find_plan(const struct inquiry *inquiry, const struct policy *policy)
{
	const struct plan *plan = inquiry->plan;
	CLEANUP(strings_clear) struct strings devices = { 0 };

	if (!plan)
		return;
	find_unmet(inquiry);
	find_unmatched(inquiry, policy);
	find_rival(inquiry);
	for (size_t i = 0; i < plan->nchanges; i++)
		if (plan->changes[i].device && plan->changes[i].setting != SETTING_FMC &&
		    !strings_have(&devices, plan->changes[i].device))
			strings_add(&devices, plan->changes[i].device);
	for (size_t i = 0; i < devices.n; i++) {
		find_drift(inquiry, devices.items[i]);
		find_failed(inquiry, devices.items[i]);
	}
	find_drift(inquiry, NULL);
	find_failed(inquiry, NULL);
}
