/* The ethtool.json of a captured machine: what it says of a device, and changing that. */
#pragma once

#include <stdio.h>

#include "private.h"

/* Reads ethtool.json below the root. 0 with NULL: there is none, nothing is known. -EBADMSG: it is not valid, and
 * *ret_problem says where: "DIR/ethtool.json:3:14: ...". */
int recorded_load(const struct host *host, struct recorded **ret, char **ret_problem);
void recorded_free(struct recorded *recorded); /* NULL is fine */

/* As net_read() and net_driver(). A value of a wrong type is unknown. */
int recorded_read(struct host *host, struct nic *nic, unsigned details);
char *recorded_driver(struct host *host, const char *name);

/* As net_flowtables(), from flowtables.json below the root: a list of objects as steerctl(8) has it. */
int recorded_flowtables(struct host *host, struct flow_offloads *ret);

/* A value of a device, by the names that lead to it: "channels", "combined", "count". item is NULL where there is no
 * third name. Objects on the way are made. */
void recorded_put_u32(struct host *host, const char *device, const char *group, const char *item, const char *name,
		      uint32_t value);
void recorded_put_bool(struct host *host, const char *device, const char *group, const char *item, const char *name,
		       bool value);

/* The name that a capture has for a feature of a device. */
const char *recorded_feature(const struct host *host, const char *device, const char *feature);

/* The list of NAPI instances of a device, if it has one. */
void recorded_put_napis(struct host *host, const char *device, const struct napi *napis, size_t n);

int recorded_save(struct host *host); /* writes the file if a value is another than before */
