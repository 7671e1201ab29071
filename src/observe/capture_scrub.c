/* Takes out of texts what names a machine, its disks or its network. Pure. */
#include "capture_tree.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>

/* ---- addresses ------------------------------------------------------------------------------------------------- */

static bool is_hex(char c)
{
	return isxdigit((unsigned char)c);
}

/* The length of groups of hexadecimal digits of these lengths (a string of numbers) at a place, 0: they are not
 * there. */
static size_t groups_length(const char *text, const char *lengths, const char *separators)
{
	size_t at = 0;
	char separator = 0;

	for (const char *length = lengths; *length; length++) {
		size_t n = *length == 'c' ? 12 : (size_t)(*length - '0');

		for (size_t i = 0; i < n; i++)
			if (!is_hex(text[at++]))
				return 0;
		if (!length[1])
			break;
		if (!text[at] || !strchr(separators, text[at]) || (separator && text[at] != separator))
			return 0;
		separator = text[at++];
	}
	return is_hex(text[at]) || (text[at] && text[at] == separator) ? 0 : at;
}

static size_t mac_length(const char *text)
{
	return groups_length(text, "222222", ":-");
}

static size_t uuid_length(const char *text)
{
	return groups_length(text, "8444c", "-");
}

void scrub_addresses(char *text)
{
	for (char *at = text; *at; at++) {
		bool begins = at == text || (!is_hex(at[-1]) && at[-1] != ':');
		size_t length = begins && is_hex(*at) ? mac_length(at) : 0;

		for (size_t i = 0; i < length; i++)
			at[i] = is_hex(at[i]) ? '0' : at[i];
		at += length ? length - 1 : 0;
	}
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

static bool is_ipv4(const char *text)
{
	for (int part = 0; part < 4; part++) {
		size_t digits = strspn(text, "0123456789");

		if (digits < 1 || digits > 3 || (part < 3 && text[digits] != '.'))
			return false;
		text += digits + (part < 3);
	}
	return !isalnum((unsigned char)*text) && *text != '.';
}

static bool holds_identity(const char *value)
{
	for (const char *at = value; *at; at++) {
		bool begins = at == value || !isalnum((unsigned char)at[-1]);

		if (begins && (mac_length(at) || uuid_length(at) || is_ipv4(at)))
			return true;
		if (at[0] == ':' && at[1] == ':') /* IPv6 */
			return true;
	}
	return false;
}

static bool names_identity(const char *token)
{
	static const char *const keys[] = { "root=",   "resume=",      "ip=",        "nfs*root=",  "nfsaddrs=",
					    "BOOTIF=", "ifname=",      "*hostname=", "rd.luks*",   "rd.iscsi*",
					    "rd.lvm*", "netroot=",     "iscsi*",     "crypt*",     "ds=",
					    "*url=",   "*machine_id=", "*uuid*",     "*password*", "*secret*",
					    "*token*", "autoinstall*", "inst.*",     "ks=*" };
	CLEANUP(free_string) char *key = text_format("%.*s", (int)strcspn(token, "=") + 1, token);

	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (text_glob(keys[i], key))
			return true;
	return false;
}

char *scrub_cmdline(const struct strings *tokens)
{
	CLEANUP(strings_clear) struct strings kept = { 0 };

	for (size_t i = 0; i < tokens->n; i++) {
		const char *token = tokens->items[i], *value = strchr(token, '=');

		if (value && (names_identity(token) || holds_identity(value + 1)))
			strings_take(&kept, text_format("%.*s=...", (int)(value - token), token));
		else
			strings_add(&kept, token);
	}
	return strings_join(&kept, " ");
}

/* ---- long texts ------------------------------------------------------------------------------------------------ */

static bool has_key(const char *line, const char *const *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(keys[i]);

		if (strncmp(line, keys[i], length) == 0 && line[length + strspn(line + length, " \t")] == ':')
			return true;
	}
	return false;
}

char *keep_lines(const char *text, const char *const *keys, size_t n)
{
	char *kept = alloc_zero(strlen(text) + 1, 1), *end = kept;

	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n");

		length += line[length] == '\n';
		if (*line == '\n' || has_key(line, keys, n))
			end = mempcpy(end, line, length);
		line += length;
	}
	return kept;
}
