/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What samples stand for, and the errors of that.
 *
 * A block of s bytes was recorded with the probability p = 1 - exp(-(s + 1) /
 * rate), whatever became of others: Poisson sampling.  So n recorded ones stand
 * for n / p, without bias (Horvitz and Thompson, A generalization of sampling
 * without replacement from a finite universe, 1952), and the variance of a sum
 * of y over blocks is estimated by the sum of y^2 (1 - p) / p^2 over the
 * recorded ones (Särndal, Swensson, Wretman: Model Assisted Survey Sampling,
 * 1992, section 3.2).
 */
#ifndef MEMMON_REDUCE_SAMPLE_ERROR_H
#define MEMMON_REDUCE_SAMPLE_ERROR_H

#include "reduce/file/mon.h"

/* 1 / p. */
double sample_weight(uint64_t rate, uint64_t size);

/* Bytes of a block of the cell; of a class of sizes, the mean. */
double sample_size(const struct mon_cell *c);

/*
 * Of a cell that was made from estimates, as of a snapshot: so many blocks made
 * and live stand for about so many recorded ones.  Nothing without samples.
 */
void sample_errors(const struct mon *m, struct mon_cell *c);

/* Add what a cell has to the variances of counts. */
void sample_add_errors(double var[PROFILE_NERROR], const struct mon_cell *c);

#endif
