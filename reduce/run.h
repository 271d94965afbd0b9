/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file says of the run that made it, as text (struct run, profile.h). */
#ifndef MEMMON_REDUCE_RUN_H
#define MEMMON_REDUCE_RUN_H

#include "reduce/arena.h"
#include "reduce/load.h"
#include "reduce/profile.h"

/*
 * Fill *r from m.  Strings go to a, and bytes that a terminal would act on
 * become `?' in them.  0, or -1 when out of memory.
 */
int run_fill(struct run *r, struct arena *a, const struct mon *m);

/*
 * n bytes of arguments, each ended by NUL, as a line that sh would read as
 * those arguments.  NULL when out of memory.
 */
char *run_quote(struct arena *a, const char *arguments, size_t n);

/* A copy of s with `?' for control characters.  NULL when out of memory. */
char *run_clean(struct arena *a, const char *s);

/* The last part of a path: what follows its last slash but one at the end. */
const char *run_basename(const char *path);

#endif
