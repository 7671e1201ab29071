/* Makes a machine match a policy. Remembers what was there before it lets anything be written. */
#include <errno.h>
#include <stdlib.h>

#include <steer/cleanup.h>

#include "originals.h"
#include "run.h"
#include "value.h"

static bool is_meant(const struct run *run, const struct machine *machine, const struct nic *nic)
{
	const struct errand *errand = run->errand;

	return !errand || !errand->means || errand->means(errand->context, machine, nic);
}

static unsigned wanted_details(const void *context, const struct machine *machine, const struct nic *nic)
{
	const struct run *run = context;

	return is_meant(run, machine, nic) ? policy_details(run->policy, machine, nic) : 0;
}

static bool is_meant_by_name(const struct run *run, const char *device)
{
	const struct nic *nic = device ? machine_nic(&run->machine, device) : NULL;

	return !nic || is_meant(run, &run->machine, nic);
}

/* Takes out of the plan what is about other devices than those that are meant. */
static void confine(const struct run *run, struct plan *plan)
{
	CLEANUP(free_string) char *device = NULL; /* a plan lists what is about one device together */
	bool meant = true;
	size_t kept = 0;

	for (size_t i = 0; i < plan->nchanges; i++) {
		struct change *change = &plan->changes[i];

		if (!text_equal(change->device, device)) {
			meant = is_meant_by_name(run, change->device);
			free(device);
			device = alloc_string(change->device);
		}
		if (meant || !change->device)
			plan->changes[kept++] = *change;
		else
			change_clear(change);
	}
	plan->nchanges = kept;
}

static void plan_policy(const struct run *run, const struct attempts *attempts, struct plan *ret)
{
	plan_make(&run->machine, run->policy, attempts, ret);
	plan_only(ret, run->devices);
	if (run->errand)
		confine(run, ret);
}

/* ---- remembering ------------------------------------------------------------------------------------------------ */

static bool is_next(const struct change *change)
{
	return change->state == CHANGE_TODO && change->stage == 1;
}

/* The devices that are about to be reset may lose everything that hangs on their queues, also what the policy does not
 * speak of: it is read now, and remembered. */
static void remember_device(struct run *run, const char *name)
{
	static const unsigned losable = DETAIL_ALL & ~(unsigned)(DETAIL_FEATURES | DETAIL_EFFECTIVE | DETAIL_NAPI);
	CLEANUP(notes_clear) struct notes notes = { 0 };
	struct nic *nic = machine_nic(&run->machine, name);

	if (!nic)
		return;
	observe_more(run->host, &run->machine, nic, losable, &notes);
	originals_add_device(run->originals, &run->machine, nic);
}

/* Whether the device is up is not remembered: to put a link down is never a way back. Nor are interrupts of no device,
 * which were put back themselves. */
static void remember_change(struct run *run, const struct change *change)
{
	const struct nic *nic = change->device ? machine_nic(&run->machine, change->device) : NULL;
	CLEANUP(free_string) char *part = part_of_change(nic, change);
	CLEANUP(free_string) char *value = value_now(&run->machine, nic, change->setting, part);

	if (change->setting != SETTING_LINK && !change->device == !nic && (nic || !setting_is_irq(change->setting)))
		originals_add(run->originals, &run->machine, nic, change->setting, part, value);
}

static int remember(struct run *run)
{
	CLEANUP(strings_clear) struct strings reset = { 0 };

	for (size_t i = 0; i < run->plan.nchanges; i++) {
		const struct change *change = &run->plan.changes[i];

		if (is_next(change) && change->device && change->cost && !strings_have(&reset, change->device))
			strings_add(&reset, change->device);
	}
	for (size_t i = 0; i < reset.n; i++)
		remember_device(run, reset.items[i]);
	for (size_t i = 0; i < run->plan.nchanges; i++)
		if (is_next(&run->plan.changes[i]))
			remember_change(run, &run->plan.changes[i]);
	return originals_save(run->originals);
}

/* ---- where interrupts may go ------------------------------------------------------------------------------------ */

static cpuset *section_cpus(const struct run *run, const struct nic *nic)
{
	const struct section *section = policy_match(run->policy, &run->machine, nic, NULL);
	const struct cpus_value *value;
	cpuset *cpus;

	if (!section)
		return NULL;
	value = section->irq.mode == CPUS_EXPR ? &section->irq : &section->cpus;
	if (value->mode != CPUS_EXPR)
		return cpuset_dup(run->machine.topology.online);
	cpuexpr_eval(value->expr, &run->machine, nic, &cpus, NULL);
	return cpus;
}

static const struct run_kind reconciling = {
	.details = wanted_details,
	.plan = plan_policy,
	.before = remember,
	.by_read_back = true,
	.elsewhere = section_cpus,
};

static int run_policy(struct run *run, struct report *ret)
{
	int r;

	run->flows = policy_wants_flows(run->policy);
	run->has_fmc = policy_wants_fmc(run->policy, &run->fmc);
	for (size_t i = 0; i < run->policy->nsysctls; i++)
		strings_add(&run->sysctls, run->policy->sysctls[i].name);
	if ((r = run_rounds(run)) < 0)
		return r;
	run_report(run, ret);
	return 0;
}

int reconcile(struct host *host, const struct policy *policy, struct originals *originals,
	      const struct strings *devices, struct report *ret)
{
	CLEANUP(run_clear)
	struct run run = {
		.kind = &reconciling,
		.host = host,
		.policy = policy,
		.originals = originals,
		.devices = devices,
	};

	return run_policy(&run, ret);
}

int reconcile_errand(struct host *host, const struct policy *policy, struct originals *originals,
		     const struct errand *errand, struct report *ret)
{
	CLEANUP(run_clear)
	struct run run = {
		.kind = &reconciling,
		.host = host,
		.policy = policy,
		.originals = originals,
		.errand = errand,
	};

	int r;

	if (errand->known && errand->known->topology.online) {
		run.machine = *errand->known;
		*errand->known = (struct machine){ 0 };
		run.looked = true;
	}
	r = run_policy(&run, ret);
	if (r == 0 && errand->known) {
		*errand->known = run.machine;
		run.machine = (struct machine){ 0 };
	}
	return r;
}
