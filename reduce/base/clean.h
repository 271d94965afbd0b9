/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for outputs.  Names of programs, functions, files and threads may have
 * any bytes.  Every output is valid UTF-8 and has no control characters of
 * theirs: U+0000 to U+001F, U+007F to U+009F.
 */
#ifndef MEMMON_REDUCE_CLEAN_H
#define MEMMON_REDUCE_CLEAN_H

#include "reduce/base/arena.h"

#include <stddef.h>
#include <stdio.h>

/* U+FFFD: JSON, CSV and the page print it for a byte that isn't UTF-8. */
#define CLEAN_UNKNOWN "\xef\xbf\xbd"

enum clean {
	CLEAN_FINE,
	CLEAN_CONTROL, /* a control character */
	CLEAN_INVALID  /* a byte that isn't part of valid UTF-8 */
};

/* The kind of the first character of text, not "", and in *n its bytes. */
enum clean clean_next(const char *text, unsigned *n);

/* Put '?' for each byte of s that isn't of a CLEAN_FINE character.  NULL: no
 * text.  Returns s. */
char *clean_text(char *s);

/* clean_text(), but line feeds stay. */
char *clean_lines(char *s);

/*
 * Write s with '?' for control characters, and `unknown' for each byte that
 * isn't UTF-8.  keep: control characters that are written as they are.
 */
void clean_put(FILE *out, const char *s, const char *unknown, const char *keep);

/*
 * Put '?' for control characters alone: so are the names in a profile.  Bytes
 * that aren't UTF-8 stay, since a file may be opened by the name.  Returns s.
 */
char *clean_controls(char *s);

/* A copy of s, made so.  NULL when out of memory. */
char *clean_name(struct arena *a, const char *s);

/* Print "PROGRAM: " and a text, which may have lines, on standard error. */
void clean_say(const char *program, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
