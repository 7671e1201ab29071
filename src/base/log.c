/* The sink of the two programs' messages: standard error, with journal priorities when that is the journal. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/log.h>

static enum log_level threshold = LOG_LEVEL_INFO; /* the one global of the project */

static const struct {
	const char *word;
	const char *priority; /* sd-daemon(3) */
	enum note_level note;
} levels[] = {
	[LOG_LEVEL_ERROR] = { "error", "<3>", NOTE_ERROR },
	[LOG_LEVEL_WARNING] = { "warning", "<4>", NOTE_WARNING },
	[LOG_LEVEL_INFO] = { "info", "<6>", NOTE_INFO },
	[LOG_LEVEL_DEBUG] = { "debug", "<7>", NOTE_INFO },
};

void log_set_level(enum log_level level)
{
	threshold = level;
}

int log_level_parse(const char *word, enum log_level *ret)
{
	for (size_t i = 0; i < COUNT_OF(levels); i++) {
		if (strcmp(word, levels[i].word) == 0) {
			*ret = (enum log_level)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* systemd says which stream is the journal; another one may have taken its place on standard error since. */
static bool goes_to_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct stat is;
	unsigned long long device, inode;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 && fstat(STDERR_FILENO, &is) == 0 &&
	       is.st_dev == device && is.st_ino == inode;
}

void log_line(enum log_level level, const char *format, ...)
{
	CLEANUP(free_string) char *text = NULL;
	int saved = errno;
	va_list arguments;

	if (level > threshold)
		return;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	if (text)
		fprintf(stderr, "%s%s\n", goes_to_journal() ? levels[level].priority : "", text);
	errno = saved;
}

void log_note(const struct note *note)
{
	CLEANUP(free_string) char *text = note_text(note);
	enum log_level level = LOG_LEVEL_ERROR;

	while (levels[level].note != note->level)
		level++;
	log_line(level, "%s", text);
}

void log_notes(const struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		log_note(&notes->items[i]);
}
