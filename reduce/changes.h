/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments and changes of a struct mon: in order, and true. */
#ifndef MEMMON_REDUCE_CHANGES_H
#define MEMMON_REDUCE_CHANGES_H

#include "reduce/load.h"

/*
 * After the last record of a file: are the moments those of this run, the last
 * with its totals?  If not, they and the changes are dropped.  Sums must be
 * there.
 */
bool changes_settle_moments(struct mon *m);

/*
 * The same: find the changes' threads, add up those that are to be one, and see
 * whether the last ones of each site are its counts.  Where a thread's can't
 * be, they go to thread 0; where that can't, a class's sizes go together.
 * False: they weren't, and are dropped.
 */
bool changes_settle(struct mon *m);

/*
 * n changes whose sites or threads have other numbers now: put them in order;
 * what is of the same site, size and thread adds up.  Returns how many are
 * left.
 */
size_t changes_again(struct mon_change *c, size_t n);

/* None of either is known. */
void changes_forget(struct mon *m);

#endif
