/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings: from elsewhere, made fit to be printed; and what they begin with. */
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
 * n bytes of arguments, each ended by NUL, as a line that sh would read as
 * those arguments.  NULL when out of memory.
 */
char *str_quote(struct arena *a, const char *arguments, size_t n);

/* A copy of s with `?' for control characters.  NULL when out of memory. */
char *str_clean(struct arena *a, const char *s);

/*
 * Copy a path without "." and empty parts, and without a part and ".." after
 * it; what leaves nothing stays as it is.  to: room for as many bytes.
 */
void str_plain_path(const char *path, char *to);

/* The last part of a path: what follows its last slash but one at the end. */
const char *str_basename(const char *path);

#endif
