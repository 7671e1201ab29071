/* Makes [fmc] a change: what was loaded in this boot against what is wanted. Never one of a reconciliation: it is done
 * once per boot, before links are set up (stage 0). Interrupts of portals are put back on their CPUs by any. */
#include <stdlib.h>

#include <steer/cleanup.h>
#include <steer/fmc.h>

#include "draft.h"

bool policy_wants_fmc(const struct policy *policy, struct fmc_paths *ret)
{
	const struct fmc_section *section = &policy->fmc;

	*ret = (struct fmc_paths){
		.program = section->program.text ? section->program.text : FMC_PROGRAM,
		.pdl = section->pdl.text ? section->pdl.text : FMC_PDL,
		.config = section->config.text,
		.policy = section->policy.text,
	};
	return section->at.line > 0;
}

/* The ports are disabled and enabled: what `disruptive` says of one that is up holds. NULL: nothing against it. */
static char *forbidden(const struct draft *draft)
{
	const struct fman *fman = &draft->machine->fman;

	for (size_t i = 0; i < draft->njobs; i++) {
		const struct job *job = &draft->jobs[i];
		const char *why_not = draft_forbids(job, COST_LINK_RESET);

		if (why_not && fman_port_named(fman, job->nic->name))
			return text_format("%s %s", job->nic->name, why_not);
	}
	return NULL;
}

static bool is_port_up(const struct machine *machine)
{
	for (size_t i = 0; i < machine->fman.nports; i++) {
		const struct nic *nic = machine_nic(machine, machine->fman.ports[i].nic);

		if (nic && nic->link == LINK_UP)
			return true;
	}
	return false;
}

/* Why it is not to be loaded, though it differs. NULL: it is. */
static char *why_not(const struct draft *draft, const struct fmc_wanted *wanted)
{
	const struct fmc_record *record = &draft->machine->fman.record;

	if (wanted->problems.n)
		return alloc_string(wanted->problems.items[0]);
	if (record->what && record->status && fmc_is_recorded(&draft->machine->fman, wanted))
		return text_format("fmc failed with these files in this boot (exit status %u%s%s); `steerctl fmc "
				   "--clean` forgets that",
				   record->status, record->said ? ": " : "", record->said ? record->said : "");
	if (record->what && wanted->config && !draft->policy->fmc.reapply.value)
		return alloc_string("fmc has run in this boot: reboot, or on-change = reapply");
	return forbidden(draft);
}

static char *recorded_text(const struct fman *fman, const struct fmc_wanted *wanted)
{
	const struct fmc_record *record = &fman->record;

	if (!record->what)
		return wanted->config ? NULL : alloc_string("off");
	if (record->status)
		return text_format("%s, failed", record->what);
	if (text_equal(record->what, wanted->what) && !fmc_is_recorded(fman, wanted))
		return text_format("%s, with other files", record->what);
	return alloc_string(record->what);
}

/* A portal's interrupt belongs to the portal's own CPU: two on one can stall the traffic of one. While that CPU is
 * offline the kernel puts it elsewhere, and back afterwards. */
static void plan_portal(struct draft *draft, const struct fman_portal *portal, const char *kind)
{
	struct change change = { .setting = SETTING_IRQ_CONTROL, .origin = draft->policy->fmc.at };

	if (!portal->cpus || !cpuset_has(draft->machine->topology.online, portal->cpu))
		return;
	change.irq = SOME_U32(portal->irq);
	change.from = cpuset_list(portal->cpus);
	change.to = text_format("%u", portal->cpu);
	change.target = text_format("/proc/irq/%u/smp_affinity_list", portal->irq);
	change.path = alloc_string(change.target);
	change.why = text_format("%s portal %u is of CPU %u, and its interrupt goes nowhere else", kind, portal->cpu,
				 portal->cpu);
	draft_add(draft, NULL, change);
}

static void plan_portals(struct draft *draft)
{
	const struct fman *fman = &draft->machine->fman;

	for (size_t i = 0; i < fman->qman.n; i++)
		plan_portal(draft, &fman->qman.items[i], "QMan");
	for (size_t i = 0; i < fman->bman.n; i++)
		plan_portal(draft, &fman->bman.items[i], "BMan");
}

void plan_fmc(struct draft *draft)
{
	const struct machine *machine = draft->machine;
	struct change change = { .setting = SETTING_FMC, .origin = draft->policy->fmc.mode.at };
	CLEANUP(fmc_wanted_clear) struct fmc_wanted wanted = { 0 };
	struct fmc_paths paths;

	if (!policy_wants_fmc(draft->policy, &paths))
		return;
	plan_portals(draft);
	fmc_make(machine, draft->policy, &wanted);
	for (size_t i = 0; i < wanted.problems.n; i++)
		strings_take(&draft->plan->unmet, text_format("fmc: %s", wanted.problems.items[i]));
	change.device = alloc_string(FMC_DEVICE);
	change.path = alloc_string(FMC_DEVICE);
	change.from = recorded_text(&machine->fman, &wanted);
	change.to = alloc_string(wanted.what);
	change.target = alloc_string(wanted.config || wanted.problems.n ? "fmc -a" : "fmc -x");
	change.why = wanted.why ? alloc_string(wanted.why) : text_format("[fmc] mode = %s", wanted.what);
	change.skipped = why_not(draft, &wanted);
	change.cost = is_port_up(machine) ? COST_LINK_RESET : 0;
	draft_add(draft, NULL, change)->stage = 0;
}
