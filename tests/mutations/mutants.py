"""Rules of steerd, each broken on purpose, and the case of tests/vm that has to notice. `old` stands in its
file exactly once."""
from typing import NamedTuple


class Mutant(NamedTuple):
    name: str  # what it does wrong
    file: str
    old: str
    new: str
    case: str  # of tests/vm/cases
    also: tuple = ()  # more of (file, old, new), where one rule alone is made up for by others

    @property
    def edits(self):
        """All of it: (file, old, new)."""
        return [(self.file, self.old, self.new), *self.also]


MUTANTS = [
    Mutant("counts-control-vector-as-queue-0", "src/observe/irq_layout.c",
           "	if (vectors_have_queues(all))\n		irq->role = IRQ_CONTROL;\n	else if (vectors_alike",
           "	if (vectors_have_queues(all))\n		irq_serve(irq, 0);\n	else if (vectors_alike", "apply-link-up"),
    Mutant("never-plans-again-behind-a-barrier", "src/apply/run.c",
           "		if (run->kind->by_read_back && is_settled(run))\n",
           "		if (run->kind->by_read_back)\n", "apply-igb"),
    # Three rules keep flow control off on igb, and any of them makes up for the others: pause before what resets the link, no pause
    # while the link negotiates, and no end before the link is back.
    Mutant("sets-pause-while-the-link-negotiates", "src/apply/stage.c",
           "if (changes[0]->setting == SETTING_PAUSE && nic->link == LINK_NO_CARRIER)",
           "if (changes[0]->setting == SETTING_PAUSE && nic->link == LINK_UNKNOWN)", "apply-igb",
           (("src/apply/stage.c", "		return a->setting < b->setting ? -1 : 1;", "		return a->setting > b->setting ? -1 : 1;"),
            ("src/apply/run.c", "		settle(run);\n	}", "		(void)settle;\n	}"))),
    Mutant("takes-siblings-for-cores", "src/plan/cpuexpr_eval.c", '{ "cores", cores_of }', '{ "cores", threads_of }', "c240-threads"),
    Mutant("takes-isolated-cpus-for-housekeeping", "src/plan/cpuexpr_eval.c",
           "		cpuset_drop_all(set, e->topology->isolated);\n", "		cpuset_keep(set, e->topology->online);\n", "c240-threads"),
    Mutant("asks-for-rps-on-isolated-cpus", "src/plan/steer.c",
           "	if (!cpuset_overlap(ret->cpus, excluded)) {", "	if (!cpuset_overlap(ret->cpus, NULL)) {", "c240-threads"),
    Mutant("uses-cpus-that-are-offline", "src/plan/cpuexpr_eval.c",
           "	cpuset_keep(set, e->topology->online);\n	missing = in_brief(absent);", "	missing = in_brief(absent);", "router"),
    Mutant("takes-far-cpus-for-local", "src/plan/cpuexpr_eval.c",
           "	set = near_device(e);\n	if (!set) {", "	set = near_device(e);\n	cpuset_freep(&set);\n	if (!set) {", "apply-virtio"),
    Mutant("leaves-what-wraps-on-the-last-cpu", "src/plan/place_irq.c",
           "	size_t at = index_of(irq) % job->ncpus;",
           "	size_t at = index_of(irq) < job->ncpus ? index_of(irq) : job->ncpus - 1;", "c240"),
    Mutant("writes-what-is-as-it-should-be", "src/plan/draft.c",
           "	if (change->from && text_equal(change->from, change->to)) {",
           "	if (change->setting != SETTING_XPS && change->from && text_equal(change->from, change->to)) {", "apply-virtio"),
    Mutant("believes-in-xps-of-a-single-queue", "src/plan/steer.c",
           "	bool exists = queue->xps || (job->stage > 1 && has_xps(job->nic));",
           "	bool exists = queue->xps || has_xps(job->nic) || job->stage == 1;", "router"),
    Mutant("fails-where-an-interrupt-is-managed", "src/apply/meaning.c",
           "	{ ERRNO(EIO), IRQS, ALWAYS, NULL, SKIPPED,", "	{ ERRNO(EIO), IRQS, ALWAYS, NULL, FAILED,", "refusals"),
    Mutant("gives-up-where-a-cpu-has-no-vector", "src/apply/stage.c",
           "	if (meaning.no_vector && nic && go_elsewhere(run, nic, change))", "	if (meaning.read_only && nic && go_elsewhere(run, nic, change))",
           "apply-refusals"),
    Mutant("takes-a-device-that-went-for-a-failure", "src/apply/stage.c",
           "		return !host_exists(run->host, path);", "		return false;", "refusals",
           (("src/apply/meaning.c", "	{ ERRNO(ENOENT), IRQS, ALWAYS, NULL, GONE,",
             "	{ ERRNO(ENOENT), IRQS, ALWAYS, NULL, FAILED,"),)),
    Mutant("forgets-what-a-reset-loses", "src/apply/reconcile.c",
           "		remember_device(run, reset.items[i]);", "		(void)remember_device;", "apply-igb"),
    Mutant("takes-what-a-driver-does-for-a-rival", "src/watch/drift.c",
           "	case EVENT_NIC_QUEUES:\n	case EVENT_CPU: return lives_on_queues(setting);",
           "	case EVENT_NIC_QUEUES: return lives_on_queues(setting);\n	case EVENT_CPU: return false;", "daemon-virtio"),
    Mutant("counts-a-flowtable-that-nobody-uses", "src/model/flow.c",
           "		const char *device = table->used ? hooked(machine, table, nic, 0) : NULL;",
           "		const char *device = hooked(machine, table, nic, 0);", "daemon-flows"),
]
