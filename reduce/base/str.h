/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that comes from elsewhere, made fit to be printed. */
#ifndef MEMMON_REDUCE_STR_H
#define MEMMON_REDUCE_STR_H

#include "reduce/base/arena.h"

#include <stddef.h>

/*
 * n bytes of arguments, each ended by NUL, as a line that sh would read as
 * those arguments.  NULL when out of memory.
 */
char *str_quote(struct arena *a, const char *arguments, size_t n);

/* A copy of s with `?' for control characters.  NULL when out of memory. */
char *str_clean(struct arena *a, const char *s);

/* The last part of a path: what follows its last slash but one at the end. */
const char *str_basename(const char *path);

#endif
