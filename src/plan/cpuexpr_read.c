/* Reads CPU expressions into trees; steerd.ini(5), CPU EXPRESSIONS, explains them. Knows no machine.
 *
 *	expression = operand { ("+" | "&" | "-") operand }		from left to right
 *	operand    = "(" expression ")" | list | "mask:" digits | WORD | WORD ":" number
 *	           | WORD "(" expression ")" | WORD "(" number "," expression ")"
 *	list       = range { "," range }
 *	range      = cpu [ "-" cpu [ ":" number "/" number ] ]		cpu = number | "N"
 *
 * A "-" between two numbers is a range when no blank stands beside it and an operator when blanks stand on both sides;
 * anything between is refused, for nobody can tell what was meant.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "cpuexpr.h"

enum { DEPTH_MAX = 32, OPERATORS_MAX = 256 };

struct reader {
	const char *text, *at;
	unsigned depth, operators;
	struct problem problem; /* set as soon as something is wrong */
};

static struct cpuexpr *read_sum(struct reader *r);

static struct cpuexpr *node_new(enum cpuexpr_kind kind)
{
	struct cpuexpr *expr = alloc_zero(1, sizeof *expr);

	expr->kind = kind;
	return expr;
}

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

static unsigned column(const struct reader *r, const char *at)
{
	return (unsigned)(at - r->text) + 1;
}

static void skip_blanks(struct reader *r)
{
	while (isblank((unsigned char)*r->at))
		r->at++;
}

static bool is_n(const char *at)
{
	return *at == 'N' && !isalnum((unsigned char)at[1]);
}

static bool is_cpu(const char *at)
{
	return isdigit((unsigned char)*at) || is_n(at);
}

/* A number between limits; `what` names it in messages. */
static bool read_number(struct reader *r, const char *what, uint32_t least, uint32_t most, uint32_t *ret)
{
	const char *start = r->at;
	int length = (int)strspn(start, "0123456789");
	uint64_t value = 0;

	if (!length) {
		problem_set(&r->problem, column(r, start), "%s needs a number%s%.10s%s", what, *start ? ", not '" : "",
			    start, *start ? "'" : "");
		return false;
	}
	for (; isdigit((unsigned char)*r->at); r->at++)
		if (value <= UINT32_MAX)
			value = value * 10 + (uint64_t)(*r->at - '0');
	if (value < least || value > most) {
		problem_set(&r->problem, column(r, start), "%s %.*s: must be %u to %u", what, length, start, least,
			    most);
		return false;
	}
	*ret = (uint32_t)value;
	return true;
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static bool read_cpu(struct reader *r, unsigned *ret, bool *ret_is_n)
{
	*ret_is_n = is_n(r->at);
	if (!*ret_is_n)
		return read_number(r, "CPU", 0, CPUSET_MAX - 1, ret);
	*ret = CPUSET_MAX - 1; /* until a machine says which one */
	r->at++;
	return true;
}

static bool read_stride(struct reader *r, struct cpurange *range)
{
	const char *start = r->at;

	if (*r->at != ':')
		return true;
	r->at++;
	if (!read_number(r, "the used part of a stride", 1, CPUSET_MAX, &range->used))
		return false;
	if (*r->at != '/') {
		problem_set(&r->problem, column(r, r->at), "a stride is USED/GROUP: '0-31:2/4'");
		return false;
	}
	r->at++;
	if (!read_number(r, "the group of a stride", 1, CPUSET_MAX, &range->group))
		return false;
	if (range->used > range->group)
		problem_set(&r->problem, column(r, start), "a stride can't use %u CPUs of each %u", range->used,
			    range->group);
	return !r->problem.text;
}

static bool read_range(struct reader *r, struct cpurange *range)
{
	const char *start = r->at;

	if (!read_cpu(r, &range->first, &range->first_is_n))
		return false;
	range->last = range->first;
	range->last_is_n = range->first_is_n;
	if (*r->at != '-' || r->at[1] == '(' || (isalpha((unsigned char)r->at[1]) && !is_n(r->at + 1)))
		return true; /* "0-isolated" subtracts */
	r->at++;
	if (!is_cpu(r->at)) {
		problem_set(&r->problem, column(r, start), "'%.*s' lacks its end", (int)(r->at - start), start);
		r->problem.hint = alloc_string("'0-3' is a range, '0 - 3' subtracts");
		return false;
	}
	if (!read_cpu(r, &range->last, &range->last_is_n) || !read_stride(r, range))
		return false;
	if (range->first > range->last || (range->first_is_n && !range->last_is_n)) {
		problem_set(&r->problem, column(r, start), "'%.*s' runs backwards", (int)(r->at - start), start);
	} else if (*r->at == '-' && is_cpu(r->at + 1)) {
		problem_set(&r->problem, column(r, r->at), "a range has two ends");
		r->problem.hint = alloc_string("blanks around '-' subtract: '0-19 - 4'");
	}
	return !r->problem.text;
}

static struct cpuexpr *read_list(struct reader *r)
{
	CLEANUP(cpuexpr_freep) struct cpuexpr *list = node_new(CPUEXPR_LIST);

	for (;;) {
		list->ranges = alloc_more(list->ranges, list->nranges, sizeof *list->ranges);
		list->ranges[list->nranges] = (struct cpurange){ .used = 1, .group = 1 };
		if (!read_range(r, &list->ranges[list->nranges++]))
			return NULL;
		if (*r->at != ',')
			break;
		r->at++;
		skip_blanks(r);
		if (!is_cpu(r->at)) {
			problem_set(&r->problem, column(r, r->at), "a CPU number is missing after ','");
			if (isalpha((unsigned char)*r->at))
				r->problem.hint = alloc_string("'+' joins words: '0-3 + node:1'");
			return NULL;
		}
	}
	if (isalnum((unsigned char)*r->at)) {
		problem_set(&r->problem, column(r, r->at), "'%c' is no part of a CPU list", *r->at);
		return NULL;
	}
	return TAKE(list);
}

static struct cpuexpr *read_mask(struct reader *r)
{
	CLEANUP(cpuexpr_freep) struct cpuexpr *mask = node_new(CPUEXPR_MASK);
	size_t length = strcspn(r->at, " \t+&-()");

	mask->mask_text = text_format("%.*s", (int)length, r->at);
	if (cpuset_parse_mask(mask->mask_text, &mask->mask) < 0) {
		problem_set(&r->problem, column(r, r->at), "'%s' is no CPU mask", mask->mask_text);
		r->problem.hint = alloc_string("hexadecimal, in groups of 32 bits: 'mask:ff,00000000'");
		return NULL;
	}
	r->at += length;
	if (cpuset_empty(mask->mask))
		mask->kind = CPUEXPR_NONE;
	return TAKE(mask);
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* The length of the word at r->at: letters only, so that "all-isolated" subtracts; but "irq-cpus" is one word. */
static size_t word_length(const char *at)
{
	size_t n = 0;

	if (text_starts(at, "irq-cpus"))
		return strlen("irq-cpus");
	while (isalpha((unsigned char)at[n]))
		n++;
	return n;
}

static struct cpuexpr *unknown_word(struct reader *r)
{
	static const char marks[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_0123456789";
	CLEANUP(free_string) char *whole = text_format("%.*s", (int)strspn(r->at, marks), r->at);
	CLEANUP(free_string) char *word = text_format("%.*s", (int)word_length(r->at), r->at);
	const char *words[CPUEXPR_KINDS];
	size_t n = 0;

	for (size_t i = 0; i < CPUEXPR_KINDS; i++)
		if (cpuexpr_forms[i].form != FORM_OPERATOR && cpuexpr_forms[i].form != FORM_WRITTEN)
			words[n++] = cpuexpr_forms[i].word;
	words[n++] = "mask";
	if (!text_nearest(word, words, n)) {
		problem_set(&r->problem, column(r, r->at), "unknown word '%s'", whole);
		problem_near(&r->problem, whole, words, n);
	} else {
		problem_set(&r->problem, column(r, r->at), "unknown word '%s'", word);
		problem_near(&r->problem, word, words, n);
	}
	return NULL;
}

/* What stands in the parentheses of a function. */
static bool read_arguments(struct reader *r, struct cpuexpr *expr)
{
	const char *word = cpuexpr_forms[expr->kind].word;
	bool counting = cpuexpr_forms[expr->kind].form == FORM_COUNTING;

	if (*r->at != '(') {
		problem_set(&r->problem, column(r, r->at), "%s takes %sCPUs in parentheses: '%s(%slocal)'", word,
			    counting ? "a number and " : "", word, counting ? "2, " : "");
		return false;
	}
	r->at++;
	skip_blanks(r);
	if (counting) {
		if (!read_number(r, word, cpuexpr_forms[expr->kind].least, cpuexpr_forms[expr->kind].most,
				 &expr->number))
			return false;
		skip_blanks(r);
		if (*r->at != ',') {
			problem_set(&r->problem, column(r, r->at), "',' is missing: '%s(2, local)'", word);
			return false;
		}
		r->at++;
	}
	expr->left = read_sum(r);
	if (expr->left && *r->at != ')')
		problem_set(&r->problem, column(r, r->at), "')' is missing");
	r->at += !r->problem.text;
	return !r->problem.text;
}

static struct cpuexpr *read_word(struct reader *r)
{
	CLEANUP(cpuexpr_freep) struct cpuexpr *expr = NULL;
	size_t length = word_length(r->at);
	bool good = true;

	if (text_starts(r->at, "mask:")) {
		r->at += strlen("mask:");
		return read_mask(r);
	}
	for (size_t i = 0; i < CPUEXPR_KINDS && !expr; i++)
		if (cpuexpr_forms[i].word && strlen(cpuexpr_forms[i].word) == length &&
		    text_starts(r->at, cpuexpr_forms[i].word))
			expr = node_new((enum cpuexpr_kind)i);
	if (!expr)
		return unknown_word(r);
	r->at += length;
	switch (cpuexpr_forms[expr->kind].form) {
	case FORM_NUMBERED:
		if (*r->at == ':')
			r->at++;
		else
			good = problem_set(&r->problem, column(r, r->at), "a number is missing: '%s:0'",
					   cpuexpr_forms[expr->kind].word) == 0;
		good = good && read_number(r, cpuexpr_forms[expr->kind].word, cpuexpr_forms[expr->kind].least,
					   cpuexpr_forms[expr->kind].most, &expr->number);
		break;
	case FORM_FUNCTION:
	case FORM_COUNTING: good = read_arguments(r, expr); break;
	case FORM_WORD:
	case FORM_OPERATOR:
	case FORM_WRITTEN: break;
	}
	return good ? TAKE(expr) : NULL;
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static struct cpuexpr *read_operand(struct reader *r)
{
	CLEANUP(cpuexpr_freep) struct cpuexpr *inner = NULL;

	skip_blanks(r);
	if (is_cpu(r->at))
		return read_list(r);
	if (isalpha((unsigned char)*r->at))
		return read_word(r);
	if (*r->at != '(') {
		problem_set(&r->problem, column(r, r->at), "CPUs are missing%s%.1s%s", *r->at ? " before '" : "", r->at,
			    *r->at ? "'" : " at the end");
		return NULL;
	}
	r->at++;
	inner = read_sum(r);
	if (!inner)
		return NULL;
	if (*r->at != ')') {
		problem_set(&r->problem, column(r, r->at), "')' is missing");
		return NULL;
	}
	r->at++;
	return TAKE(inner);
}

/* Whether the "-" at r->at has a blank on one side only and numbers on both. */
static bool half_blank(const struct reader *r)
{
	return *r->at == '-' && r->at > r->text && isblank((unsigned char)r->at[-1]) && is_cpu(r->at + 1);
}

static struct cpuexpr *read_sum(struct reader *r)
{
	CLEANUP(cpuexpr_freep) struct cpuexpr *left = NULL;

	if (++r->depth > DEPTH_MAX) {
		problem_set(&r->problem, column(r, r->at), "more than %d parentheses deep", DEPTH_MAX);
		return NULL;
	}
	left = read_operand(r);
	for (skip_blanks(r); left && *r->at && strchr("+&-", *r->at); skip_blanks(r)) {
		struct cpuexpr *sum = node_new(*r->at == '+'   ? CPUEXPR_ADD
					       : *r->at == '&' ? CPUEXPR_KEEP
							       : CPUEXPR_DROP);

		if (left->kind == CPUEXPR_LIST && half_blank(r))
			problem_set(&r->problem, column(r, r->at), "'-' is a range without blanks, subtracts with two");
		else if (++r->operators > OPERATORS_MAX)
			problem_set(&r->problem, column(r, r->at), "more than %d operators", OPERATORS_MAX);
		r->at++;
		sum->left = TAKE(left);
		left = sum;
		left->right = r->problem.text ? NULL : read_operand(r);
		if (!left->right)
			return NULL;
	}
	r->depth--;
	return TAKE(left);
}

int cpuexpr_read(const char *text, struct cpuexpr **ret, struct problem *ret_problem)
{
	struct reader r = { .text = text, .at = text };
	CLEANUP(cpuexpr_freep) struct cpuexpr *expr = read_sum(&r);

	if (expr && *r.at) {
		problem_set(&r.problem, column(&r, r.at), "'%.10s' does not belong here", r.at);
		if (isdigit((unsigned char)*r.at))
			r.problem.hint = alloc_string("',' joins numbers: '0-3,8'");
	}
	if (r.problem.text) {
		*ret_problem = r.problem;
		return -EINVAL;
	}
	*ret = TAKE(expr);
	return 0;
}
