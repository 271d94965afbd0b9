/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suppressions: call paths whose blocks aren't leaks, in the syntax of
 * LeakSanitizer.  A file has lines leak:PATTERN; empty lines and lines that
 * begin with # are ignored.
 */
#ifndef MEMMON_REDUCE_SUPPRESS_H
#define MEMMON_REDUCE_SUPPRESS_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/model/result.h"

#include <stddef.h>
#include <stdint.h>

/* The caller owns it; all zero means no suppressions. */
struct suppress {
	const char **pattern; /* in the order of the files */
	size_t n, room;
};

/*
 * Add the suppressions of a file.  Their texts are allocated in a.  0, or -1
 * with *e set: the file can't be read, or contains something else.
 */
int suppress_read(struct suppress *s, struct arena *a, const char *path,
		  struct err *e);

/*
 * The number of the first suppression that matches text, from 1, or 0.  text
 * may be NULL or "", which no suppression matches.
 */
uint32_t suppress_match(const struct suppress *s, const char *text);

/*
 * Does the pattern match text?  With ^ at its start it matches only from the
 * beginning of text, with $ at its end only up to the end.  * matches any text.
 */
bool suppress_fits(const char *pattern, const char *text);

void suppress_fini(struct suppress *s);

#endif
