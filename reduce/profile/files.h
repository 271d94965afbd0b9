/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files that are meant by operands: files, and all of a directory. */
#ifndef MEMMON_REDUCE_FILES_H
#define MEMMON_REDUCE_FILES_H

#include "reduce/base/arena.h"
#include "reduce/base/err.h"
#include "reduce/counts/weigh.h"
#include "reduce/file/merge.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"

struct files_one {
	const char *path; /* in the arena that files_find() was given */
	bool picked;	  /* found in a directory, not named */
	size_t operand;	  /* by number in o->files, which brought it */
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

/*
 * Find them, and load them into p->runs and, unless o wants a list, into g,
 * weighed: in the order of their names, so that the order of the operands makes
 * no difference.  One that can't be read is a run with a problem, and a
 * warning, as long as there are others.  A picked one is left out when o->exe
 * has another name than its program; that is a warning, too.  0, or -1 with *e
 * set.
 */
int files_read(struct profile *p, struct merge *g,
	       const struct profile_options *o, struct err *e);

/* Are the runs that could be read of several programs? */
bool files_are_mixed(const struct profile *p);

#endif
