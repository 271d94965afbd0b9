/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a merged struct mon in the format of mon.out(5). */
#ifndef MEMMON_REDUCE_SUM_H
#define MEMMON_REDUCE_SUM_H

#include "reduce/base/err.h"
#include "reduce/file/emit.h"
#include "reduce/file/merge.h"

/*
 * Write g to path: into a temporary file beside it that then takes its place;
 * what isn't a plain file (a pipe, /dev/stdout) is written to directly.  The
 * sums among the totals are left out when some file wasn't whole: by that
 * open_file() knows that this one isn't either.  0, or -1 with *e set.
 */
int sum_write(const struct merge *g, const char *path, struct err *e);

/*
 * sum_use.c, for sum.c to call: the tables on accesses.  *uses, *groups and
 * *handed get the numbers of their items.
 */
void sum_uses(struct emit *e, const struct mon *m, uint64_t *uses,
	      uint64_t *groups, uint64_t *handed);

/* sum_more.c, as well: marks and leaks.  How many items the leaks have. */
uint64_t sum_more(struct emit *e, const struct mon *m);

/* sum_cells.c, as well: types, cells and vtables, of which all are written.
 * Returns how many errors of cells are. */
uint64_t sum_cells(struct emit *e, const struct mon *m);

/* Totals of samples, if there are any; and so many errors. */
void sum_sampled(struct emit *e, const struct mon *m, uint64_t errors);

/*
 * sum_times.c, as well: changes and moments.  How many items the changes have.
 */
uint64_t sum_times(struct emit *e, const struct mon *m);

/* The table of n moments. */
void sum_moments(struct emit *e, const struct mon_moment *x, size_t n);

#endif
