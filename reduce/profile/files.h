/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files that are meant by operands: files, and all of a directory. */
#ifndef MEMMON_REDUCE_FILES_H
#define MEMMON_REDUCE_FILES_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/file/merge.h"
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

/* In the order of their names, whatever that of the operands is. */
void files_sort(struct files *f);

/*
 * For a sum: files of which there are no p->runs, all of them or a part, to
 * which others are to be added: there may be none in it that can be read.
 */
struct files_sum {
	size_t part, parts; /* that of so many, by their names; parts 0: all */
	size_t others;	    /* gets how many picked ones are left out */
};

/*
 * Find them, and load them into p->runs and, unless o wants a list, into g,
 * in the order of their names, so that the order of the operands makes no
 * difference.  One that can't be read is a run with a problem, and a
 * warning, as long as there are others.  A picked one is left out when o->exe
 * has another name than its program; that is a warning, too.  o->jobs threads
 * read and merge, with the same result as one.  sum: NULL if p->runs are
 * wanted; ranks: unless NULL, gets what each had.  0, or -1 with *e set.
 */
int files_read(struct profile *p, struct merge *g,
	       const struct profile_options *o, struct files_sum *sum,
	       struct ranks *ranks, struct err *e);

/* A warning of how many picked files were of other programs, if any. */
int files_warn_others(struct profile *p, const char *exe, size_t n,
		      struct err *e);

/* Are the runs that could be read of several programs? */
bool files_are_mixed(const struct profile *p);

#endif
