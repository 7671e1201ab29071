/* Looks at a policy as a whole, for what no single key shows: contradictions, and parts that do nothing. Pure. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

#include "keys.h"
#include "policy_parts.h"

/* Takes text over. */
static void say(struct notes *notes, enum note_level level, const struct origin *at, const char *hint, char *text)
{
	struct note *note = notes_add(notes, level, NULL, "%s", text);

	note->file = alloc_string(at->file);
	note->line = at->line;
	note->hint = alloc_string(hint);
	free(text);
}

/* ---- contradictions --------------------------------------------------------------------------------------------- */

static bool is_zero(const struct count_value *count)
{
	return count->mode == COUNT_NUMBER && count->number == 0;
}

static void check_channels(const struct section *section, struct notes *notes)
{
	const struct count_value *kinds = section->channels_kind;

	if (is_zero(&kinds[CHANNEL_COMBINED]) && (is_zero(&kinds[CHANNEL_RX]) || is_zero(&kinds[CHANNEL_TX])))
		say(notes, NOTE_ERROR, &kinds[CHANNEL_COMBINED].at, NULL,
		    text_format("[nic %s] leaves a device no channel to %s by", section->name,
				is_zero(&kinds[CHANNEL_RX]) ? "receive" : "send"));
}

static bool is_power(uint32_t number)
{
	return number && !(number & (number - 1));
}

static void check_fmc(const struct fmc_section *fmc, struct notes *notes)
{
	bool files = fmc->mode.at.line && fmc->mode.value == FMC_FILES;
	const struct text_value *own[] = { &fmc->config, &fmc->policy };

	if (!fmc->mode.at.line) {
		say(notes, NOTE_ERROR, &fmc->at, "single, spread, files or off", text_format("[fmc] needs a mode"));
		return;
	}
	if (fmc->mode.value != FMC_OFF && !files && !fmc->ports.at.line)
		say(notes, NOTE_ERROR, &fmc->mode.at, "ports = mac9 mac10",
		    text_format("[fmc] needs the ports it is about"));
	for (size_t i = 0; i < COUNT_OF(own); i++) {
		const char *name = own[i] == &fmc->config ? "config" : "policy";

		if (files && !own[i]->text)
			say(notes, NOTE_ERROR, &fmc->mode.at, NULL, text_format("mode = files needs %s = PATH", name));
		else if (!files && own[i]->text)
			say(notes, NOTE_ERROR, &own[i]->at, NULL,
			    text_format("%s: goes with mode = files alone", name));
	}
	if (fmc->queues.mode == COUNT_NUMBER && !is_power(fmc->queues.number))
		say(notes, NOTE_ERROR, &fmc->queues.at, NULL,
		    text_format("queues: %u is no power of two, which the Frame Manager needs", fmc->queues.number));
}

void policy_check_errors(const struct policy *policy, struct notes *notes)
{
	if (policy->fmc.at.line)
		check_fmc(&policy->fmc, notes);
	for (size_t i = 0; i < policy->nsections; i++)
		check_channels(&policy->sections[i], notes);
}

/* ---- what does nothing ------------------------------------------------------------------------------------------ */

static bool is_condition(const struct key *key)
{
	return text_starts(key->name, "match.") || text_starts(key->name, "when.");
}

/* A key that only says how the others are meant. */
static bool is_manner(const struct key *key)
{
	return strcmp(key->name, "cpus") == 0 || strcmp(key->name, "share") == 0 ||
	       strcmp(key->name, "disruptive") == 0;
}

struct uses {
	unsigned conditions, manners, settings;
};

static struct uses uses_of(const struct section *section)
{
	struct uses uses = { 0 };
	const struct key *keys;
	size_t n = policy_keys(&keys);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(keys[i].section, "nic") != 0 ||
		    !keys[i].type->present((const char *)section + keys[i].offset))
			continue;
		if (is_condition(&keys[i]))
			uses.conditions++;
		else if (is_manner(&keys[i]))
			uses.manners++;
		else
			uses.settings++;
	}
	return uses;
}

void policy_check_warnings(const struct policy *policy, struct notes *notes)
{
	const struct section *catch_all = NULL;
	size_t settings = policy->nsysctls + (policy->fmc.at.line > 0);

	for (size_t i = 0; i < policy->nsections; i++) {
		const struct section *section = &policy->sections[i];
		struct uses uses = uses_of(section);

		settings += uses.settings;
		if (catch_all)
			say(notes, NOTE_WARNING, &section->at, NULL,
			    text_format("[nic %s] is never reached: [nic %s] above matches every device", section->name,
					catch_all->name));
		else if (!uses.conditions && !uses.settings)
			say(notes, NOTE_WARNING, &section->at, NULL,
			    text_format("[nic %s] matches every device and sets nothing", section->name));
		else if (uses.manners && !uses.settings)
			say(notes, NOTE_WARNING, &section->at, "add irq, rps, channels or another setting",
			    text_format("[nic %s] sets nothing", section->name));
		if (!uses.conditions && !catch_all)
			catch_all = section;
	}
	if (!settings)
		say(notes, NOTE_WARNING, &(struct origin){ .file = policy->name }, NULL,
		    text_format("this policy does nothing"));
}
