/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for outputs.  The names of programs, functions, files and threads may
 * contain any bytes.  Every output is valid UTF-8 and contains no control
 * characters of such names: no U+0000 to U+001F and no U+007F to U+009F.
 */
#ifndef MEMMON_REDUCE_CLEAN_H
#define MEMMON_REDUCE_CLEAN_H

#include "reduce/base/arena.h"

#include <stddef.h>
#include <stdio.h>

/* U+FFFD: JSON, CSV and the page print this for a byte that isn't UTF-8. */
#define CLEAN_UNKNOWN "\xef\xbf\xbd"

enum clean {
	CLEAN_FINE,
	CLEAN_CONTROL, /* a control character */
	CLEAN_INVALID  /* a byte that isn't part of valid UTF-8 */
};

/*
 * The kind of the first character of text, which must not be ""; *n gets its
 * length in bytes.
 */
enum clean clean_next(const char *text, unsigned *n);

/*
 * Put '?' for each byte of s that isn't part of a CLEAN_FINE character.
 * Returns s.  s may be NULL.
 */
char *clean_text(char *s);

/* Like clean_text(), but line feeds stay. */
char *clean_lines(char *s);

/*
 * Write s, with '?' for control characters and with `unknown' for each byte
 * that isn't UTF-8.  The control characters in `keep' are written unchanged.
 */
void clean_put(FILE *out, const char *s, const char *unknown, const char *keep);

/*
 * Put '?' for control characters only.  The names in a profile are made like
 * this.  Bytes that aren't UTF-8 stay, because a file may be opened by its
 * name.  Returns s.
 */
char *clean_controls(char *s);

/* A copy of s, after clean_controls(). */
char *clean_name(struct arena *a, const char *s);

/*
 * Print "PROGRAM: " and a text, which may have several lines, on standard
 * error.
 */
void clean_say(const char *program, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
