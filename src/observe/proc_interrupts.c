/* Parses /proc/interrupts (kernel/irq/proc.c, show_interrupts):
 *
 *      "IRQ: COUNT... CHIP [HWIRQ][-FLOW| Level| Edge]  ACTION[, ACTION...]"
 *
 * Columns are online CPUs, so their number says nothing about ids; chips and actions may contain spaces; old kernels
 * print no hardware number, or no Level and Edge. Decides nothing about devices. */
#include "proc_interrupts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

enum { DOMAIN_SHIFT = 27, FUNCTION_SHIFT = 11, INDEX_MASK = 0x7ff }; /* pci_msi_domain_calc_hwirq */

static const char digits[] = "0123456789";

/* ---- where the actions begin ----------------------------------------------------------------------------------- */

static bool ends_in(const char *text, size_t length, const char *end)
{
	size_t n = strlen(end);

	return length >= n && strncmp(text + length - n, end, n) == 0;
}

/* The word that ends the fixed columns: "Level", "3-edge", "PCI-MSI-edge", "-event". */
static bool is_trigger(const char *word, size_t length)
{
	static const char *const flows[] = { "-edge", "-level", "-fasteoi", "-event", "-percpu", "-hpet" };

	if ((length == 5 && strncmp(word, "Level", 5) == 0) || (length == 4 && strncmp(word, "Edge", 4) == 0))
		return true;
	for (size_t i = 0; i < COUNT_OF(flows); i++)
		if (ends_in(word, length, flows[i]))
			return true;
	return false;
}

/* Behind the trigger; without one, behind the last gap of several blanks. */
static const char *find_actions(const char *text)
{
	const char *behind_gap = NULL;

	for (const char *word = text + strspn(text, " "); *word;) {
		size_t length = strcspn(word, " "), gap = strspn(word + length, " ");

		if (is_trigger(word, length))
			return word + length + gap;
		word += length + gap;
		if (gap > 1 && *word)
			behind_gap = word;
	}
	return behind_gap && behind_gap[strspn(behind_gap, digits)] ? behind_gap : text + strlen(text);
}

/* ", " separates actions: "PCIe PME, aerdrv" is two, "mmci-pl18x (cmd)" is one. */
static void split_actions(const char *text, struct strings *ret)
{
	while (*text) {
		const char *end = strstr(text, ", ");
		size_t length = end ? (size_t)(end - text) : strlen(text);
		char *action = text_format("%.*s", (int)length, text);

		strings_add(ret, text_trim(action));
		free(action);
		text += length + (end ? strlen(", ") : 0);
	}
}

/* ---- the chip and its number ----------------------------------------------------------------------------------- */

/* The length of "0000:01:00.0" at a place; 0: there is none. */
static size_t function_length(const char *text)
{
	unsigned domain, bus, device, function;
	int length = 0;

	if (sscanf(text, "%8x:%2x:%2x.%1x%n", &domain, &bus, &device, &function, &length) != 4)
		return 0;
	return (size_t)length;
}

/* The chips whose number is that of a PCI message; not MSI-INTA, ITS-fMSI, xen-pirq, which count otherwise. */
static bool counts_messages(const char *chip)
{
	static const char *const chips[] = { "PCI-MSI", "PCIe MSI", "ITS-MSI", "ITS-PCI-MSI" };

	for (size_t i = 0; i < COUNT_OF(chips); i++)
		if (strstr(chip, chips[i]))
			return true;
	return false;
}

/* chip: "IR-PCI-MSIX-0000:01:00.0    3-edge", "ITS-MSI 81920 Edge", "GICv3  27 Level" */
static void parse_chip(const char *chip, struct interrupt *ret)
{
	const char *number = NULL;

	for (const char *at = chip; *at; at++) {
		size_t length = at == chip || strchr("- ", at[-1]) ? function_length(at) : 0;

		if (length && !ret->function) {
			ret->function = text_format("%.*s", (int)length, at);
			at += length - 1;
		} else if (at > chip && at[-1] == ' ' && isdigit((unsigned char)*at)) {
			size_t n = strspn(at, digits);

			if (!at[n] || strchr(" -", at[n]))
				number = at;
			at += n - 1;
		}
	}
	if (!number)
		return;
	ret->message = strtoull(number, NULL, 10);
	ret->has_message = !ret->function && counts_messages(chip);
	if (ret->message <= UINT32_MAX)
		ret->line = SOME_U32((uint32_t)ret->message);
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

static bool parse_row(const char *line, struct interrupt *ret)
{
	CLEANUP(free_string) char *number = NULL, *chip = NULL;
	const char *at = line + strspn(line, " \t"), *actions;
	size_t length = strspn(at, digits);

	number = text_format("%.*s", (int)length, at);
	if (at[length] != ':' || text_u32(number, &ret->irq) < 0)
		return false;
	for (at += length + 1;; at += length) {
		at += strspn(at, " \t");
		length = strspn(at, digits);
		if (!length || (at[length] && at[length] != ' ' && at[length] != '\t'))
			break;
		ret->fired |= strspn(at, "0") < length;
	}
	actions = find_actions(at);
	chip = text_format("%.*s", (int)(actions - at), at);
	parse_chip(chip, ret);
	split_actions(actions, &ret->actions);
	return true;
}

static int by_number(const void *a, const void *b)
{
	const struct interrupt *left = a, *right = b;

	return left->irq < right->irq ? -1 : left->irq > right->irq;
}

void interrupts_parse(const char *text, struct interrupts *ret)
{
	CLEANUP(strings_clear) struct strings lines = { 0 };

	*ret = (struct interrupts){ 0 };
	strings_split(&lines, text, "\n");
	for (size_t i = 0; i < lines.n; i++) {
		struct interrupt row = { 0 };

		if (!parse_row(lines.items[i], &row))
			continue;
		ret->items = alloc_more(ret->items, ret->n, sizeof *ret->items);
		ret->items[ret->n++] = row;
	}
	if (ret->n)
		qsort(ret->items, ret->n, sizeof *ret->items, by_number);
}

void interrupts_clear(struct interrupts *interrupts)
{
	for (size_t i = 0; i < interrupts->n; i++) {
		strings_clear(&interrupts->items[i].actions);
		free(interrupts->items[i].function);
	}
	free(interrupts->items);
	*interrupts = (struct interrupts){ 0 };
}

const struct interrupt *interrupts_find(const struct interrupts *interrupts, unsigned irq)
{
	const struct interrupt key = { .irq = irq };

	if (!interrupts->n)
		return NULL;
	return bsearch(&key, interrupts->items, interrupts->n, sizeof key, by_number);
}

/* ---- PCI functions --------------------------------------------------------------------------------------------- */

bool interrupt_has_function(const struct interrupt *interrupt)
{
	return interrupt->function || interrupt->has_message;
}

/* Some kernels print the number cut to 32 bits, which loses part of the domain. */
bool interrupt_is_of(const struct interrupt *interrupt, const char *function)
{
	unsigned domain, bus, device, number;
	uint64_t expected, found = interrupt->message & ~(uint64_t)INDEX_MASK;

	if (interrupt->function)
		return text_equal(interrupt->function, function);
	if (!interrupt->has_message || sscanf(function, "%8x:%2x:%2x.%1x", &domain, &bus, &device, &number) != 4)
		return false;
	expected = (uint64_t)domain << DOMAIN_SHIFT | (uint64_t)(bus << 8 | device << 3 | number) << FUNCTION_SHIFT;
	return found == expected || found == (uint32_t)expected;
}

struct opt_u32 interrupt_vector(const struct interrupt *interrupt)
{
	if (interrupt->function)
		return interrupt->line;
	return interrupt->has_message ? SOME_U32((uint32_t)(interrupt->message & INDEX_MASK)) : (struct opt_u32){ 0 };
}
