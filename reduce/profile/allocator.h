/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the allocator cost. */
#ifndef MEMMON_REDUCE_PROFILE_ALLOCATOR_H
#define MEMMON_REDUCE_PROFILE_ALLOCATOR_H

#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"

/*
 * Set p's allocator from m, which is merged; it stays NULL if nothing was
 * timed.
 */
void allocator_make(struct profile *p, const struct mon *m);

/*
 * Set *to to the allocator's figures in m, or to NULL if there are none.  Texts
 * and rows go to the arena.  runs: how many runs m is the sum of.
 */
void allocator_of(const struct allocator **to, struct arena *arena,
		  const struct mon *m, size_t runs);

/* Add up all operations and locks, and convert cycles to ns. */
void allocator_times(struct allocator *a);

/*
 * Set p's references from the files *.mon in MEMMON_REFERENCE, or in the folder
 * where memmon --calibrate-allocators writes them.  Files that can't be read
 * are left out.
 */
void allocator_references(struct profile *p);

#endif
