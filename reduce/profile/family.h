/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files of a process's children, and of their children. */
#ifndef MEMMON_REDUCE_FAMILY_H
#define MEMMON_REDUCE_FAMILY_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/model/runs.h"

/*
 * Fill *to for the data file at `path', of the process of *first.  Names live
 * in the arena.  A sum or a pipe has no family.  0, or -1 with *e set.
 */
int family_find(struct run_family *to, struct arena *a, const char *path,
		const struct run *first, struct err *e);

#endif
