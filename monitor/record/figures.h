/* SPDX-License-Identifier: MIT */
/* What is counted of only some blocks: enum monout_figure. */
#ifndef MEMMON_FIGURES_H
#define MEMMON_FIGURES_H

#include "monitor/record/record.h"

/*
 * A realloc made the new block *m of cell c from *g, at another address if
 * `moved'.  g->size is 0 if it isn't known.  ctx: hook.
 */
void mmi_figures_resized(struct mmi_thread *t, struct mmi_cell *c,
			 const struct mmi_made *m, const struct mmi_gone *g,
			 bool moved);

/* Move one of x's n reallocs, as far as is known, to y's.  ctx: hook. */
void mmi_figures_move(struct monimg_figure *x, struct monimg_figure *y,
		      uint64_t n);

#endif
