/* Hands a policy's text to inih line by line, and refuses what inih passes over in silence. Knows no key.
 *
 * What inih 55 does, and what is done about it here:
 *  1. It tells no line number: the reader counts.
 *  2. It cuts lines at 200 bytes and section names at 49: longer ones are refused.
 *  3. It merges sections of one header and never shows an empty one: headers are parsed here and reported.
 *  4. It ignores what stands behind a header: refused.
 *  5. It takes an indented line for more of the value above: blanks before a line are cut, so it is a line of its own.
 *  6. It reports the first line that is no "key = value" and no other: the reader finds each.
 *  7. It takes bytes as they come: anything but UTF-8 text is one error, and nothing of the file is read.
 */
#include <ctype.h>
#include <ini.h>
#include <string.h>

#include <steer/cleanup.h>

#include "policy_reader.h"

enum { SECTION_MAX = 49 };

struct reading {
	const char *file, *at, *end;
	struct spot spot;
	const struct listener *listener;
	struct notes *notes;
	bool in_section;   /* a header was seen, good or bad */
	bool outside_told; /* that text stands before it */
	bool after_key;    /* the line above was "key = value" */
};

static struct note *refuse(struct reading *r, unsigned column, const char *text)
{
	struct note *note = notes_add(r->notes, NOTE_ERROR, NULL, "%s", text);

	note->file = alloc_string(r->file);
	note->line = r->spot.at.line;
	note->column = column;
	return note;
}

/* ---- text or not ------------------------------------------------------------------------------------------------ */

/* The length of the UTF-8 character at `at`, 0 when it is none or a control character that no text has. */
static size_t character(const unsigned char *at, size_t left)
{
	size_t length = *at < 0x80                  ? 1
			: *at >= 0xc2 && *at < 0xe0 ? 2
			: *at >= 0xe0 && *at < 0xf0 ? 3
			: *at >= 0xf0 && *at < 0xf5 ? 4
						    : 0;

	if (length == 1)
		return *at == '\t' || *at == '\n' || *at == '\r' || (*at >= 0x20 && *at != 0x7f);
	if (length > left)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

static bool is_text(struct reading *r)
{
	const char *line = r->at;

	r->spot.at.line = 1;
	for (const char *at = r->at; at < r->end;) {
		size_t length = character((const unsigned char *)at, (size_t)(r->end - at));

		if (!length) {
			CLEANUP(free_string)
			char *text =
				text_format("not a text file: byte 0x%02x here is no UTF-8 text", (unsigned char)*at);

			refuse(r, (unsigned)(at - line) + 1, text);
			return false;
		}
		if (*at == '\n') {
			r->spot.at.line++;
			line = at + 1;
		}
		at += length;
	}
	r->spot.at.line = 0;
	return true;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* The first of the given characters before a comment, as inih looks for it; NULL: none. */
static const char *find(const char *line, const char *characters)
{
	for (const char *at = line; *at; at++) {
		if (strchr(characters, *at))
			return at;
		if (*at == ';' && at > line && isspace((unsigned char)at[-1]))
			break;
	}
	return NULL;
}

static void begin_section(struct reading *r, const char *kind, const char *name)
{
	r->in_section = true;
	r->after_key = false;
	r->listener->section(r->listener->user, &r->spot, kind, name);
}

/* What is wrong with a header; NULL: nothing. */
static const char *header_fault(const char *line, const char *close, const struct strings *words, unsigned *ret_at)
{
	const char *rest = close ? close + 1 + strspn(close + 1, " \t") : NULL;

	*ret_at = 1;
	if (!close)
		return "']' is missing";
	if (close - line - 1 > SECTION_MAX)
		return "a section's header of more than 49 characters";
	if (words->n == 0)
		return "a section without a kind";
	if (words->n > 2)
		return "a section's name is one word";
	*ret_at = (unsigned)(rest - line) + 1;
	return *rest && *rest != ';' && *rest != '#' ? "text behind a section's ']'" : NULL;
}

/* "[kind name]", blanks anywhere. Whether inih may see it; the listener is told in any case, of a bad one without kind.
 */
static bool good_header(struct reading *r, const char *line, unsigned indent)
{
	CLEANUP(strings_clear) struct strings words = { 0 };
	CLEANUP(free_string) char *inside = NULL;
	const char *close = find(line, "]"), *fault;
	unsigned fault_at;

	inside = text_format("%.*s", close ? (int)(close - line) - 1 : 0, line + 1);
	strings_split(&words, inside, " \t");
	r->spot.name_column = indent + 1;
	fault = header_fault(line, close, &words, &fault_at);
	if (fault) {
		refuse(r, indent + fault_at, fault);
		begin_section(r, NULL, "");
		return false;
	}
	begin_section(r, words.items[0], words.n > 1 ? words.items[1] : "");
	return true;
}

/* Whether inih may see a line that is no header. */
static bool good_key(struct reading *r, const char *line, unsigned indent)
{
	const char *sign = find(line, "=:");
	bool after_key = r->after_key;

	r->after_key = sign != NULL;
	if (!r->in_section) {
		if (!r->outside_told)
			refuse(r, indent + 1, "text before the first section");
		r->outside_told = true;
		return false;
	}
	if (!sign) {
		struct note *note = refuse(r, indent + 1, "neither 'key = value' nor '[section]'");

		if (indent && after_key)
			note->hint = alloc_string("a value does not go on in the next line");
		r->after_key = after_key;
		return false;
	}
	if (sign == line) {
		refuse(r, indent + 1, "a value without a key");
		return false;
	}
	r->spot.name_column = indent + 1;
	r->spot.value_column = indent + (unsigned)(sign + 1 + strspn(sign + 1, " \t") - line) + 1;
	return true;
}

/* Puts what of a line inih may see into the buffer of inih, which begins empty. */
static void take_line(struct reading *r, const char *line, const char *end, char *buffer, size_t size)
{
	const char *start = line;
	size_t length;

	while (start < end && isspace((unsigned char)*start))
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	length = (size_t)(end - start);
	if (!length || *start == ';' || *start == '#')
		return;
	if (length >= size) {
		CLEANUP(free_string)
		char *text = text_format("a line of %zu bytes; at most %zu are read", length, size - 1);

		refuse(r, 0, text);
		if (*start == '[')
			begin_section(r, NULL, "");
		return;
	}
	memcpy(buffer, start, length);
	buffer[length] = '\0';
	if (*buffer == '[' ? !good_header(r, buffer, (unsigned)(start - line))
			   : !good_key(r, buffer, (unsigned)(start - line)))
		*buffer = '\0';
}

/* inih's fgets. */
static char *next_line(char *buffer, int size, void *stream)
{
	struct reading *r = stream;
	const char *line = r->at, *end;

	if (line == r->end)
		return NULL;
	end = memchr(line, '\n', (size_t)(r->end - line));
	r->at = end ? end + 1 : r->end;
	r->spot.at.line++;
	*buffer = '\0';
	take_line(r, line, end ? end : r->end, buffer, (size_t)size);
	return buffer;
}

static int on_key(void *user, const char *section, const char *name, const char *value)
{
	struct reading *r = user;

	(void)section;
	r->listener->key(r->listener->user, &r->spot, name, value);
	return 1;
}

void policy_read(const char *file, const char *text, size_t length, const struct listener *listener,
		 struct notes *notes)
{
	struct reading r = { .file = file, .at = text, .end = text + length, .listener = listener, .notes = notes };
	int line;

	r.spot.at.file = file;
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		r.at += 3;
	if (!is_text(&r))
		return;
	line = ini_parse_stream(next_line, &r, on_key, &r);
	if (line) { /* not seen yet: the reader refuses first */
		r.spot.at.line = (unsigned)line;
		refuse(&r, 0, "inih does not understand this line");
	}
}
