/* SPDX-License-Identifier: MIT */
/* Counts by exact size, above the sizes that each thread counts for itself. */
#ifndef MEMMON_BINS_H
#define MEMMON_BINS_H

#include "monitor/internal.h"

/* Counts of blocks of one size; size 0: entry not used. */
struct mmi_bin {
	uint64_t size, allocs, frees;
};

/* Entries in the table, used or not. */
#define MMI_BINS 32768u

/*
 * One allocation, or free, of `size' bytes.  A size that finds no place in the
 * table never will, and goes to the thread's big_* counters: its allocations
 * and its frees both.  ctx: hook.
 */
void mmi_bins_alloc(struct mmi_thread *t, uint64_t size);
void mmi_bins_free(struct mmi_thread *t, uint64_t size);

/* Entry i of MMI_BINS.  ctx: any. */
const struct mmi_bin *mmi_bins_at(unsigned i);

/* All to zero; sizes stay.  ctx: fork. */
void mmi_bins_fork(void);

#endif
