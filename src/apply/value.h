/* What a setting of a NIC is worth now, in canonical text, and which part of the NIC it belongs to. */
#pragma once

#include <steer/machine.h>
#include <steer/plan.h>

/* The part of a device that a setting belongs to, by a name that outlives interrupt numbers: "rx-3" for a queue,
 * "combined-3" or "control-vector-0" for an interrupt; the name of a sysctl; NULL for the device as a whole. NULL too
 * when the interrupt is not the nic's. Caller frees. */
char *part_of_change(const struct nic *nic, const struct change *change);
char *part_of_irq(const struct nic *nic, const struct irq *irq);
const struct irq *irq_of_part(const struct nic *nic, const char *part); /* NULL: no such interrupt now */

/* The present value, or NULL when it is not known or the part does not exist. part as above; nic NULL: the host.
 * Caller frees. */
char *value_now(const struct machine *machine, const struct nic *nic, enum setting setting, const char *part);

/* Whether two texts mean the same. A negotiated pause is the same whatever it was negotiated to; NULL is like nothing.
 */
bool value_same(enum setting setting, const char *a, const char *b);

bool setting_is_irq(enum setting setting);
bool setting_is_channels(enum setting setting, enum channel_kind *ret); /* ret may be NULL */
char *sysctl_name(const char *path); /* "/proc/sys/net/ipv4/ip_forward" -> "net.ipv4.ip_forward" */
char *sysctl_path(const char *name); /* "net.ipv4.ip_forward" -> "proc/sys/net/ipv4/ip_forward" */
