/* SPDX-License-Identifier: MIT */
/* What is counted while the data file is written. */
#ifndef MEMMON_SUMS_H
#define MEMMON_SUMS_H

#include "monitor/base/internal.h"

/* What was read of a cell, or of several. */
struct mmi_row {
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
	uint64_t modules, nodes, sites, bins, peaks, lives, threads, marks;
	uint64_t uses, groups, fields, handed, reads, writes;
	uint64_t cells, types, settings;
	uint64_t moments;     /* 0: not known */
	uint64_t changes;     /* UINT64_MAX: not known */
	uint64_t vtables, vtables_more;
	bool vtables_known;
	struct mmi_tables_count big; /* of sizes without a bin */
	/* Set by mmi_out_totals(). */
	uint64_t leaks, peak, peak_at, peak_slack, own;
};

#endif
