/* Where the two programs speak: one line a message on standard error, with the priority prefix that the journal reads
 * (sd-daemon(3)) when standard error is the journal. Only the mains and the loop log; everything else returns notes. */
#pragma once

#include <steer/note.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

void log_set_level(enum log_level level);
int log_level_parse(const char *word, enum log_level *ret); /* "error".."debug"; -EINVAL */

void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_note(const struct note *note);
void log_notes(const struct notes *notes);

#define log_error(...) log_line(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) log_line(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_info(...) log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_line(LOG_LEVEL_DEBUG, __VA_ARGS__)
