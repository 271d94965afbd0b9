/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments of a run as they are named on the command line. */
#ifndef MEMMON_REDUCE_MOMENT_H
#define MEMMON_REDUCE_MOMENT_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/file/mon.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum moment_kind {
	MOMENT_TIME,
	MOMENT_START,
	MOMENT_MARK,
	MOMENT_PEAK,
	MOMENT_END
};

/* Counts of the whole heap are known at it->at, by site and size at `at'. */
struct moment {
	enum moment_kind kind;
	uint64_t time; /* ns after start: what is meant */
	uint64_t at;   /* the last moment not after that, or 0, the start */
	size_t n;      /* moments up to then; 0: it's the start */
	const struct mon_mark *mark;
	size_t which, of; /* of its name: the first is 1; marks */
};

/*
 * Find the moment of a file, or of several, that text means: seconds, a number
 * with ns, us, ms, s, m, h or %, start, end, peak, mark:NAME, mark:NAME#N.
 * Where m has no timeline, n is 0; start, end and peak are found all the same.
 * option: to begin messages with, "--at".  0, or -1 with *e set.
 */
int moment_find(struct moment *x, const struct mon *m, const char *option,
		const char *text, struct err *e);

/* "1.203 s"; NULL: out of memory. */
const char *moment_seconds(struct arena *a, uint64_t ns);

/* "1.203 s (the last moment before 1.205 s)", "the peak, 1.203 s".  NULL: the
 * same. */
const char *moment_text(struct arena *a, const struct moment *x);

#endif
