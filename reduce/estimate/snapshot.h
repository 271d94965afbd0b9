/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find a time of a run by its text on the command line, and its snapshot. */
#ifndef MEMMON_REDUCE_SNAPSHOT_H
#define MEMMON_REDUCE_SNAPSHOT_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/monout/mon.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum snapshot_kind {
	SNAPSHOT_TIME,
	SNAPSHOT_START,
	SNAPSHOT_MARK,
	SNAPSHOT_PEAK,
	SNAPSHOT_END
};

/*
 * Counts of the whole heap are known for `time' if it is a mark; counts by site
 * and size are known for `at'.
 */
struct snapshot {
	enum snapshot_kind kind;
	uint64_t time; /* ns after start: the time that the text means */
	uint64_t at;   /* time of the last snapshot up to `time', or 0, the
			* start */
	size_t n;      /* number of snapshots up to then; 0: the start */
	const struct mon_mark *mark;
	size_t which, of; /* the mark's place among the marks of its name,
			   * from 1; their number */
};

/*
 * Find the time that text means in the run of m, a file or a sum of files, and
 * the last snapshot up to that time.  text is a number with ns, us, ms, s, m, h
 * or %, a number of seconds, start, end, peak, mark:NAME or mark:NAME#N.  If m
 * has no timeline, n is 0, but start, end and peak are found.  option: the
 * start of messages, "--at".  0, or -1 with *e set.
 */
int snapshot_find(struct snapshot *x, const struct mon *m, const char *option,
		  const char *text, struct err *e);

/* "1.203 s". */
const char *snapshot_seconds(struct arena *a, uint64_t ns);

/* "1.203 s (the last snapshot before 1.205 s)", "the peak, 1.203 s". */
const char *snapshot_text(struct arena *a, const struct snapshot *x);

#endif
