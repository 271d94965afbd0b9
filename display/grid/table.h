/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables are made from, and how they print bytes, names and lines. */
#ifndef MEMMON_DISPLAY_TABLE_H
#define MEMMON_DISPLAY_TABLE_H

#include "display/settings/settings.h"
#include "display/text/conditions.h"
#include "display/text/line.h"
#include "display/text/nodes.h"
#include "reduce/base/arena.h"
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
	struct arena room; /* memory of the current table */
	bool *direct_on; /* by node number: is it in the direct table? */
	bool *graph_on;	 /* by node number: is it in the call graph? */
	bool cycles; /* a path in the current table has a cycle */
	const char *recording; /* for the prolog: printed before the next
				* line */
	struct err *e; /* "out of memory" until set otherwise */
};

/*
 * An array of n zeroed items, and one more, for the current table.  It is freed
 * when the table is printed.
 */
void *tables_room(struct tables *t, size_t n, size_t size);

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

/*
 * Standard errors of figures that are estimated from samples.  Each has a field
 * after its figure.  If all blocks were recorded, there are no such fields, and
 * these functions do nothing.
 */

/* The width of a field: 0 or 8 columns. */
size_t errors_width(const struct tables *t);

/* Print the head of a field, blank or "+-"; print the field. */
void errors_blank(struct tables *t);
void errors_head(struct tables *t);
void errors_add(struct tables *t, uint64_t figure, double var);

/* Print the error after a figure in a line of text: " (+-4.3%)". */
void errors_lone(struct tables *t, uint64_t figure, double var);

/* Print the end of a legend, about standard errors. */
void errors_legend(struct tables *t);

/* The standard error in thousandths of a byte or block, rounded. */
uint64_t errors_thousandths(double var);

/* Lines above the rows of tables, or instead of rows. */

/* Print a title between dashes, unless it has its own. */
void tables_rule(struct tables *t, const char *title);

/*
 * tables_notes() prints the conditions of the run (text/conditions.h) up to
 * level `most', and a blank line.  If there are none, it prints nothing and
 * returns false.  tables_heading() prints a title first, and always a blank
 * line.  tables_title() does so with the conditions that every table prints.
 */
bool tables_notes(struct tables *t, enum condition_said most);
void tables_heading(struct tables *t, const char *title,
		    enum condition_said most);
void tables_title(struct tables *t, const char *title);

/* Print a line for each limit of the leak checks. */
void tables_leak_notes(struct tables *t);

/*
 * Print that something isn't in the data files, and why.  what: a noun phrase
 * at the start of a sentence.
 */
void tables_unknown(struct tables *t, const char *what);

/* Print the line that replaces the rows if nothing was allocated. */
void tables_nothing(struct tables *t);

/*
 * Print the title of a table about accesses, and what the recorded accesses
 * lack.  False: none were recorded, which is printed.
 */
bool tables_uses(struct tables *t, const char *title);

#endif
