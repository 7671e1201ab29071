/* Guesses who else writes a setting, by who runs here and what is configured: a .link file that names the setting,
 * irqbalance, tuned. Only reads, and accuses nobody for certain. */
#include "rivals.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

/* ---- .link files (systemd.link(5)) ------------------------------------------------------------------------------ */

static const char *const irq_keys[] = { "IRQAffinityPolicy", "IRQAffinity", "IRQAffinityNUMA", NULL };
static const char *const channel_keys[] = { "RxChannels", "TxChannels", "CombinedChannels", "OtherChannels", NULL };
static const char *const pause_keys[] = { "RxFlowControl", "TxFlowControl", "AutoNegotiationFlowControl", NULL };
static const char *const offload_keys[] = { "ReceiveChecksumOffload",
					    "TransmitChecksumOffload",
					    "TCPSegmentationOffload",
					    "TCP6SegmentationOffload",
					    "GenericSegmentationOffload",
					    "GenericReceiveOffload",
					    "GenericReceiveOffloadHardware",
					    "LargeReceiveOffload",
					    "ReceiveVLANCTAGHardwareAcceleration",
					    "TransmitVLANCTAGHardwareAcceleration",
					    NULL };
static const char *const ring_rx_keys[] = { "RxBufferSize", NULL };
static const char *const ring_tx_keys[] = { "TxBufferSize", NULL };
static const char *const rps_keys[] = { "ReceivePacketSteeringCPUMask", NULL };
static const char *const no_keys[] = { NULL };

static const char *const *link_keys(enum setting setting)
{
	switch (setting) {
	case SETTING_PAUSE: return pause_keys;
	case SETTING_OFFLOAD: return offload_keys;
	case SETTING_RING_RX: return ring_rx_keys;
	case SETTING_RING_TX: return ring_tx_keys;
	case SETTING_CHANNELS_RX:
	case SETTING_CHANNELS_TX:
	case SETTING_CHANNELS_COMBINED: return channel_keys;
	case SETTING_IRQ:
	case SETTING_IRQ_CONTROL: return irq_keys;
	case SETTING_RPS: return rps_keys;
	case SETTING_LINK:
	case SETTING_RPS_FLOWS:
	case SETTING_XPS:
	case SETTING_XPS_RXQS:
	case SETTING_FMC:
	case SETTING_SYSCTL:
	case SETTINGS: return no_keys;
	}
	return no_keys;
}

/* Whether a line of the text begins with the key. */
static bool has_key(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL) {
		line += strspn(line, " \t");
		if (strncmp(line, key, length) == 0 && line[length + strspn(line + length, " \t")] == '=')
			return true;
	}
	return false;
}

static char *link_file_rival(const struct rival_search *search, const struct change *change)
{
	CLEANUP(free_string) char *file = change->device ? events_link_file(search->events, change->device) : NULL;
	CLEANUP(free_string) char *text = NULL;

	if (!file || *file != '/' || host_read(search->host, file + 1, &text) < 0)
		return NULL;
	for (const char *const *key = link_keys(change->setting); *key; key++)
		if (has_key(text, *key))
			return text_format("udev, by %s= in %s", *key, file);
	return NULL;
}

/* ---- processes -------------------------------------------------------------------------------------------------- */

static bool runs(struct host *host, const char *name)
{
	CLEANUP(strings_clear) struct strings names = { 0 };

	host_list(host, "proc", &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_string) char *path = NULL, *comm = NULL;

		if (!isdigit((unsigned char)*names.items[i]))
			continue;
		path = text_format("proc/%s/comm", names.items[i]);
		if (host_read(host, path, &comm) == 0 && text_equal(comm, name))
			return true;
	}
	return false;
}

static bool is_of_irqbalance(enum setting setting)
{
	return setting == SETTING_IRQ || setting == SETTING_IRQ_CONTROL;
}

/* Its plugins set channels, rings, flow control and sysctls, and keep interrupts off isolated cores. */
static bool is_of_tuned(enum setting setting)
{
	return setting <= SETTING_CHANNELS_COMBINED || setting == SETTING_SYSCTL || is_of_irqbalance(setting);
}

const char *rival_likely(void *context, const struct change *change)
{
	struct rival_search *search = context;

	free_string(&search->words);
	search->words = link_file_rival(search, change);
	if (search->words)
		return search->words;
	if (is_of_irqbalance(change->setting) && runs(search->host, "irqbalance"))
		return "irqbalance";
	if (is_of_tuned(change->setting) && runs(search->host, "tuned"))
		return "tuned";
	return "an administrator or a script";
}
