/* Matches the name of an action with the formats of the naming rules. A name is compared whole: "eth1-TxRx-0" is not
 * of eth10, and virtio1 is not virtio10. Decides no queue. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "irq_names.h"

enum { NIC_NAME_MAX = 15 }; /* IFNAMSIZ without the NUL */

struct attempt {
	const struct irq_identity *identity;
	struct irq_match found;
};

static bool match_rest(struct attempt *attempt, const char *format, const char *text);

static bool match_name(struct attempt *attempt, const char *name, const char *format, const char *text)
{
	return name && text_starts(text, name) && match_rest(attempt, format, text + strlen(name));
}

/* An earlier name of the device: whatever stands where the name should be, shortest first. */
static bool match_any(struct attempt *attempt, const char *not_in, size_t most, const char *format, const char *text)
{
	for (size_t n = 1; n <= most && text[n - 1] && !strchr(not_in, text[n - 1]); n++)
		if (match_rest(attempt, format, text + n))
			return true;
	return false;
}

static bool match_nic(struct attempt *attempt, const char *format, const char *text)
{
	const struct irq_identity *identity = attempt->identity;

	if (match_name(attempt, identity->nic, format, text))
		return true;
	if (identity->template && match_name(attempt, "eth%d", format, text))
		return true;
	return identity->any_nic && match_any(attempt, " /:", NIC_NAME_MAX, format, text);
}

static bool match_bus(struct attempt *attempt, const char *format, const char *text)
{
	for (size_t i = 0; i < COUNT_OF(attempt->identity->buses); i++)
		if (match_name(attempt, attempt->identity->buses[i], format, text))
			return true;
	return false;
}

static bool match_number(struct attempt *attempt, uint32_t *number, const char *format, const char *text)
{
	size_t length = strspn(text, "0123456789");
	CLEANUP(free_string) char *digits = text_format("%.*s", (int)length, text);

	return text_u32(digits, number) == 0 && match_rest(attempt, format, text + length);
}

static bool match_rest(struct attempt *attempt, const char *format, const char *text)
{
	while (*format && *format != '<' && *format == *text) {
		format++;
		text++;
	}
	if (*format != '<')
		return !*format && !*text;
	if (text_starts(format, "<nic>"))
		return match_nic(attempt, format + 5, text);
	if (text_starts(format, "<bus>"))
		return match_bus(attempt, format + 5, text);
	if (text_starts(format, "<dev>"))
		return match_nic(attempt, format + 5, text) || match_bus(attempt, format + 5, text);
	if (text_starts(format, "<n>"))
		return match_number(attempt, &attempt->found.n, format + 3, text);
	if (text_starts(format, "<m>"))
		return match_number(attempt, &attempt->found.m, format + 3, text);
	return match_any(attempt, "", strlen(text), format + 3, text); /* <x> */
}

static bool is_nameless(const char *format)
{
	return !strstr(format, "<nic>") && !strstr(format, "<bus>") && !strstr(format, "<dev>");
}

struct irq_match irq_match(const struct irq_rule *const *rules, size_t n, const struct irq_identity *identity,
			   const char *action)
{
	struct irq_identity exact = *identity;

	exact.any_nic = false;
	for (int pass = 0; pass < 2; pass++) { /* the present name first: with old ones a format fits more texts */
		for (size_t i = 0; i < n; i++) {
			struct attempt attempt = { .identity = pass ? identity : &exact };

			if (is_nameless(rules[i]->format) && !identity->nameless)
				continue;
			if (!match_rest(&attempt, rules[i]->format, action))
				continue;
			attempt.found.rule = rules[i];
			return attempt.found;
		}
		if (!identity->any_nic)
			break;
	}
	return (struct irq_match){ 0 };
}

/* ---- the rules of a driver -------------------------------------------------------------------------------------- */

static bool is_for(const struct irq_rule *rule, const char *driver)
{
	CLEANUP(strings_clear) struct strings globs = { 0 };

	strings_split(&globs, rule->drivers, " ");
	for (size_t i = 0; i < globs.n; i++)
		if (text_glob(globs.items[i], driver))
			return true;
	return false;
}

size_t irq_rules_of(const char *driver, const struct irq_rule ***ret)
{
	const struct irq_rule **rules = alloc_zero(n_irq_rules, sizeof *rules);
	size_t n = 0;

	for (size_t i = 0; driver && i < n_irq_rules; i++)
		if (irq_rules[i].drivers && is_for(&irq_rules[i], driver))
			rules[n++] = &irq_rules[i];
	if (!n)
		for (size_t i = 0; i < n_irq_rules; i++)
			if (!irq_rules[i].drivers)
				rules[n++] = &irq_rules[i];
	*ret = rules;
	return n;
}

void irq_judge(const struct vectors *all, size_t i, struct irq *irq)
{
	const struct vector *vector = &all->items[i];
	const struct irq_rule *rule = vector->match.rule;

	irq->role = IRQ_UNKNOWN;
	if (!vector->action) { /* allocated, or freed by fewer channels: it serves nothing */
		irq->role = IRQ_CONTROL;
		irq->rule = "no action";
	} else if (rule) {
		irq->role = rule->role;
		irq->rule = rule->format;
		if (rule->layout)
			rule->layout(all, i, irq);
	}
}
