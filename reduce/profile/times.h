/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap over time: profile.time. */
#ifndef MEMMON_REDUCE_TIMES_H
#define MEMMON_REDUCE_TIMES_H

#include "reduce/file/mon.h"
#include "reduce/model/result.h"

/*
 * Note the marks, which a filter takes away.  0, or -1 when out of memory, as
 * below.
 */
int times_begin(struct profile *p, const struct mon *m);

/* Fill p->time; p has its sites, threads and, if there are any, items. */
int times_make(struct profile *p, const struct mon *m);

/*
 * Rows out of single steps, of which each is what was added to a row since the
 * snapshot before: row by row, each by snapshot.
 */
struct times_step {
	uint32_t row, snapshot;
	struct amounts count;
};

/*
 * n steps, in any order, to nrows rows that live in p's arena; step[] is used
 * up and stays the caller's.  NULL: out of memory.
 */
const struct time_row *times_rows(struct profile *p, struct times_step *step,
				  size_t n, size_t nrows, size_t nsnapshots);

#endif
