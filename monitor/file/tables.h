/* SPDX-License-Identifier: MIT */
/* The tables of the data file: from the monitor's tables to records. */
#ifndef MEMMON_TABLES_H
#define MEMMON_TABLES_H

#include "monitor/base/emit.h"
#include "monitor/file/sums.h"

/*
 * Write all tables to o's file and set *s.  `peaks' is the number of the peak,
 * from mmi_heap_read().  ctx: exit, one at a time.
 */
void mmi_tables_put(struct mmi_emit *o, uint64_t peaks,
		    struct mmi_tables_sums *s);

/* Only add up the counts and reallocs.  ctx: any. */
void mmi_tables_sum(struct mmi_tables_sums *s);

#endif
