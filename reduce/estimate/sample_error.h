/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates from samples, and their errors.
 *
 * A block of s bytes is recorded with the probability p = 1 - exp(-(s + 1) /
 * rate), independently of other blocks: Poisson sampling.  So n recorded blocks
 * represent n / p blocks, without bias (Horvitz and Thompson, A generalization
 * of sampling without replacement from a finite universe, 1952).  The variance
 * of a sum of y over blocks is estimated by the sum of y^2 (1 - p) / p^2 over
 * the recorded blocks (Särndal, Swensson, Wretman: Model Assisted Survey
 * Sampling, 1992, section 3.2).
 */
#ifndef MEMMON_REDUCE_SAMPLE_ERROR_H
#define MEMMON_REDUCE_SAMPLE_ERROR_H

#include "reduce/monout/mon.h"

/* 1 / p. */
double sample_weight(uint64_t rate, uint64_t size);

/* Bytes of a block of the cell.  For a class of sizes this is the mean. */
double sample_size(const struct mon_cell *c);

/*
 * Set the variances of a cell that was made from estimates, for example of a
 * snapshot, as if n estimated blocks came from n * p recorded ones.  Does
 * nothing without samples.
 */
void sample_errors(const struct mon *m, struct mon_cell *c);

/* Add the variances of a cell to the variances of counts. */
void sample_add_errors(double var[PROFILE_NERROR], const struct mon_cell *c);

#endif
