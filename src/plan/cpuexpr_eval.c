/* Works out the CPUs of an expression on a machine, and says in words how it came to them. Only online CPUs come out.
 * Pure.
 *
 * 1. A device whose node is not known has all CPUs local and none remote; the same when its node has no CPU online.
 * 2. cores() takes of each core the first thread that its operand has; threads() adds all online siblings.
 * 3. first(), last() and skip() count in topology order: cores before siblings.
 * 4. Where the queue interrupts of a device are not known, any CPU may serve them.
 * 5. spread() takes, one after the other, the CPU whose core, package, node and cache (in this order) were taken least
 *    often, the first in topology order among equals.
 * 6. lacking() is about what the device can have, not about what it has: where a policy gives it fewer queues, that is
 *    on purpose.
 */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "cpuexpr.h"
#include "draft.h"

enum { LIST_MAX = 24 }; /* a longer list is told as a number of CPUs */

struct eval {
	const struct topology *topology;
	const struct nic *nic;
	const cpuset *own;      /* the CPUs of the section */
	struct strings remarks; /* what is left out, and what is not known */
};

/* The CPUs of one kind of node, and what to call them. */
typedef cpuset *evaluator(const struct cpuexpr *expr, struct eval *e, char **ret_phrase);

static evaluator eval;

/* ---- words for sets --------------------------------------------------------------------------------------------- */

static void remark(struct eval *e, char *text)
{
	CLEANUP(free_string) char *owned = text;

	if (!strings_have(&e->remarks, text))
		strings_take(&e->remarks, TAKE(owned));
}

static char *in_brief(const cpuset *set)
{
	CLEANUP(free_string) char *list = cpuset_list(set);

	if (!*list)
		return alloc_string("no CPU");
	return strlen(list) <= LIST_MAX ? TAKE(list) : text_format("%u CPUs", cpuset_count(set));
}

static const char *nic_place(const struct nic *nic)
{
	return nic->bus ? nic->bus : nic->name;
}

/* "node 0 (0-19)" */
static char *named(const char *what, const cpuset *set)
{
	CLEANUP(free_string) char *brief = in_brief(set);

	return text_format("%s (%s)", what, brief);
}

/* ---- words of the language -------------------------------------------------------------------------------------- */

static cpuset *online(const struct eval *e)
{
	return e->topology->online ? cpuset_dup(e->topology->online) : cpuset_new();
}

static cpuset *eval_none(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	(void)expr;
	(void)e;
	*ret_phrase = alloc_string("no CPU");
	return cpuset_new();
}

static cpuset *eval_all(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(cpuset_freep) cpuset *set = online(e);

	(void)expr;
	*ret_phrase = named("all online CPUs", set);
	return TAKE(set);
}

/* The online CPUs near the device, by the kernel's word or else by its node. NULL, with a remark, when all have to
 * count as near: the kernel says "all" itself when it does not know, and a machine of one node has no others. */
static cpuset *near_device(struct eval *e)
{
	const struct nic *nic = e->nic;
	const struct node *node = nic->node >= 0 ? topology_node(e->topology, nic->node) : NULL;
	CLEANUP(cpuset_freep) cpuset *set = cpuset_dup(nic->local ? nic->local : node ? node->cpus : NULL);

	if (!set || (nic->node < 0 && cpuset_within(e->topology->online, set))) {
		if (e->topology->nnodes > 1)
			remark(e, alloc_string("node unknown: all CPUs count as local"));
		return NULL;
	}
	cpuset_keep(set, e->topology->online);
	if (!cpuset_empty(set))
		return TAKE(set);
	remark(e, text_format("no CPU near %s is online: all CPUs count as local", nic_place(nic)));
	return NULL;
}

static cpuset *eval_local(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	CLEANUP(free_string) char *node = NULL, *whole = NULL;

	(void)expr;
	if (!e->nic) {
		*ret_phrase = alloc_string("CPUs local to no device");
		return cpuset_new();
	}
	set = near_device(e);
	if (!set) {
		set = online(e);
		*ret_phrase = named("all online CPUs", set);
		return TAKE(set);
	}
	node = e->nic->node >= 0 ? text_format("node %d", e->nic->node) : alloc_string("CPUs");
	whole = named(node, set);
	*ret_phrase = text_format("%s, local to %s", whole, nic_place(e->nic));
	return TAKE(set);
}

static cpuset *eval_remote(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(cpuset_freep) cpuset *local = NULL, *set = online(e);
	CLEANUP(free_string) char *phrase = NULL, *what = NULL;

	local = eval_local(expr, e, &phrase);
	if (!e->nic)
		cpuset_drop_all(set, set);
	cpuset_drop_all(set, local);
	what = text_format("CPUs not local to %s", e->nic ? nic_place(e->nic) : "any device");
	*ret_phrase = named(what, set);
	return TAKE(set);
}

/* Interrupts that may serve a queue. */
static cpuset *queue_irqs(const struct nic *nic, bool *ret_known)
{
	CLEANUP(cpuset_freep) cpuset *set = cpuset_new();
	bool known = false;

	for (size_t i = 0; i < nic->nirqs; i++) {
		if (nic->irqs[i].role == IRQ_CONTROL)
			continue;
		cpuset_add_all(set, nic->irqs[i].affinity);
		known = nic->irqs[i].affinity != NULL;
		if (!known)
			break;
	}
	*ret_known = known;
	return TAKE(set);
}

static cpuset *eval_irq_cpus(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(cpuset_freep) cpuset *set = NULL;
	CLEANUP(free_string) char *what = NULL;
	bool known;

	(void)expr;
	if (!e->nic) {
		*ret_phrase = alloc_string("CPUs of no device's interrupts");
		return cpuset_new();
	}
	set = queue_irqs(e->nic, &known);
	if (!known) {
		remark(e,
		       text_format("the queue interrupts of %s are not known: any CPU may serve them", e->nic->name));
		cpuset_add_all(set, e->topology->online);
	}
	cpuset_keep(set, e->topology->online);
	what = text_format("CPUs of the queue interrupts of %s", e->nic->name);
	*ret_phrase = named(what, set);
	return TAKE(set);
}

static cpuset *eval_cpus(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(cpuset_freep) cpuset *set = online(e);

	(void)expr;
	cpuset_keep(set, e->own);
	*ret_phrase = named("the section's CPUs", set);
	return TAKE(set);
}

static cpuset *eval_isolated(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(cpuset_freep) cpuset *set = online(e);

	if (expr->kind == CPUEXPR_ISOLATED)
		cpuset_keep(set, e->topology->isolated);
	else
		cpuset_drop_all(set, e->topology->isolated);
	*ret_phrase = named(expr->kind == CPUEXPR_ISOLATED ? "isolated CPUs" : "housekeeping CPUs", set);
	return TAKE(set);
}

static bool belongs(const struct cpu *cpu, const struct cpuexpr *expr)
{
	int number = expr->kind == CPUEXPR_NODE      ? cpu->node
		     : expr->kind == CPUEXPR_PACKAGE ? (int)cpu->package
						     : (int)cpu->llc;

	return number >= 0 && (uint32_t)number == expr->number;
}

static cpuset *eval_numbered(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(cpuset_freep) cpuset *set = cpuset_new();
	CLEANUP(free_string) char *what = text_format("%s %u", cpuexpr_forms[expr->kind].word, expr->number);

	for (size_t i = 0; i < e->topology->ncpus; i++)
		if (belongs(&e->topology->cpus[i], expr))
			cpuset_add(set, e->topology->cpus[i].id);
	if (cpuset_empty(set))
		remark(e, text_format("%s has no CPU online here", what));
	*ret_phrase = named(what, set);
	return TAKE(set);
}

static void add_range(cpuset *set, const struct cpurange *range, unsigned last)
{
	unsigned from = range->first_is_n ? last : range->first, to = range->last_is_n ? last : range->last;

	for (unsigned cpu = from; cpu <= to; cpu++)
		if ((cpu - from) % range->group < range->used)
			cpuset_add(set, cpu);
}

/* A list or a mask. "N" is the last CPU that is online. */
static cpuset *eval_written(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(cpuset_freep) cpuset *set = expr->mask ? cpuset_dup(expr->mask) : cpuset_new(), *absent = NULL;
	CLEANUP(free_string) char *list = NULL, *missing = NULL;
	int last = cpuset_last(e->topology->online);

	for (size_t i = 0; i < expr->nranges && last >= 0; i++)
		add_range(set, &expr->ranges[i], (unsigned)last);
	absent = cpuset_dup(set);
	cpuset_drop_all(absent, e->topology->online);
	cpuset_keep(set, e->topology->online);
	missing = in_brief(absent);
	if (!cpuset_empty(absent))
		remark(e, text_format(cpuset_count(absent) == 1 ? "CPU %s is not online" : "CPUs %s are not online",
				      missing));
	list = in_brief(set);
	*ret_phrase = text_format(cpuset_count(set) == 1 ? "CPU %s" : cpuset_empty(set) ? "%s" : "CPUs %s", list);
	return TAKE(set);
}

/* ---- the tree --------------------------------------------------------------------------------------------------- */

static const struct {
	const char *phrase;
	pick *pick;
} functions[CPUEXPR_KINDS] = {
	[CPUEXPR_CORES] = { "cores", cores_of },           [CPUEXPR_THREADS] = { "all threads", threads_of },
	[CPUEXPR_FIRST] = { "first", first_of },           [CPUEXPR_LAST] = { "last", last_of },
	[CPUEXPR_SKIP] = { "all but the first", rest_of }, [CPUEXPR_SPREAD] = { "most distant", spread_over },
};

static cpuset *eval_function(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(free_string) char *of = NULL;
	CLEANUP(cpuset_freep) cpuset *set = eval(expr->left, e, &of);
	const char *phrase = functions[expr->kind].phrase;

	if (cpuexpr_forms[expr->kind].form == FORM_FUNCTION)
		*ret_phrase = text_format("%s of %s", phrase, of);
	else
		*ret_phrase = text_format("%s %u of %s", phrase, expr->number, of);
	if (cpuset_count(set) < expr->number)
		remark(e, text_format("there are only %u", cpuset_count(set)));
	return functions[expr->kind].pick(e->topology, set, expr->number);
}

/* Rule 6. */
static cpuset *eval_lacking(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(free_string) char *of = NULL;
	CLEANUP(cpuset_freep) cpuset *set = eval(expr->left, e, &of);
	uint32_t most = e->nic ? channels_most_rx(e->nic) : 0;

	if (most > 0 && most < cpuset_count(set)) {
		*ret_phrase = text_format("%s (%s has at most %u receive queue%s)", of, e->nic->name, most,
					  most == 1 ? "" : "s");
		return TAKE(set);
	}
	*ret_phrase = alloc_string("no CPU that lacks a queue");
	return cpuset_new();
}

static cpuset *eval_operator(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	CLEANUP(free_string) char *left = NULL, *right = NULL;
	CLEANUP(cpuset_freep) cpuset *set = eval(expr->left, e, &left), *other = eval(expr->right, e, &right);

	if (expr->kind == CPUEXPR_ADD)
		cpuset_add_all(set, other);
	else if (expr->kind == CPUEXPR_KEEP)
		cpuset_keep(set, other);
	else
		cpuset_drop_all(set, other);
	*ret_phrase = text_format("%s %s %s", left,
				  expr->kind == CPUEXPR_ADD    ? "and"
				  : expr->kind == CPUEXPR_KEEP ? "within"
							       : "without",
				  right);
	return TAKE(set);
}

static cpuset *eval(const struct cpuexpr *expr, struct eval *e, char **ret_phrase)
{
	static evaluator *const evaluators[CPUEXPR_KINDS] = {
		[CPUEXPR_NONE] = eval_none,
		[CPUEXPR_ALL] = eval_all,
		[CPUEXPR_ONLINE] = eval_all,
		[CPUEXPR_LOCAL] = eval_local,
		[CPUEXPR_REMOTE] = eval_remote,
		[CPUEXPR_ISOLATED] = eval_isolated,
		[CPUEXPR_HOUSEKEEPING] = eval_isolated,
		[CPUEXPR_IRQ_CPUS] = eval_irq_cpus,
		[CPUEXPR_CPUS] = eval_cpus,
		[CPUEXPR_NODE] = eval_numbered,
		[CPUEXPR_PACKAGE] = eval_numbered,
		[CPUEXPR_LLC] = eval_numbered,
		[CPUEXPR_LIST] = eval_written,
		[CPUEXPR_MASK] = eval_written,
		[CPUEXPR_CORES] = eval_function,
		[CPUEXPR_THREADS] = eval_function,
		[CPUEXPR_LACKING] = eval_lacking,
		[CPUEXPR_FIRST] = eval_function,
		[CPUEXPR_LAST] = eval_function,
		[CPUEXPR_SKIP] = eval_function,
		[CPUEXPR_SPREAD] = eval_function,
		[CPUEXPR_ADD] = eval_operator,
		[CPUEXPR_KEEP] = eval_operator,
		[CPUEXPR_DROP] = eval_operator,
	};

	return evaluators[expr->kind](expr, e, ret_phrase);
}

void cpuexpr_eval_within(const struct cpuexpr *expr, const struct machine *machine, const struct nic *nic,
			 const cpuset *own, cpuset **ret, char **ret_why)
{
	struct eval e = { .topology = &machine->topology, .nic = nic, .own = own };
	CLEANUP(strings_clear) struct strings all = { 0 };
	char *phrase = NULL;

	*ret = eval(expr, &e, &phrase);
	strings_take(&all, phrase);
	for (size_t i = 0; i < e.remarks.n; i++)
		strings_add(&all, e.remarks.items[i]);
	strings_clear(&e.remarks);
	if (ret_why)
		*ret_why = strings_join(&all, "; ");
}

void cpuexpr_eval(const struct cpuexpr *expr, const struct machine *machine, const struct nic *nic, cpuset **ret,
		  char **ret_why)
{
	cpuexpr_eval_within(expr, machine, nic, NULL, ret, ret_why);
}
