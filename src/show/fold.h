/* Folds "queue 0 -> CPU 0, queue 1 -> CPU 1, ..." into the pattern that is behind it. Pure. */
#pragma once

#include <steer/topology.h>

struct spot { /* one queue and where it is served */
	unsigned index;
	const cpuset *cpus; /* NULL: not known */
};

/* "0-19 -> CPU 0-19, one each, all local", "0-3 -> CPU 0; 4 -> CPUs 2-3, on node 1", or when there is no pattern
 * "40 queues on 27 CPUs, up to 3 on one, 12 remote". local: the CPUs near the device, NULL unknown. Caller frees. */
char *fold_spots(const struct topology *topology, const cpuset *local, const struct spot *spots, size_t n);

/* The same without locality, for RPS and XPS: "off", "CPUs 1-3", "0: CPU 1; 1-3: off", "differs by queue". */
char *fold_sets(const struct topology *topology, const struct spot *spots, size_t n);

char *cpus_text(const struct topology *topology, const cpuset *cpus); /* "CPU 3", "CPUs 0-3", "any CPU", "none", "?" */

/* "0-3,7" of the indexes of queues; caller frees. */
char *indexes_text(const struct spot *spots, size_t n);
