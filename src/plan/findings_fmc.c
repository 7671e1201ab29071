/* Finds what is wrong with NXP's Frame Manager: portals that crowd on one CPU, and rules that are not those wanted. */
#include <steer/cleanup.h>
#include <steer/fmc.h>

#include "findings.h"

static const struct change *planned_change(const struct plan *plan)
{
	for (size_t i = 0; plan && i < plan->nchanges; i++)
		if (plan->changes[i].setting == SETTING_FMC)
			return &plan->changes[i];
	return NULL;
}

/* Two portals' interrupts on one CPU can stall the traffic of one (dpaa_eth.c keeps one portal a CPU). */
static void find_moved(const struct inquiry *inquiry, const struct fman_portals *portals, const char *name)
{
	const cpuset *online = inquiry->machine->topology.online;

	for (size_t i = 0; i < portals->n; i++) {
		const struct fman_portal *portal = &portals->items[i];
		CLEANUP(free_string) char *list = portal->cpus ? cpuset_list(portal->cpus) : NULL;

		if (!list || !cpuset_has(online, portal->cpu) ||
		    (cpuset_count(portal->cpus) == 1 && cpuset_has(portal->cpus, portal->cpu)))
			continue;
		finding_add(
			inquiry, NOTE_ERROR, "dpaa-portal-irq-moved", FMC_DEVICE,
			text_format("the interrupt of %s portal %u (IRQ %u) may run on CPU %s: traffic of a portal "
				    "can stall when two share a CPU",
				    name, portal->cpu, portal->irq, list),
			inquiry->plan && planned_change(inquiry->plan)
				? alloc_string("run `steerctl apply`, and have irqbalance ban it")
				: text_format(
					  "run `echo %u > /proc/irq/%u/smp_affinity_list`, and have irqbalance ban it",
					  portal->cpu, portal->irq));
	}
}

static void find_one_portal(const struct inquiry *inquiry)
{
	const struct fman *fman = &inquiry->machine->fman;

	if (fman->qman.n == 1 && cpuset_count(inquiry->machine->topology.online) > 1)
		finding_add(inquiry, NOTE_INFO, "dpaa-one-portal", FMC_DEVICE,
			    text_format("all receiving is on CPU %u (1 QMan portal)", fman->qman.items[0].cpu),
			    alloc_string("to use all cores, remove bportals= and qportals= from the kernel command "
					 "line and set [fmc] mode = spread"));
}

static void find_state(const struct inquiry *inquiry)
{
	const struct fmc_record *record = &inquiry->machine->fman.record;
	const struct change *change = planned_change(inquiry->plan);

	if (inquiry->machine->fman.foreign)
		finding_add(inquiry, NOTE_WARNING, "fmc-foreign", FMC_DEVICE,
			    alloc_string("fmc was run by hand in this boot: what it loaded is not known"),
			    alloc_string("run `fmc -x` before [fmc] is used, or reboot"));
	if (record->what && record->status)
		finding_add(inquiry, NOTE_ERROR, "fmc-failed", FMC_DEVICE,
			    text_format("fmc ended with exit status %u%s%s: ports may be disabled", record->status,
					record->said ? ": " : "", record->said ? record->said : ""),
			    alloc_string("a reboot is advised"));
	else if (change && record->what && (change->state == CHANGE_TODO || change->state == CHANGE_SKIPPED))
		finding_add(inquiry, NOTE_WARNING, "fmc-changed", FMC_DEVICE,
			    text_format("the policy wants %s, loaded in this boot is %s", change->to, record->what),
			    alloc_string(change->state == CHANGE_TODO ? "run `steerctl fmc --apply`" : "reboot"));
	else if (change && change->state == CHANGE_TODO)
		finding_add(inquiry, NOTE_WARNING, "fmc-not-applied", FMC_DEVICE,
			    text_format("the policy wants %s, which is not loaded", change->to),
			    alloc_string("start steerd-fmc.service, or run `steerctl fmc --apply`"));
}

void find_fman(const struct inquiry *inquiry)
{
	if (inquiry->machine->fman.kernel == FMAN_NONE)
		return;
	find_moved(inquiry, &inquiry->machine->fman.qman, "QMan");
	find_moved(inquiry, &inquiry->machine->fman.bman, "BMan");
	find_one_portal(inquiry);
	find_state(inquiry);
}
