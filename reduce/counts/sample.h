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

#endif
