/* SPDX-License-Identifier: MIT */
/* What is counted while the data file is written. */
#ifndef MEMMON_SUMS_H
#define MEMMON_SUMS_H

#include "monitor/base/internal.h"

/* Counts read from a cell, or from several. */
struct mmi_cell_counts {
	uint64_t allocs, bytes, frees, freed;
	int64_t held, held_bytes;
	/* Of the blocks that it counted, how many are still live. */
	uint64_t live, live_bytes;
	uint64_t looked, slack;
};

/* Counts of a site, or of all sites, by class. */
struct mmi_tables_count {
	uint64_t allocs, bytes, frees, freed;
};

/* Sums of the written tables. */
struct mmi_tables_sums {
	struct mmi_tables_count count;
	uint64_t reallocs;
	uint64_t peak_blocks, peak_bytes;
	/*
	 * How many items each table has.  Snapshots, 0: unknown; changes,
	 * UINT64_MAX: unknown.
	 */
#define R(name, item, items, ...) uint64_t items;
	MONREC_TABLES(R)
#undef R
	uint64_t reads, writes, vtables_more, mapped_lost, endings_lost;
	bool vtables_known;
	struct mmi_tables_count big; /* of sizes without a bin */
	/* Set by mmi_out_totals(). */
	uint64_t peak, peak_at, peak_slack, own;
};

/* Limit a part to its whole. */
static inline void
mmi_sums_at_most(uint64_t *n, uint64_t most)
{
	if (*n > most)
		*n = most;
}

#endif
