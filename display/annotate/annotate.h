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

/* A source file that is shown, and its lines that are shown. */
struct annotate_file {
	const struct source *source;
	bool *on;		   /* for each line of the source: is it
				    * shown? */
	struct account shown; /* sum of the shown lines' own figures */
	uint64_t total;		   /* largest total of a line, bytes */
	const char *name;	   /* without directories if no other file has
				    * it */
};

/* All files that are shown, most bytes first. */
struct annotate {
	struct tables *t;
	struct annotate_file *file;
	size_t n;
	bool *on; /* room for the `on' of all files */
};

/*
 * Fill *a as the options of t ask.  *a refers to t, and lives as long as the
 * current table.
 */
void annotate_choose(struct annotate *a, struct tables *t);

/* Print the lines that allocated most, each with its share of all bytes. */
void annotate_summary(const struct annotate *a);

#endif
