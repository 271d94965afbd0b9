/* SPDX-License-Identifier: MIT */
/*
 * Counts by exact size: summed up while the file is written, out of the cells;
 * and kept at run time for the blocks of cells that are for all sizes.
 */
#ifndef MEMMON_BINS_H
#define MEMMON_BINS_H

#include "monitor/internal.h"

/* Counts of blocks of one size; size 0: entry not used. */
struct mmi_bin {
	uint64_t size, allocs, frees;
};

/* Entries in the table, used or not. */
#define MMI_BINS 32768u

struct mmi_bins {
	uint64_t allocs[MONOUT_BIN_MAX + 1]; /* by size */
	uint64_t frees[MONOUT_BIN_MAX + 1];
	struct mmi_bin other[MMI_BINS];
	/* Of larger sizes that found no place. */
	uint64_t big_allocs, big_bytes, big_frees, big_freed;
};

/* Of blocks of the cells for all sizes. */
extern struct mmi_bins mmi_bins_any[2];

/* The one that a thread adds to: by its epoch (control.h). */
static inline struct mmi_bins *
mmi_bins_of(const struct mmi_thread *t)
{
	return &mmi_bins_any[t->epoch & 1];
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

/* Add that of the present epoch to b.  ctx: exit. */
void mmi_bins_sum(struct mmi_bins *b);

#endif
