/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of another time than the run's end, or of what was allocated between
 * two.  The counts of the merged data are replaced by those of that time, so
 * that the stages behind it need not know; what the data don't say of it is
 * taken out, as known no more.
 */
#ifndef MEMMON_REDUCE_WHEN_H
#define MEMMON_REDUCE_WHEN_H

#include "reduce/base/err.h"
#include "reduce/counts/snapshot.h"
#include "reduce/file/mon.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"

struct merge_first;

/*
 * See whose changes are, and make m, p's merged data, what it was at the
 * time that w names, and fill p->snapshot; if w names none, leave the
 * counts alone.  p has its runs.
 * log: where there may be a log of blocks, or NULL.  0, or -1 with *e set: no
 * such time, or the data don't say.
 */
int when_apply(struct profile *p, struct mon *m, const struct profile_when *w,
	       const struct merge_first *log, struct err *e);

/*
 * Why it isn't known whose memory it was at times: a sentence without an end,
 * that lives for ever.
 */
const char *when_whose(const struct profile *p);

/* Why m has no timeline and what to do about it; NULL: it has one. */
const char *when_missing(const struct profile *p, const struct mon *m);

/* ------------------------------------------------- for when*.c to call -- */

/*
 * Take n cells, malloc'ed and in any order, in place of m's: the sites, sizes
 * and threads become their sums.  peaks: what cells and sites say of the peak
 * holds.  0, or -1 with *e set: out of memory, or too large to be true.
 */
int when_replace(struct profile *p, struct mon *m, struct mon_cell *cells,
		 size_t n, bool peaks, struct err *e);

/* What log_span() says, if log is of the run and no samples. */
struct log_span;
size_t when_log(struct profile *p, const struct mon *m,
		const struct merge_first *log, const struct log_span *which,
		struct mon_cell **cells, bool *memory);

/* when_between.c: the same as when_apply() for a span. */
int when_between(struct profile *p, struct mon *m, const struct profile_when *w,
		 const struct merge_first *log, struct err *e);

/* Are counts known at snapshots?  0, or -1 with *e set. */
int when_check(const struct profile *p, const struct mon *m, const char *option,
	       const char *text, struct err *e);

#endif
