/* The parts of reading a policy, which share what is read so far. */
#pragma once

#include <steer/note.h>
#include <steer/policy.h>

struct parse {
	struct policy *policy;
	struct notes *notes;
	const struct key *keys;
	size_t nkeys;

	const char *kind;        /* of the present section; NULL: a bad one, its keys are not looked at */
	struct origin *seen;     /* per key: where the present section has it */
	struct origin policy_at; /* [policy], [sysctl], [fmc], [daemon]: where their only section is */
	struct origin sysctl_at, fmc_at, daemon_at;
};

void parse_begin(struct parse *parse, struct policy *policy, struct notes *notes);
void parse_clear(struct parse *parse); /* for CLEANUP; not the policy nor the notes */

/* Reads one more file into the policy. */
void parse_text(struct parse *parse, const char *name, const char *text, size_t length);

/* Checks what was read as a whole and hands it over, with its notes. 0, or -EINVAL when there is an error. */
int policy_finish(struct policy **policy, struct notes *found, struct policy **ret, struct notes *notes);

/* What no single key shows. Errors: keys of a section that contradict each other. Warnings: what does nothing, or is
 * never reached. */
void policy_check_errors(const struct policy *policy, struct notes *notes);
void policy_check_warnings(const struct policy *policy, struct notes *notes);
