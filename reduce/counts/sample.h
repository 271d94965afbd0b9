/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts of samples (MONOUT_R_SAMPLE) made estimates of what all blocks were.
 * The estimator is in sample_error.h.
 */
#ifndef MEMMON_REDUCE_SAMPLE_H
#define MEMMON_REDUCE_SAMPLE_H

#include "reduce/file/mon.h"

/*
 * Do so with a file that was just loaded; of one whose blocks were all recorded
 * only what says so is set.  Cells are scaled; sites, bins and sums are theirs,
 * so all add up as before.  Blocks stay whole: what is cut off one cell is
 * added to the next one, so that no sum is further from the estimate than a
 * block, and what was 0 stays so.  Returns 0, or -1 when out of memory.
 */
int sample_scale(struct mon *m);

/* ------------------ parts of sample_scale(), for sample.c, in this order -- */

/* Lifetimes of a site, of which `frees' blocks went and now `to' did; they are
 * added to m->life.  0, or -1 when out of memory. */
int sample_life(struct mon *m, struct mon_site *s, uint64_t frees, uint64_t to);

/* What threads did adds up to the sites. */
void sample_threads(struct mon *m);

/*
 * How blocks were used, which is an estimate already: rounded otherwise than
 * the sites, and made no more than they are.  0, or -1 when out of memory.
 */
int sample_uses(struct mon *m);

/*
 * sample_times.c: snapshots and changes.  was: m's cells, in their order, as
 * they were; NULL: there were none.  Sums must be there.
 */
void sample_times(struct mon *m, const struct mon_cell *was);

/*
 * Of a sum, whose counts are estimates: sites, bins and threads get the
 * variances of the cells.  0, or -1 when out of memory.
 */
int sample_again(struct mon *m);

/* The totals that are of blocks. */
void sample_totals(struct mon *m);

#endif
