/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables are made from, and how they print bytes, names and lines. */
#ifndef MEMMON_DISPLAY_TABLE_H
#define MEMMON_DISPLAY_TABLE_H

#include "display/text/line.h"
#include "display/text/settings.h"
#include "display/text/nodes.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct schema;

/* What all the tables are made from. */
struct tables {
	const struct profile *p;
	const struct options *o;
	struct schema *schema; /* of p; NULL where no row is an entry */
	struct nodes nodes;
	struct line line;
	bool *direct_on; /* by node number: the direct table shows it */
	bool *graph_on;	 /* the call graph does */
	bool cycles; /* some path of the table under way has a cycle */
	const char *recording; /* of the prolog: before its next line */
	struct err *e; /* says "out of memory", until it is set otherwise */
};

/* Begin to write, as the options have it: t->o is set. */
void tables_line(struct tables *t, FILE *out);

/* What stands behind the time of the peak: from which run's start it is. */
const char *tables_whose(const struct profile *p);

/* n as bytes the way that options ask for. */
char *tables_bytes(const struct tables *t, char *buf, uint64_t n);

/*
 * The same for a figure that stands at the end of a data file, and isn't known
 * when it is 0 because the file was cut: "-".
 */
char *tables_lone(const struct tables *t, char *buf, uint64_t n);

/*
 * Is part so much of whole, by the options for more or less, that it gets a row
 * of its own?
 */
bool tables_worth(const struct tables *t, uint64_t part, uint64_t whole);

/*
 * The line on n of a noun that aren't: "left out: 2 files with less than 0.5 %
 * of all bytes ...".
 */
void tables_left_out(struct tables *t, size_t n, const char *noun,
		     const char *under, const char *of);

/* Add a name to the line, cut as options say. */
void tables_name(struct tables *t, const char *name);

/*
 * Add a name to the line; on a terminal its middle is left out as is needed for
 * so many columns behind it.
 */
void tables_fit(struct tables *t, const char *name, size_t behind);

/* A line of text. */
void tables_say(struct tables *t, const char *text);

#endif
