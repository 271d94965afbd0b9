/* SPDX-License-Identifier: MIT */
/* The tables of accesses: from the sums of cells to records. */
#ifndef MEMMON_FILE_ACCESSES_H
#define MEMMON_FILE_ACCESSES_H

#include "monitor/base/emit.h"
#include "monitor/file/sums.h"

/*
 * Call them around the items of SITES in o; *s counts the items.  _begin; _site
 * for each site after its item, with its blocks and bytes; _end.  Nothing is
 * written when no accesses were recorded.  ctx: exit.
 */
void mmi_accesses_begin(struct mmi_emit *o);
void mmi_accesses_site(const struct mmi_tables_sums *s, uint32_t node,
		       uint64_t allocs, uint64_t bytes);
void mmi_accesses_end(struct mmi_tables_sums *s);

/* Keys of RUN, and of TOTALS. */
void mmi_accesses_run(struct mmi_emit *o);
void mmi_accesses_totals(struct mmi_emit *o, const struct mmi_tables_sums *s);

#endif
