/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files that operands name: files, and all files of a directory. */
#ifndef MEMMON_REDUCE_FILES_H
#define MEMMON_REDUCE_FILES_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/monout/merge.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"
#include "reduce/profile/ranks.h"

struct files_one {
	const char *path; /* in the arena that files_find() was given */
	bool picked;	  /* found in a directory, not named */
};

struct files {
	struct files_one *v;
	size_t n, room;
};

/*
 * Fill *f from o->files, the files of a directory in the order of their names.
 * 0, or -1 with *e set: a directory can't be read or has no data files.
 * files_fini() follows in any case.
 */
int files_find(struct files *f, struct arena *a,
	       const struct profile_options *o, struct err *e);
void files_fini(struct files *f);

/* Sort by name, so that the order of operands doesn't matter. */
void files_sort(struct files *f);

/*
 * The files of a sum: all files, or a part of them, to which other sums will be
 * added.  No p->runs are made.  It isn't an error if no file can be read.
 */
struct files_sum {
	size_t part, parts; /* which part of how many, by hash of the names;
			     * parts 0: all files */
	size_t others;	    /* gets the number of picked files that were left
			     * out */
};

/*
 * Find the files and load them into p->runs and, unless o asks only for a list,
 * into g.  Files are loaded in the order of their names, so the order of
 * operands makes no difference.  A file that can't be read becomes a run with a
 * problem and a warning, as long as there are other files.  A picked file of a
 * program with another name than o->exe is left out, with a warning.  o->jobs
 * threads read and merge; the result is the same as of one.  sum: NULL if
 * p->runs are wanted.  ranks: gets the figures of each file, unless NULL.  0,
 * or -1 with *e set.
 */
int files_read(struct profile *p, struct merge *g,
	       const struct profile_options *o, struct files_sum *sum,
	       struct ranks *ranks, struct err *e);

/* Warn of picked files that were left out as of other programs, if any. */
void files_warn_others(struct profile *p, const char *exe, size_t n);

/* Are the readable runs of several programs? */
bool files_are_mixed(const struct profile *p);

#endif
