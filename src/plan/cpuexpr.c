/* CPU expressions: the table of their words, and printing them in canonical form. Knows no machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "cpuexpr.h"

enum { WIDTH_MAX = 120 }; /* of an expression with blanks around its operators */

const struct cpuexpr_form cpuexpr_forms[CPUEXPR_KINDS] = {
	[CPUEXPR_NONE] = { "none", FORM_WORD, 0, 0 },
	[CPUEXPR_ALL] = { "all", FORM_WORD, 0, 0 },
	[CPUEXPR_ONLINE] = { "online", FORM_WORD, 0, 0 },
	[CPUEXPR_LOCAL] = { "local", FORM_WORD, 0, 0 },
	[CPUEXPR_REMOTE] = { "remote", FORM_WORD, 0, 0 },
	[CPUEXPR_ISOLATED] = { "isolated", FORM_WORD, 0, 0 },
	[CPUEXPR_HOUSEKEEPING] = { "housekeeping", FORM_WORD, 0, 0 },
	[CPUEXPR_IRQ_CPUS] = { "irq-cpus", FORM_WORD, 0, 0 },
	[CPUEXPR_CPUS] = { "cpus", FORM_WORD, 0, 0 },
	[CPUEXPR_NODE] = { "node", FORM_NUMBERED, 0, 1023 },
	[CPUEXPR_PACKAGE] = { "package", FORM_NUMBERED, 0, CPUSET_MAX - 1 },
	[CPUEXPR_LLC] = { "llc", FORM_NUMBERED, 0, CPUSET_MAX - 1 },
	[CPUEXPR_LIST] = { NULL, FORM_WRITTEN, 0, 0 },
	[CPUEXPR_MASK] = { NULL, FORM_WRITTEN, 0, 0 },
	[CPUEXPR_CORES] = { "cores", FORM_FUNCTION, 0, 0 },
	[CPUEXPR_THREADS] = { "threads", FORM_FUNCTION, 0, 0 },
	[CPUEXPR_LACKING] = { "lacking", FORM_FUNCTION, 0, 0 },
	[CPUEXPR_FIRST] = { "first", FORM_COUNTING, 1, CPUSET_MAX },
	[CPUEXPR_LAST] = { "last", FORM_COUNTING, 1, CPUSET_MAX },
	[CPUEXPR_SKIP] = { "skip", FORM_COUNTING, 0, CPUSET_MAX },
	[CPUEXPR_SPREAD] = { "spread", FORM_COUNTING, 1, CPUSET_MAX },
	[CPUEXPR_ADD] = { "+", FORM_OPERATOR, 0, 0 },
	[CPUEXPR_KEEP] = { "&", FORM_OPERATOR, 0, 0 },
	[CPUEXPR_DROP] = { "-", FORM_OPERATOR, 0, 0 },
};

/* ---- life ------------------------------------------------------------------------------------------------------- */

void cpuexpr_free(struct cpuexpr *expr)
{
	if (!expr)
		return;
	cpuexpr_free(expr->left);
	cpuexpr_free(expr->right);
	cpuset_free(expr->mask);
	free(expr->mask_text);
	free(expr->ranges);
	free(expr);
}

void cpuexpr_freep(struct cpuexpr **expr)
{
	cpuexpr_free(*expr);
	*expr = NULL;
}

bool cpuexpr_has(const struct cpuexpr *expr, enum cpuexpr_kind kind)
{
	return expr && (expr->kind == kind || cpuexpr_has(expr->left, kind) || cpuexpr_has(expr->right, kind));
}

/* ---- printing --------------------------------------------------------------------------------------------------- */

static void print_cpu(FILE *out, unsigned cpu, bool is_n)
{
	if (is_n)
		fputc('N', out);
	else
		fprintf(out, "%u", cpu);
}

static void print_list(FILE *out, const struct cpuexpr *list)
{
	for (size_t i = 0; i < list->nranges; i++) {
		const struct cpurange *range = &list->ranges[i];

		fputs(i ? "," : "", out);
		print_cpu(out, range->first, range->first_is_n);
		if (range->first != range->last || range->first_is_n != range->last_is_n) {
			fputc('-', out);
			print_cpu(out, range->last, range->last_is_n);
		}
		if (range->used != range->group)
			fprintf(out, ":%u/%u", range->used, range->group);
	}
}

static const struct cpuexpr *last_operand(const struct cpuexpr *expr)
{
	while (cpuexpr_forms[expr->kind].form == FORM_OPERATOR)
		expr = expr->right;
	return expr;
}

static void print(FILE *out, const struct cpuexpr *expr, bool roomy);

/* Operators go from left to right, so only a right side that has one itself needs parentheses. */
static void print_operator(FILE *out, const struct cpuexpr *expr, bool roomy)
{
	bool nested = cpuexpr_forms[expr->right->kind].form == FORM_OPERATOR;
	bool numbers = last_operand(expr->left)->kind == CPUEXPR_LIST && expr->right->kind == CPUEXPR_LIST;
	const char *blank = roomy || (expr->kind == CPUEXPR_DROP && numbers) ? " " : "";

	print(out, expr->left, roomy);
	fprintf(out, "%s%s%s%s", blank, cpuexpr_forms[expr->kind].word, blank, nested ? "(" : "");
	print(out, expr->right, roomy);
	fputs(nested ? ")" : "", out);
}

static void print(FILE *out, const struct cpuexpr *expr, bool roomy)
{
	const char *word = cpuexpr_forms[expr->kind].word;

	switch (cpuexpr_forms[expr->kind].form) {
	case FORM_WORD: fputs(word, out); return;
	case FORM_NUMBERED: fprintf(out, "%s:%u", word, expr->number); return;
	case FORM_FUNCTION:
	case FORM_COUNTING:
		fprintf(out, "%s(", word);
		if (cpuexpr_forms[expr->kind].form == FORM_COUNTING)
			fprintf(out, "%u,%s", expr->number, roomy ? " " : "");
		print(out, expr->left, roomy);
		fputc(')', out);
		return;
	case FORM_OPERATOR: print_operator(out, expr, roomy); return;
	case FORM_WRITTEN:
		if (expr->kind == CPUEXPR_LIST)
			print_list(out, expr);
		else
			fprintf(out, "mask:%s", expr->mask_text);
		return;
	}
}

static char *printed(const struct cpuexpr *expr, bool roomy)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	print(out, expr, roomy);
	if (fclose(out))
		abort();
	return text;
}

/* A long one goes without blanks: then it is never longer than it was written, and fits a line of the policy again. */
char *cpuexpr_text(const struct cpuexpr *expr)
{
	CLEANUP(free_string) char *text = printed(expr, true);

	return strlen(text) <= WIDTH_MAX ? TAKE(text) : printed(expr, false);
}

int cpuexpr_parse(const char *text, struct cpuexpr **ret, char **ret_problem, unsigned *ret_column)
{
	CLEANUP(problem_clear) struct problem problem = { 0 };

	if (cpuexpr_read(text, ret, &problem) == 0)
		return 0;
	*ret_problem = problem.hint ? text_format("%s (%s)", problem.text, problem.hint) : TAKE(problem.text);
	*ret_column = problem.column;
	return -EINVAL;
}
