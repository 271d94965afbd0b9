/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suppressions: which call chains' blocks are no leaks, in the syntax of
 * LeakSanitizer.  A file has lines leak:PATTERN; those that begin with # and
 * empty ones say nothing.
 */
#ifndef MEMMON_REDUCE_SUPPRESS_H
#define MEMMON_REDUCE_SUPPRESS_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/model/result.h"

#include <stddef.h>
#include <stdint.h>

/* The caller owns it; all zero has no suppressions. */
struct suppress {
	const char **pattern; /* in the order of the files */
	size_t n, room;
};

/*
 * Add those of a file.  Their texts go to a.  0, or -1 with *e set: the file
 * can't be read, or has something else in it.
 */
int suppress_read(struct suppress *s, struct arena *a, const char *path,
		  struct err *e);

/*
 * The first of them that matches text: its number, from 1; or 0.  text may
 * be NULL or "", which nothing matches.
 */
uint32_t suppress_match(const struct suppress *s, const char *text);

/*
 * Does the pattern match?  It may begin anywhere in text, or after ^ at its
 * start; it may end anywhere, or before $ at its end; * is any text.
 */
bool suppress_fits(const char *pattern, const char *text);

void suppress_fini(struct suppress *s);

#endif
