/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all the tables have in common. */
#ifndef MEMMON_DISPLAY_TABLE_H
#define MEMMON_DISPLAY_TABLE_H

#include "display/text/line.h"
#include "display/text/settings.h"
#include "display/text/sort.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all the tables are made from. */
struct tables {
	const struct profile *p;
	const struct options *o;
	struct sort sort;
	struct line line;
	bool *direct_on; /* by node number: to be shown by the table */
	bool *graph_on;
	bool cycles; /* printed on paths, of the table under way */
	struct err *e; /* says "out of memory", until it is set otherwise */
};

/* What to add to a time of the peak: whose start it is counted from. */
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

/* A line of text. */
void tables_say(struct tables *t, const char *text);

#endif
