/* SPDX-License-Identifier: MIT */
/*
 * Cells as items of the data file: by site, thread and size.  All one at a
 * time, ctx: exit.
 *
 *	mmi_cells_put_begin()		who has what is live
 *	mmi_cells_put_table()
 *	for each site
 *		mmi_cells_put_site_begin()
 *		mmi_cells_put_of()	add the counts of each cell here
 *		mmi_cells_put_site()
 *	mmi_cells_put_end()
 */
#ifndef MEMMON_CELLS_PUT_H
#define MEMMON_CELLS_PUT_H

#include "monitor/base/emit.h"
#include "monitor/counts/cells.h"
#include "monitor/file/sums.h"

void mmi_cells_put_begin(void);
void mmi_cells_put_table(struct mmi_emit *o);
void mmi_cells_put_site_begin(void);

/*
 * The counts to add to.  Without memory for them, threads aren't distinguished,
 * and all cells except the first ones of a site share the counts of their
 * class.
 */
struct mmi_cell_counts *mmi_cells_put_of(const struct mmi_cell *c);

/*
 * Write the cell c (NULL: none) and the older cells of its node, for site
 * s->sites.  peak: their blocks at the peak are known.
 */
void mmi_cells_put_site(const struct mmi_tables_sums *s,
			const struct mmi_cell *c, bool peak);

/* Sets s->cells and s->changes. */
void mmi_cells_put_end(struct mmi_tables_sums *s);

#endif
