/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of a run, as the command line names them, and the snapshots then. */
#ifndef MEMMON_REDUCE_SNAPSHOT_H
#define MEMMON_REDUCE_SNAPSHOT_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/file/mon.h"

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

/* Counts of the whole heap are known at it->at, by site and size at `at'. */
struct snapshot {
	enum snapshot_kind kind;
	uint64_t time; /* ns after start: what is meant */
	uint64_t at;   /* the last snapshot not after that, or 0, the start */
	size_t n;      /* snapshots up to then; 0: it's the start */
	const struct mon_mark *mark;
	size_t which, of; /* of its name: the first is 1; marks */
};

/*
 * Find the time in the run of a file, or of several, that text means, and the
 * last snapshot that isn't after it: seconds, a number with ns, us, ms, s, m, h
 * or %, start, end, peak, mark:NAME, mark:NAME#N.  Where m has no timeline, n
 * is 0; start, end and peak are found all the same.
 * option: to begin messages with, "--at".  0, or -1 with *e set.
 */
int snapshot_find(struct snapshot *x, const struct mon *m, const char *option,
		  const char *text, struct err *e);

/* "1.203 s"; NULL: out of memory. */
const char *snapshot_seconds(struct arena *a, uint64_t ns);

/* "1.203 s (the last snapshot before 1.205 s)", "the peak, 1.203 s".  NULL: the
 * same. */
const char *snapshot_text(struct arena *a, const struct snapshot *x);

#endif
