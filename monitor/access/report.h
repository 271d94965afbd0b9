/* SPDX-License-Identifier: MIT */
/* The tables of accesses: from the cells' sums to records. */
#ifndef MEMMON_ACCESS_REPORT_H
#define MEMMON_ACCESS_REPORT_H

#include "monitor/tables.h"

/*
 * Around the items of SITES in o, of which *s counts: begin, each site as it
 * has been put, end.  Nothing is written when no accesses were recorded.  ctx:
 * exit.
 */
void mmi_report_begin(struct mmi_emit *o);
void mmi_report_site(struct mmi_emit *o, struct mmi_tables_sums *s,
		     uint32_t node);
void mmi_report_end(struct mmi_emit *o);

/* Keys of RUN, and of TOTALS. */
void mmi_report_run(struct mmi_emit *o);
void mmi_report_totals(struct mmi_emit *o, const struct mmi_tables_sums *s);

#endif
