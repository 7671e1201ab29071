/* Looks at a machine with a policy in mind: reads it, plans, finds. Changes and prints nothing. */
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/observe.h>
#include <steer/show.h>

void look_clear(struct look *look)
{
	findings_clear(&look->findings);
	plan_clear(&look->plan);
	machine_clear(&look->machine);
	*look = (struct look){ 0 };
}

int look_at(struct host *host, const struct policy *policy, const struct attempts *spared, enum look_depth depth,
	    struct look *ret, struct notes *notes)
{
	CLEANUP(strings_clear) struct strings sysctls = { 0 };
	struct fmc_paths fmc;
	bool wants_fmc = policy_wants_fmc(policy, &fmc);
	struct observe_scope scope = { .sysctls = &sysctls, .flows = policy_wants_flows(policy) };
	int r;

	if (depth == LOOK_POLICY) {
		scope.details = policy_details;
		scope.context = policy;
		scope.fmc = wants_fmc ? &fmc : NULL;
	} else {
		scope.fmc = &fmc;
		strings_add(&sysctls, "net.ipv4.ip_forward"); /* both for the finding lro-forwarding */
		strings_add(&sysctls, "net.ipv6.conf.all.forwarding");
	}
	for (size_t i = 0; i < policy->nsysctls; i++)
		strings_add(&sysctls, policy->sysctls[i].name);
	r = observe(host, &scope, &ret->machine, notes);
	if (r < 0)
		return r;
	plan_make(&ret->machine, policy, spared, &ret->plan);
	findings_make(&ret->machine, policy, &ret->plan, &ret->findings);
	return 0;
}

static bool is_among(const char *device, const struct strings *devices)
{
	return !devices || devices->n == 0 || (device && strings_have(devices, device));
}

bool look_is_wrong(const struct look *look, const struct strings *devices)
{
	for (size_t i = 0; i < look->plan.nchanges; i++) {
		const struct change *change = &look->plan.changes[i];

		if (change->state == CHANGE_TODO && is_among(change->device, devices))
			return true;
	}
	for (size_t i = 0; i < look->findings.n; i++) {
		const struct finding *finding = &look->findings.items[i];

		if (finding->level == NOTE_ERROR && (!finding->device || is_among(finding->device, devices)))
			return true;
	}
	return look->plan.refused;
}

char *look_hint(const struct look *look, const char *device)
{
	const char **names = alloc_zero(look->machine.nnics + 1, sizeof *names);
	const char *nearest;

	for (size_t i = 0; i < look->machine.nnics; i++)
		names[i] = look->machine.nics[i].name;
	nearest = text_nearest(device, names, look->machine.nnics);
	free(names);
	return nearest ? text_format(" (did you mean '%s'?)", nearest) : alloc_string("");
}
