/* SPDX-License-Identifier: MIT */
/* What is counted while the data file is written. */
#ifndef MEMMON_SUMS_H
#define MEMMON_SUMS_H

#include "monitor/base/internal.h"

/* What was read of a cell, or of several. */
struct mmi_cell_counts {
	uint64_t allocs, bytes, frees, freed;
	int64_t held, held_bytes;
	uint64_t live, live_bytes; /* of the blocks it counted, still there */
	uint64_t looked, slack;
};

/* Counts of a site, or of all, by class. */
struct mmi_tables_count {
	uint64_t allocs, bytes, frees, freed;
};

/* What the tables add up to, as written. */
struct mmi_tables_sums {
	struct mmi_tables_count count;
	uint64_t reallocs;
	uint64_t peak_blocks, peak_bytes;
	/*
	 * How many items each has.  Snapshots, 0: not known; changes,
	 * UINT64_MAX: not known.
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

/* No part is more than the whole. */
static inline void
mmi_sums_at_most(uint64_t *n, uint64_t most)
{
	if (*n > most)
		*n = most;
}

#endif
