/* Decides what [fmc] comes to on a machine: which frame queues, and whether they can be had. i-th queue of a port ->
 * (i mod N)-th of the N CPUs with a QMan portal (sdk_dpaa/dpaa_eth_common.c, dpa_fq_setup), so a CPU is chosen by the
 * queue. fmc accepts nonsense with exit status 0, so all is judged here. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/fmc.h>

struct making {
	const struct machine *machine;
	const struct fman *fman;
	const struct fmc_section *section;
	struct fmc_wanted *wanted;
	struct fmc_port *ports;
	size_t nports;
	cpuset *cpus;
};

static void making_clear(struct making *making)
{
	free(making->ports);
	cpuset_free(making->cpus);
}

void fmc_wanted_clear(struct fmc_wanted *wanted)
{
	free(wanted->what);
	free(wanted->why);
	free(wanted->config);
	free(wanted->policy);
	strings_clear(&wanted->problems);
	*wanted = (struct fmc_wanted){ 0 };
}

bool fmc_is_recorded(const struct fman *fman, const struct fmc_wanted *wanted)
{
	CLEANUP(free_string) char *config = wanted->config ? text_sha256(wanted->config) : NULL;
	CLEANUP(free_string) char *policy = wanted->policy ? text_sha256(wanted->policy) : NULL;
	const struct fmc_record *record = &fman->record;

	return record->what && config && policy && text_equal(record->config, config) &&
	       text_equal(record->policy, policy) && text_equal(record->pdl, fman->pdl);
}

/* Takes text over. */
static void problem(struct making *making, char *text)
{
	strings_take(&making->wanted->problems, text);
}

static bool is_power(uint32_t number)
{
	return number && !(number & (number - 1));
}

/* ---- the machine ------------------------------------------------------------------------------------------------ */

static bool is_kernel_fit(struct making *making)
{
	switch (making->fman->kernel) {
	case FMAN_SDK: return true;
	case FMAN_MAINLINE:
		problem(making, alloc_string("this kernel has no FMan PCD device (/dev/fm0): mainline dpaa_eth "
					     "spreads by itself; see rps"));
		return false;
	case FMAN_NONE:
		problem(making, alloc_string("this machine has no FMan: neither /dev/fm0 nor an interrupt of a "
					     "QMan portal"));
		return false;
	}
	return false;
}

static void check_files(struct making *making)
{
	const struct fmc_section *section = making->section;
	const char *program = section->program.text ? section->program.text : FMC_PROGRAM;

	if (!making->fman->program)
		problem(making, text_format("there is no program %s (package fmc of your BSP; or say where it is: "
					    "program = PATH)",
					    program));
	if (!making->fman->pdl)
		problem(making, text_format("%s is missing (package fmc of your BSP)",
					    section->pdl.text ? section->pdl.text : FMC_PDL));
}

/* "(qportals=s0 on the kernel command line)", or "". */
static char *portals_by(const struct machine *machine)
{
	const char *token = NULL;

	for (size_t i = 0; i < machine->cmdline.n; i++) /* the last one counts */
		if (text_starts(machine->cmdline.items[i], "qportals="))
			token = machine->cmdline.items[i];
	return token ? text_format(" (%s on the kernel command line)", token) : alloc_string("");
}

/* ---- ports ------------------------------------------------------------------------------------------------------ */

static char *port_names(const struct fman *fman)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	for (size_t i = 0; i < fman->nports; i++)
		strings_take(&names, text_format("mac%u", fman->ports[i].mac));
	return names.n ? strings_join(&names, " ") : alloc_string("none");
}

static int by_mac(const void *a, const void *b)
{
	const struct fmc_port *x = a, *y = b;

	return x->mac < y->mac ? -1 : x->mac > y->mac;
}

static void add_port(struct making *making, const char *name)
{
	const struct fman_port *port = fman_port_named(making->fman, name);

	if (!port) {
		CLEANUP(free_string) char *has = port_names(making->fman);

		problem(making, text_format("%s is not on this board (has: %s)", name, has));
		return;
	}
	for (size_t i = 0; i < making->nports; i++)
		if (making->ports[i].mac == port->mac)
			return;
	if (port->count < FMC_QUEUES || port->first % FMC_QUEUES) {
		problem(making,
			text_format("the receive queues of mac%u are not known (fqids of %s)", port->mac, port->nic));
		return;
	}
	making->ports = alloc_more(making->ports, making->nports, sizeof *making->ports);
	making->ports[making->nports++] = (struct fmc_port){ .mac = port->mac, .base = port->first, .count = 1 };
}

static void choose_ports(struct making *making)
{
	for (size_t i = 0; i < making->section->ports.globs.n; i++)
		add_port(making, making->section->ports.globs.items[i]);
	if (making->nports)
		qsort(making->ports, making->nports, sizeof *making->ports, by_mac);
}

/* ---- CPUs ------------------------------------------------------------------------------------------------------- */

static cpuset *portal_cpus(const struct fman *fman)
{
	cpuset *cpus = cpuset_new();

	for (size_t i = 0; i < fman->qman.n; i++)
		cpuset_add(cpus, fman->qman.items[i].cpu);
	return cpus;
}

static void choose_cpus(struct making *making)
{
	const struct fman *fman = making->fman;

	if (making->section->cpus.mode == CPUS_EXPR) {
		cpuexpr_eval(making->section->cpus.expr, making->machine, NULL, &making->cpus, NULL);
	} else if (making->section->mode.value == FMC_SPREAD) {
		making->cpus = portal_cpus(fman);
	} else {
		making->cpus = cpuset_new();
		if (fman->qman.n)
			cpuset_add(making->cpus, fman->qman.items[0].cpu);
	}
	if (cpuset_empty(making->cpus))
		problem(making, alloc_string("no CPU is left by `cpus`"));
}

static void check_portals(struct making *making)
{
	CLEANUP(cpuset_freep) cpuset *having = portal_cpus(making->fman), *lacking = cpuset_dup(making->cpus);
	CLEANUP(free_string) char *list = NULL, *by = portals_by(making->machine);

	cpuset_drop_all(lacking, having);
	if (cpuset_empty(lacking))
		return;
	if (making->section->mode.value == FMC_SINGLE) {
		list = cpuset_list(lacking);
		problem(making, text_format("core %s has no QMan portal%s", list, by));
		return;
	}
	list = cpuset_list(making->cpus);
	problem(making, text_format("spread over %s needs a QMan portal on each of them, but this kernel has "
				    "%zu%s. Remove bportals= and qportals=, reboot",
				    list, making->fman->qman.n, by));
}

/* ---- queues ----------------------------------------------------------------------------------------------------- */

static void choose_single(struct making *making)
{
	int place = fman_portal_of(making->fman, (unsigned)cpuset_first(making->cpus));

	if (cpuset_count(making->cpus) != 1) {
		CLEANUP(free_string) char *list = cpuset_list(making->cpus);

		problem(making, text_format("mode = single takes one core, not %s", list));
		return;
	}
	for (size_t i = 0; i < making->nports && place >= 0; i++)
		making->ports[i].base += (uint32_t)place;
}

/* How many queues over all CPUs with a portal: a number for each CPU where one divides, else as many as there are. */
static uint32_t queues_over_all(const struct making *making)
{
	uint32_t portals = (uint32_t)making->fman->qman.n;

	if (making->section->queues.mode == COUNT_NUMBER)
		return making->section->queues.number;
	return is_power(portals) ? portals : FMC_QUEUES;
}

static void say_single(struct making *making, const char *core)
{
	CLEANUP(free_string) char *by = portals_by(making->machine);

	if (making->fman->qman.n > 1)
		problem(making, text_format("to spread over core %s alone is mode = single", core));
	else
		problem(making, text_format("spread needs QMan portals on several cores, but this kernel has %zu%s. "
					    "Remove bportals= and qportals=, reboot",
					    making->fman->qman.n, by));
}

static void choose_spread(struct making *making)
{
	uint32_t cores = cpuset_count(making->cpus), portals = (uint32_t)making->fman->qman.n, queues = cores;
	int first = fman_portal_of(making->fman, (unsigned)cpuset_first(making->cpus));
	int last = fman_portal_of(making->fman, (unsigned)cpuset_last(making->cpus));
	CLEANUP(free_string) char *list = cpuset_list(making->cpus);

	if (cores == 1)
		say_single(making, list);
	if (first < 0 || last < 0 || cores < 2)
		return;
	if (cores == portals)
		queues = queues_over_all(making);
	else if (making->section->queues.mode == COUNT_NUMBER && making->section->queues.number != cores)
		problem(making, text_format("queues = %u: over some of the cores there is one queue a core",
					    making->section->queues.number));
	if (cores == portals && queues < cores) {
		problem(making, text_format("queues = %u reach %u of %u cores", queues, queues, cores));
	} else if (cores != portals && !is_power(cores)) {
		problem(making, text_format("%u cores (%s): KeyGen needs a power of two, or all cores", cores, list));
	} else if (cores != portals && ((uint32_t)(last - first + 1) != cores || (uint32_t)first % cores)) {
		problem(making, text_format("cores %s: KeyGen needs neighbours, the first of them a multiple of "
					    "%u in the order of portals",
					    list, cores));
	}
	for (size_t i = 0; i < making->nports; i++) {
		making->ports[i].base += (uint32_t)first;
		making->ports[i].count = queues;
	}
}

static void check_schemes(struct making *making)
{
	enum fmc_hash hash = (enum fmc_hash)making->section->hash.value;
	unsigned each = making->nports ? fmc_schemes(making->ports[0].count, hash) : 0;

	if (each * making->nports > FMC_SCHEMES)
		problem(making, text_format("%zu ports x %u distributions = %zu schemes, FMan has %d: use hash = "
					    "l3 or fewer ports",
					    making->nports, each, each * making->nports, FMC_SCHEMES));
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* "mac9 -> FQ 0x3c00, mac10 -> FQ 0x3c80" */
static char *queues_text(const struct making *making)
{
	CLEANUP(strings_clear) struct strings texts = { 0 };

	for (size_t i = 0; i < making->nports; i++) {
		const struct fmc_port *port = &making->ports[i];

		strings_take(&texts, port->count == 1 ? text_format("mac%u -> FQ 0x%x", port->mac, port->base)
						      : text_format("mac%u -> FQs 0x%x-0x%x", port->mac, port->base,
								    port->base + port->count - 1));
	}
	return strings_join(&texts, ", ");
}

static char *served_by(const struct making *making)
{
	CLEANUP(free_string) char *list = cpuset_list(making->cpus);
	int place = fman_portal_of(making->fman, (unsigned)cpuset_first(making->cpus));

	if (cpuset_count(making->cpus) > 1 || place < 0)
		return text_format("the portals of CPUs %s", list);
	return text_format("the portal of CPU %s (IRQ %u)", list, making->fman->qman.items[place].irq);
}

static void describe(struct making *making)
{
	static const char *const names[] = {
		[FMC_L4] = "addresses and ports", [FMC_L3] = "addresses", [FMC_L3L4_V4] = "addresses and ports of IPv4"
	};
	CLEANUP(strings_clear) struct strings ports = { 0 };
	CLEANUP(free_string) char *cpus = cpuset_list(making->cpus), *queues = queues_text(making);
	CLEANUP(free_string) char *by = served_by(making), *macs = NULL;
	bool single = making->section->mode.value == FMC_SINGLE;

	for (size_t i = 0; i < making->nports; i++)
		strings_take(&ports, text_format("mac%u", making->ports[i].mac));
	macs = strings_join(&ports, " ");
	making->wanted->what = text_format("%s:%s (%s)", single ? "single" : "spread", cpus, macs);
	making->wanted->why = single ? text_format("one core-affined queue: %s, on %s", queues, by)
				     : text_format("flows are spread by %s: %s, on %s",
						   names[making->section->hash.value], queues, by);
}

/* ---- modes ------------------------------------------------------------------------------------------------------ */

static void make_rules(struct making *making)
{
	const struct fmc_section *section = making->section;
	enum fmc_hash hash = (enum fmc_hash)section->hash.value;
	struct fmc_wanted *wanted = making->wanted;
	CLEANUP(free_string) char *list = NULL;

	choose_ports(making);
	choose_cpus(making);
	check_portals(making);
	if (section->mode.value == FMC_SINGLE)
		choose_single(making);
	else
		choose_spread(making);
	check_schemes(making);
	describe(making);
	if (wanted->problems.n)
		return;
	list = cpuset_list(making->cpus);
	wanted->config = fmc_config_text(making->ports, making->nports);
	if (section->mode.value == FMC_SINGLE) {
		CLEANUP(free_string) char *text = text_format("single queue, core %s", list);

		wanted->policy = fmc_policy_text(making->ports, making->nports, hash, false, text);
	} else {
		CLEANUP(free_string) char *text = text_format("hash spread over cores %s", list);

		wanted->policy = fmc_policy_text(making->ports, making->nports, hash, section->symmetric.value, text);
	}
}

static void take_files(struct making *making)
{
	const struct fmc_section *section = making->section;
	const char *missing = !making->fman->config   ? section->config.text
			      : !making->fman->policy ? section->policy.text
						      : NULL;

	making->wanted->what = text_format("files:%s %s", section->config.text, section->policy.text);
	making->wanted->why = text_format("%s and %s as they are", section->config.text, section->policy.text);
	if (missing) {
		problem(making, text_format("%s is missing", missing));
		return;
	}
	making->wanted->config = alloc_string(making->fman->config);
	making->wanted->policy = alloc_string(making->fman->policy);
}

void fmc_make(const struct machine *machine, const struct policy *policy, struct fmc_wanted *ret)
{
	CLEANUP(making_clear)
	struct making making = { .machine = machine, .fman = &machine->fman, .section = &policy->fmc, .wanted = ret };

	*ret = (struct fmc_wanted){ 0 };
	if (policy->fmc.mode.value == FMC_OFF) {
		ret->what = alloc_string("off");
		ret->why = alloc_string("the policy wants the Frame Manager as the kernel sets it up");
		return;
	}
	if (!is_kernel_fit(&making)) {
		ret->what = alloc_string(policy->fmc.mode.value == FMC_SINGLE   ? "single"
					 : policy->fmc.mode.value == FMC_SPREAD ? "spread"
										: "files");
		return;
	}
	if (policy->fmc.mode.value == FMC_FILES)
		take_files(&making);
	else
		make_rules(&making);
	check_files(&making);
}
