/* One run of a program that is not trusted to end. Private to this folder. */
#pragma once

#include <stdbool.h>

#include <steer/text.h>

struct fmc_run {
	const char *const *arguments; /* the program's path first, NULL last; no shell reads them */
	const char *directory;        /* where it works */
	const char *tmp;              /* what it sees as /tmp; NULL: /tmp itself */
	unsigned timeout;             /* seconds */
};

struct fmc_result {
	int status;           /* exit status; 128 and the signal's number where a signal ended it */
	bool late;            /* it was ended because it took too long */
	struct strings lines; /* what it printed on both streams */
	unsigned more;        /* lines that are not kept */
};

void fmc_result_clear(struct fmc_result *result); /* for CLEANUP */

/* Runs it to its end. -errno: it could not be started. */
int fmc_run(const struct fmc_run *run, struct fmc_result *ret);
