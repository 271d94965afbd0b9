/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turn the counts of samples (MONOUT_R_SAMPLE) into estimates for all blocks.
 * The estimator is in sample_error.h.
 */
#ifndef MEMMON_REDUCE_SAMPLE_H
#define MEMMON_REDUCE_SAMPLE_H

#include "reduce/monout/mon.h"

/*
 * Estimate the counts of a file that was just loaded.  If all blocks were
 * recorded, only m->sample is set.  Cells are scaled; sites, bins and sums are
 * computed from them, so they still add up.  Blocks stay whole: the fraction of
 * a block that is cut off one cell is added to the next, so each sum is within
 * one block of the estimate.  A count of 0 stays 0.
 */
void sample_scale(struct mon *m);

/* ------------------ parts of sample_scale(), for sample.c, in this order -- */

/*
 * Scale the lifetimes of a site, which had `frees' freed blocks and now has
 * `to'.  The result is added to m->life.
 */
void sample_life(struct mon *m, struct mon_site *s, uint64_t frees,
		 uint64_t to);

/* Set how many blocks reallocs have moved, from FIGURES. */
void sample_moved(struct mon *m);

/* Make the counts of threads add up to those of the sites. */
void sample_threads(struct mon *m);

/*
 * Limit the records of accesses, which are estimates already, to the counts of
 * the sites, which are rounded differently.
 */
void sample_uses(struct mon *m);

/*
 * sample_times.c: scale snapshots and changes.  was: m's cells before scaling,
 * in the same order, or NULL if there were none.  m's sums must be set.
 */
void sample_times(struct mon *m, const struct mon_cell *was);

/*
 * For a sum of files, whose counts are estimates already: set the variances of
 * sites, bins and threads from the cells.
 */
void sample_again(struct mon *m);

/* Adjust the totals that count blocks. */
void sample_totals(struct mon *m);

#endif
