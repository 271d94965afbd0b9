/* SPDX-License-Identifier: MIT */
/*
 * Counts by exact size: summed up while the file is written, out of the cells;
 * and kept at run time for the blocks of cells that are for all sizes.
 */
#ifndef MEMMON_BINS_H
#define MEMMON_BINS_H

#include "monitor/base/thread.h"

/* The one that a thread adds to: by its epoch (control.h). */
static inline struct mmi_bins *
mmi_bins_of(const struct mmi_thread *t)
{
	return &mmi_shared.bins[t->pub->epoch & 1];
}

/*
 * So many allocations and frees of `size' bytes.  A size that finds no place in
 * the table never will, and goes to the big_* counts: its allocations and its
 * frees both.  Any number of threads at a time.  ctx: hook, exit.
 */
void mmi_bins_add(struct mmi_bins *b, uint64_t size, uint64_t allocs,
		  uint64_t frees);

/* That of an epoch to zero.  ctx: fork; any, while nobody has it. */
void mmi_bins_clear(uint32_t epoch);

/*
 * Add that of the present epoch to b, in which no size above MONOUT_BIN_MAX has
 * a place yet: each gets the one that it has, so that those that found none
 * find none in b either.  ctx: exit.
 */
void mmi_bins_sum(struct mmi_bins *b);

/*
 * The bins are to have what all sites have, of which they aren't more: what was
 * counted since the bins were read is of sizes that have none.  ctx: exit.
 */
void mmi_bins_complete(struct mmi_bins *b, uint64_t allocs, uint64_t bytes,
		       uint64_t frees, uint64_t freed);

#endif
