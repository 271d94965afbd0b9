/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The annotated source: which lines are shown, and the tables after it.
 */
#ifndef MEMMON_ANNOTATE_H
#define MEMMON_ANNOTATE_H

#include "display/grid/table.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/* A source file of which some lines are shown. */
struct annotate_file {
	const struct source *source;
	bool *on;		   /* of each line: it is shown */
	struct account shown; /* sum of these lines' own */
	uint64_t total;		   /* largest of their totals, bytes */
	const char *name;	   /* without directories, if that will do */
};

/* All of them, most bytes first. */
struct annotate {
	struct tables *t;
	struct annotate_file *file;
	size_t n;
	bool *on; /* of all files' lines */
};

/*
 * Fill *a with what t's options ask for.  0, or -1 when out of memory; *a needs
 * annotate_fini() in any case, and refers to t.
 */
int annotate_choose(struct annotate *a, struct tables *t);
void annotate_fini(struct annotate *a);

/* The table of the lines that allocated most, and what they are of all. */
int annotate_summary(const struct annotate *a);

#endif
