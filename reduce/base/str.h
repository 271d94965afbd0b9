/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings: what they begin with, arguments, paths. */
#ifndef MEMMON_REDUCE_STR_H
#define MEMMON_REDUCE_STR_H

#include "reduce/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define STR_COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Does s begin with the text?  NULL begins with no text. */
static inline bool
str_starts(const char *s, const char *with)
{
	return s && strncmp(s, with, strlen(with)) == 0;
}

/*
 * Length of the first of n texts that s begins with; 0 if s begins with none.
 */
size_t str_prefix(const char *s, const char *const *texts, size_t n);
#define STR_PREFIX(s, texts) str_prefix(s, texts, STR_COUNT(texts))

/* Is s equal to one of n texts? */
bool str_is_in(const char *s, const char *const *texts, size_t n);
#define STR_IS_IN(s, texts) str_is_in(s, texts, STR_COUNT(texts))

/*
 * A name that differs from all n names before it, compared by compare(), which
 * works as strcmp(): s, or s with "_" and n + 1 behind it.  The longer name is
 * allocated in *a.
 */
const char *str_distinct(struct arena *a, const char *s,
			 const char *const *before, size_t n,
			 int (*compare)(const char *, const char *));

/*
 * A line that sh reads as the arguments given, which are n bytes with a NUL
 * after each argument.
 */
char *str_quote(struct arena *a, const char *arguments, size_t n);

/*
 * Copy a path without "." and empty parts, and without a part that is followed
 * by "..".  If nothing would remain, the path is copied unchanged.  to: room
 * for as many bytes.
 */
void str_plain_path(const char *path, char *to);

/*
 * The last part of a path: the text after its last slash; a slash at the very
 * end doesn't count.
 */
const char *str_basename(const char *path);

#endif
