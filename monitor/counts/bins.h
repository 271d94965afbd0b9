/* SPDX-License-Identifier: MIT */
/*
 * Counts by exact size.  They are summed up from the cells while the file is
 * written, and counted at run time for blocks of the cells that count all
 * sizes.
 */
#ifndef MEMMON_BINS_H
#define MEMMON_BINS_H

#include "monitor/base/thread.h"

/* The bins that a thread adds to: those of its epoch (control.h). */
static inline struct mmi_bins *
mmi_bins_of(const struct mmi_thread *t)
{
	return &mmi_shared.bins[t->pub->epoch & 1];
}

/*
 * Count `allocs' allocations and `frees' frees of `size' bytes.  A size that
 * finds no place in the table never gets one later: both its allocations and
 * its frees go to the big_* counts.  Any number of threads may call this at a
 * time.  ctx: hook, exit.
 */
void mmi_bins_add(struct mmi_bins *b, uint64_t size, uint64_t allocs,
		  uint64_t frees);

/* Clear the bins of an epoch.  ctx: fork; any, while no thread uses them. */
void mmi_bins_clear(uint32_t epoch);

/*
 * Add the bins of the present epoch to b, in which no size above MONOUT_BIN_MAX
 * has a place yet.  Each size gets the same place in b, so a size without a
 * place here has no place in b either.  ctx: exit.
 */
void mmi_bins_sum(struct mmi_bins *b);

/*
 * Compute the big_* counts of b: the totals of all sites (the other arguments)
 * less the counts of the bins.  Blocks that were counted after the bins were
 * read count as sizes without a bin.  ctx: exit.
 */
void mmi_bins_complete(struct mmi_bins *b, uint64_t allocs, uint64_t bytes,
		       uint64_t frees, uint64_t freed);

#endif
