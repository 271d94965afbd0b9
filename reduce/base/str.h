/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings: what they begin with, arguments, paths. */
#ifndef MEMMON_REDUCE_STR_H
#define MEMMON_REDUCE_STR_H

#include "reduce/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define STR_COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Does s begin with that text?  NULL begins with nothing. */
static inline bool
str_starts(const char *s, const char *with)
{
	return s && strncmp(s, with, strlen(with)) == 0;
}

/* Length of the first of n texts that s begins with; 0 if there is none. */
size_t str_prefix(const char *s, const char *const *texts, size_t n);
#define STR_PREFIX(s, texts) str_prefix(s, texts, STR_COUNT(texts))

/* Is s one of n texts? */
bool str_is_in(const char *s, const char *const *texts, size_t n);
#define STR_IS_IN(s, texts) str_is_in(s, texts, STR_COUNT(texts))

/*
 * A name that none of the n before has, by compare(), as strcmp(): s, or s with
 * "_" and n + 1 behind it.  In *a if it isn't s; NULL when out of memory.
 */
const char *str_distinct(struct arena *a, const char *s,
			 const char *const *before, size_t n,
			 int (*compare)(const char *, const char *));

/*
 * n bytes of arguments, each ended by NUL, as a line that sh would read as
 * those arguments.  NULL when out of memory.
 */
char *str_quote(struct arena *a, const char *arguments, size_t n);

/*
 * Copy a path without "." and empty parts, and without a part and ".." after
 * it; what leaves nothing stays as it is.  to: room for as many bytes.
 */
void str_plain_path(const char *path, char *to);

/* The last part of a path: what follows its last slash but one at the end. */
const char *str_basename(const char *path);

#endif
