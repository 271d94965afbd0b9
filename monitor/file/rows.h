/* SPDX-License-Identifier: MIT */
/*
 * Cells as items of the data file: by site, thread and size.  All one at a
 * time, ctx: exit.
 *
 *	mmi_rows_begin()		who has what is live
 *	mmi_rows_table()
 *	for each site			mmi_rows_site_begin(); what is read of
 *					each cell is added to its mmi_rows_of();
 *					mmi_rows_site()
 *	mmi_rows_end()
 */
#ifndef MEMMON_ROWS_H
#define MEMMON_ROWS_H

#include "monitor/base/emit.h"
#include "monitor/counts/cells.h"
#include "monitor/file/sums.h"

void mmi_rows_begin(void);
void mmi_rows_table(struct mmi_emit *o);
void mmi_rows_site_begin(void);

/* Was the cell there when it began?  Others are left out. */
bool mmi_rows_now(const struct mmi_cell *c);

/* Where there is no memory for one, it is that of all of its class. */
struct mmi_row *mmi_rows_of(const struct mmi_cell *c);

/* Write those of a node, which is site s->sites; peak: what they held is. */
void mmi_rows_site(const struct mmi_tables_sums *s, uint32_t node, bool peak);

/* Sets s->cells and s->changes. */
void mmi_rows_end(struct mmi_tables_sums *s);

#endif
