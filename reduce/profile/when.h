/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of another time than the run's end, or of blocks allocated between
 * two times.  The counts of the merged data are replaced by the counts of that
 * time, so later stages need no changes.  Data that aren't known for that time
 * are removed.
 */
#ifndef MEMMON_REDUCE_WHEN_H
#define MEMMON_REDUCE_WHEN_H

#include "reduce/base/err.h"
#include "reduce/estimate/snapshot.h"
#include "reduce/monout/mon.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"

struct merge_first;

/*
 * Make m, p's merged data, what it was at the time that w names, and fill
 * p->snapshot.  If w names no time, the counts stay as they are.  p has its
 * runs.  log: the file that may have a log of blocks, or NULL.  0, or -1 with
 * *e set: the data have no such time, or no counts at it.
 */
int when_apply(struct profile *p, struct mon *m, const struct profile_when *w,
	       const struct merge_first *log, struct err *e);

/*
 * Why memory at earlier times isn't known by call path: a sentence without a
 * full stop, constant.
 */
const char *when_whose(const struct profile *p);

/* Why m has no timeline and what to do about it; NULL: it has one. */
const char *when_missing(const struct profile *p, const struct mon *m);

/* ------------------------------------------ functions for when*.c only -- */

/*
 * Replace m's cells by n others, malloc'ed and in any order; sites, sizes and
 * threads become their sums.  peaks: the peaks of cells and sites stay valid.
 * 0, or -1 with *e set: the sums are impossibly large.
 */
int when_replace(struct profile *p, struct mon *m, struct mon_cell *cells,
		 size_t n, bool peaks, struct err *e);

/* log_span(), if log is of this run and no blocks are samples; or SIZE_MAX. */
struct log_span;
size_t when_log(struct profile *p, const struct mon *m,
		const struct merge_first *log, const struct log_span *which,
		struct mon_cell **cells);

/* when_between.c: when_apply() for a span. */
int when_between(struct profile *p, struct mon *m, const struct profile_when *w,
		 const struct merge_first *log, struct err *e);

/* Are counts known at snapshots?  0, or -1 with *e set. */
int when_check(const struct profile *p, const struct mon *m, const char *option,
	       const char *text, struct err *e);

#endif
