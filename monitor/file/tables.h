/* SPDX-License-Identifier: MIT */
/* The tables of the data file: from the monitor's to records. */
#ifndef MEMMON_TABLES_H
#define MEMMON_TABLES_H

#include "monitor/file/emit.h"

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

/*
 * Write all tables to o's file and set *s.  `peaks' is the number of the peak,
 * from mmi_event_read().  ctx: exit, one at a time.
 */
void mmi_tables_put(struct mmi_emit *o, uint64_t peaks,
		    struct mmi_tables_sums *s);

/* Only the sums of counts and reallocs.  ctx: any. */
void mmi_tables_sum(struct mmi_tables_sums *s);

#endif
