/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts of samples (MONOUT_R_SAMPLE) made estimates of what all blocks were.
 *
 * A block of s bytes was recorded with the probability p = 1 - exp(-(s + 1) /
 * rate), whatever became of others: Poisson sampling.  So n recorded ones stand
 * for n / p, without bias (Horvitz and Thompson, A generalization of sampling
 * without replacement from a finite universe, 1952), and the variance of a sum
 * of y over blocks is estimated by the sum of y^2 (1 - p) / p^2 over the
 * recorded ones (Särndal, Swensson, Wretman: Model Assisted Survey Sampling,
 * 1992, section 3.2).
 */
#ifndef MEMMON_REDUCE_SAMPLE_H
#define MEMMON_REDUCE_SAMPLE_H

#include "reduce/load.h"

/*
 * Do so with a file that was just loaded; of one whose blocks were all recorded
 * only what says so is set.  Cells are scaled; sites, bins and sums are theirs,
 * so all add up as before.  Blocks stay whole: what is cut off one cell is
 * added to the next one, so that no sum is further from the estimate than a
 * block, and what was 0 stays so.  Returns 0, or -1 when out of memory.
 */
int sample_scale(struct mon *m);

/* 1 / p. */
double sample_weight(uint64_t rate, uint64_t size);

/*
 * Of a cell that was made from estimates, as of a moment: so many blocks made
 * and live stand for about so many recorded ones.  Nothing without samples.
 */
void sample_errors(const struct mon *m, struct mon_cell *c);

/* Add what a cell has to the variances of counts. */
void sample_add_errors(double var[PROFILE_NERROR], const struct mon_cell *c);

#endif
