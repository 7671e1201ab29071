/* /proc/interrupts as text: rows, without knowledge of devices. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <steer/nic.h>
#include <steer/text.h>

struct interrupt { /* one numbered row */
	unsigned irq;
	struct strings actions; /* none: registered by nobody (old kernels show it while it has counts) */
	bool fired;             /* a count is not zero */
	struct opt_u32 line;    /* the hardware number, where the row has one that fits */
	char *function;         /* the PCI function in the chip's name, "0000:01:00.0" (x86 from 6.2) */
	uint64_t message;       /* PCI domain, function and MSI index as one number; */
	bool has_message;       /* ... known for PCI MSI chips that print it */
};

struct interrupts { /* ascending numbers */
	struct interrupt *items;
	size_t n;
};

/* Reads the text of the file. Rows that are no device's (NMI, ERR) and lines of another form are left out. */
void interrupts_parse(const char *text, struct interrupts *ret);
void interrupts_clear(struct interrupts *interrupts);

const struct interrupt *interrupts_find(const struct interrupts *interrupts, unsigned irq); /* NULL: no row */

/* Whether a row says which PCI function it belongs to, and whether that is the one. */
bool interrupt_has_function(const struct interrupt *interrupt);
bool interrupt_is_of(const struct interrupt *interrupt, const char *function);

/* The MSI(-X) index on its function, as far as the row tells. */
struct opt_u32 interrupt_vector(const struct interrupt *interrupt);
