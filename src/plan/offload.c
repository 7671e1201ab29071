/* Offloads: which features of the kernel a key stands for, and what a device must be told. Never turns on what only
 * some protocols survive. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "draft.h"

/* Names as ethtool(8) has them for people, and the kernel's (net/ethtool/common.c, netdev_features_strings). Turning a
 * name off turns off all of its features, turning it on those that are safe for any traffic. */
static const struct {
	enum offload offload;
	const char *feature;
	bool only_off;
} features[] = {
	{ OFFLOAD_RX, "rx-checksum", false },
	{ OFFLOAD_TX, "tx-checksum-ip-generic", false },
	{ OFFLOAD_TX, "tx-checksum-ipv4", false },
	{ OFFLOAD_TX, "tx-checksum-ipv6", false },
	{ OFFLOAD_SG, "tx-scatter-gather", false },
	{ OFFLOAD_TSO, "tx-tcp-segmentation", false },
	{ OFFLOAD_TSO, "tx-tcp6-segmentation", false },
	{ OFFLOAD_TSO, "tx-tcp-ecn-segmentation", true },
	{ OFFLOAD_TSO, "tx-tcp-mangleid-segmentation", true },
	{ OFFLOAD_GSO, "tx-generic-segmentation", false },
	{ OFFLOAD_GRO, "rx-gro", false },
	{ OFFLOAD_GRO_HW, "rx-gro-hw", false },
	{ OFFLOAD_LRO, "rx-lro", false },
	{ OFFLOAD_RXVLAN, "rx-vlan-hw-parse", false },
	{ OFFLOAD_TXVLAN, "tx-vlan-hw-insert", false },
	{ OFFLOAD_RXHASH, "rx-hashing", false },
	{ OFFLOAD_NTUPLE, "rx-ntuple-filter", false },
};

const char *offload_feature(unsigned index)
{
	return index < COUNT_OF(features) ? features[index].feature : NULL;
}

const char *offload_key(unsigned index)
{
	const struct key *keys;
	size_t n = policy_keys(&keys);

	for (size_t i = 0; i < n; i++)
		if (text_starts(keys[i].name, "offload.") &&
		    keys[i].offset == offsetof(struct section, offloads) +
					      (size_t)features[index].offload * sizeof(struct word_value))
			return keys[i].name;
	return NULL;
}

static const struct feature *find(const struct nic *nic, const char *name)
{
	for (size_t i = 0; i < nic->nfeatures; i++)
		if (strcmp(nic->features[i].name, name) == 0)
			return &nic->features[i];
	return NULL;
}

static const char *on_off(bool on)
{
	return on ? "on" : "off";
}

/* A feature that the device has not got is off, which is all that can be said of it. */
static void plan_feature(struct draft *draft, struct job *job, unsigned index, const struct word_value *key)
{
	const struct feature *feature = find(job->nic, features[index].feature);
	bool want = key->value != 0;
	struct change change = { .setting = SETTING_OFFLOAD, .index = index, .origin = key->at };

	if (want && features[index].only_off)
		return;
	change.from = alloc_string(on_off(feature && feature->active));
	change.to = alloc_string(on_off(want));
	change.target = text_format("ethtool:features:%s", features[index].feature);
	if (!feature || (feature->fixed && feature->active != want))
		change.skipped = text_format("%s is fixed %s in this device", features[index].feature,
					     on_off(feature && feature->active));
	else
		change.why = text_format("%s is to be %s", features[index].feature, on_off(want));
	(void)draft_add(draft, job, change);
}

/* Of a name with several features those that the device lacks are of no interest, unless it lacks them all. */
static bool concerns(const struct nic *nic, unsigned index)
{
	bool others = false;

	if (find(nic, features[index].feature))
		return true;
	for (unsigned i = 0; i < COUNT_OF(features); i++)
		if (features[i].offload == features[index].offload && i != index)
			others |= i < index || find(nic, features[i].feature);
	return !others;
}

void plan_offloads(struct draft *draft, struct job *job)
{
	for (unsigned i = 0; i < COUNT_OF(features); i++) {
		const struct word_value *key = &job->section->offloads[features[i].offload];

		if (key->at.line && concerns(job->nic, i))
			plan_feature(draft, job, i, key);
	}
}
