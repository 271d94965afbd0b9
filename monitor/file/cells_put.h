/* SPDX-License-Identifier: MIT */
/*
 * Cells as items of the data file: by site, thread and size.  All one at a
 * time, ctx: exit.
 *
 *	mmi_cells_put_begin()		who has what is live
 *	mmi_cells_put_table()
 *	for each site
 *		mmi_cells_put_site_begin()
 *		mmi_cells_put_of()	what is read of each cell is added there
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
 * Where there is no memory for one, it doesn't tell threads apart, and for all
 * but the first cells of a site it is that of all of their class.
 */
struct mmi_cell_counts *mmi_cells_put_of(const struct mmi_cell *c);

/*
 * Write the cell c, NULL: none, and those of its node that are older, which are
 * site s->sites; peak: what they held is.
 */
void mmi_cells_put_site(const struct mmi_tables_sums *s,
			const struct mmi_cell *c, bool peak);

/* Sets s->cells and s->changes. */
void mmi_cells_put_end(struct mmi_tables_sums *s);

#endif
