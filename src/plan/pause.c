/* Flow control: its text, and what a device must be told for a wanted mode. Never decides when it is set. */
#include <errno.h>
#include <string.h>

#include <steer/cleanup.h>

#include "draft.h"
#include "drivers.h"

/* ---- text ------------------------------------------------------------------------------------------------------ */

static const char *on_off(struct opt_bool value)
{
	return !value.set ? "unknown" : value.value ? "on" : "off";
}

char *pause_text(const struct pause *pause)
{
	if (pause->autoneg.set && pause->autoneg.value) {
		if (!pause->rx.set && !pause->tx.set)
			return alloc_string("autoneg");
		return text_format("autoneg (rx %s, tx %s)", on_off(pause->rx), on_off(pause->tx));
	}
	if (!pause->autoneg.set && !pause->rx.set && !pause->tx.set)
		return NULL;
	if (pause->rx.value)
		return alloc_string(pause->tx.value ? "on" : "rx");
	return alloc_string(pause->tx.value ? "tx" : "off");
}

static int parse_on_off(const char *word, struct opt_bool *ret)
{
	if (strcmp(word, "on") == 0)
		*ret = SOME_BOOL(true);
	else if (strcmp(word, "off") == 0)
		*ret = SOME_BOOL(false);
	else if (strcmp(word, "unknown") != 0)
		return -EINVAL;
	return 0;
}

static int parse_negotiated(const char *text, struct pause *ret)
{
	struct pause pause = { .autoneg = SOME_BOOL(true) };
	CLEANUP(strings_clear) struct strings words = { 0 };
	int r;

	strings_split(&words, text, " (),");
	if (words.n != 5 || strcmp(words.items[1], "rx") != 0 || strcmp(words.items[3], "tx") != 0)
		return -EINVAL;
	r = parse_on_off(words.items[2], &pause.rx);
	if (!r)
		r = parse_on_off(words.items[4], &pause.tx);
	if (!r)
		*ret = pause;
	return r;
}

int pause_parse(const char *text, struct pause *ret)
{
	static const struct {
		const char *word;
		bool rx, tx;
	} forced[] = { { "off", false, false }, { "on", true, true }, { "rx", true, false }, { "tx", false, true } };

	for (size_t i = 0; i < COUNT_OF(forced); i++) {
		if (strcmp(forced[i].word, text) == 0) {
			*ret = (struct pause){ SOME_BOOL(false), SOME_BOOL(forced[i].rx), SOME_BOOL(forced[i].tx) };
			return 0;
		}
	}
	if (strcmp(text, "autoneg") == 0) {
		*ret = (struct pause){ .autoneg = SOME_BOOL(true) };
		return 0;
	}
	return text_starts(text, "autoneg (") ? parse_negotiated(text, ret) : -EINVAL;
}

/* ---- what is wanted --------------------------------------------------------------------------------------------- */

static struct pause wanted(enum pause_mode mode)
{
	switch (mode) {
	case PAUSE_OFF: return (struct pause){ SOME_BOOL(false), SOME_BOOL(false), SOME_BOOL(false) };
	case PAUSE_ON: return (struct pause){ SOME_BOOL(false), SOME_BOOL(true), SOME_BOOL(true) };
	case PAUSE_RX: return (struct pause){ SOME_BOOL(false), SOME_BOOL(true), SOME_BOOL(false) };
	case PAUSE_TX: return (struct pause){ SOME_BOOL(false), SOME_BOOL(false), SOME_BOOL(true) };
	case PAUSE_AUTONEG: return (struct pause){ .autoneg = SOME_BOOL(true) };
	}
	return (struct pause){ 0 };
}

static const char *cannot(const struct nic *nic, enum pause_mode mode)
{
	if (!nic->pause.rx.set && !nic->pause.tx.set && !nic->pause.autoneg.set)
		return nic_is_virtual(nic) ? "a virtual device has no flow control"
					   : "the driver has no flow control to set";
	if (mode == PAUSE_AUTONEG && driver_has(nic, DRIVER_PAUSE_FORCED))
		return "the driver does not negotiate flow control";
	if (mode == PAUSE_AUTONEG && driver_has(nic, DRIVER_PAUSE_FOLLOWS))
		return "the driver negotiates flow control whenever it negotiates the link";
	return NULL;
}

bool pause_is_as_asked(const struct nic *nic)
{
	return driver_has(nic, DRIVER_PAUSE_FOLLOWS);
}

void plan_pause(struct draft *draft, struct job *job)
{
	const struct word_value *key = &job->section->pause;
	const struct nic *nic = job->nic;
	enum pause_mode mode = (enum pause_mode)key->value;
	struct pause want = wanted(mode);
	struct change change = { .setting = SETTING_PAUSE, .cost = COST_LINK_RESET, .origin = key->at };

	if (!key->at.line)
		return;
	change.from = pause_text(&nic->pause);
	change.target = alloc_string("ethtool:pause");
	change.skipped = alloc_string(cannot(nic, mode));
	if (mode == PAUSE_AUTONEG) {
		/* What comes of it is up to the other end, so only the negotiation itself is compared. */
		if (nic->pause.autoneg.value)
			change.to = alloc_string(change.from);
		change.why = alloc_string("the two ends agree on flow control");
	} else if (driver_has(nic, DRIVER_PAUSE_FOLLOWS)) {
		want.autoneg = nic->pause.autoneg;
		change.why = text_format("flow control rx %s, tx %s; whether it is negotiated follows the link's own "
					 "setting on %s",
					 on_off(want.rx), on_off(want.tx), nic->driver);
	} else {
		/* With negotiation on, most drivers ignore what is asked of rx and tx. */
		change.why = text_format("flow control rx %s, tx %s, not negotiated", on_off(want.rx), on_off(want.tx));
	}
	if (!change.to)
		change.to = pause_text(&want);
	draft_add(draft, job, change);
}
