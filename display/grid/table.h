/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables are made from, and how they print bytes, names and lines. */
#ifndef MEMMON_DISPLAY_TABLE_H
#define MEMMON_DISPLAY_TABLE_H

#include "display/settings/settings.h"
#include "display/text/line.h"
#include "display/text/nodes.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct schema;

/* The data that all tables print, and their state. */
struct tables {
	const struct profile *p;
	const struct options *o;
	struct schema *schema; /* of p; NULL if no row is an entry */
	struct nodes nodes;
	struct line line;
	bool *direct_on; /* by node number: is it in the direct table? */
	bool *graph_on;	 /* by node number: is it in the call graph? */
	bool cycles; /* a path in the current table has a cycle */
	const char *recording; /* for the prolog: printed before the next
				* line */
	struct err *e; /* "out of memory" until set otherwise */
};

/* Prepare for output in the form that the options ask for; needs t->o. */
void tables_line(struct tables *t, FILE *out);

/* Text to follow the time of the peak: the run from whose start it counts. */
const char *tables_whose(const struct profile *p);

/* n as bytes, in the form that the options ask for. */
char *tables_bytes(const struct tables *t, char *buf, uint64_t n);

/*
 * The same for a figure at the end of a data file.  In a truncated file, 0
 * means that the figure is unknown: "-".
 */
char *tables_lone(const struct tables *t, char *buf, uint64_t n);

/* Is the part large enough, by the options, for a row of its own? */
bool tables_worth(const struct tables *t, uint64_t part, uint64_t whole);

/*
 * Print how many things were left out: "left out: 2 files with less than 0.5 %
 * of all bytes ...".
 */
void tables_left_out(struct tables *t, size_t n, const char *noun,
		     const char *under, const char *of);

/* Add a name to the line, shortened as the options say. */
void tables_name(struct tables *t, const char *name);

/*
 * Add a name to the line.  On a terminal, its middle is omitted to keep that
 * many columns free after it.
 */
void tables_fit(struct tables *t, const char *name, size_t behind);

/* Print a line of text. */
void tables_say(struct tables *t, const char *text);

#endif
