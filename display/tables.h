/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables.  Each of the functions below prints one, with its legend unless
 * options say otherwise, and returns 0, or -1 when out of memory.  Errors of
 * writing are left to be seen in the stream.
 */
#ifndef MEMMON_TABLES_H
#define MEMMON_TABLES_H

#include "display/line.h"
#include "display/options.h"
#include "display/sort.h"
#include "reduce/profile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What all the tables are made from. */
struct tables {
	const struct profile *p;
	const struct options *o;
	struct sort sort;
	struct line line;
	bool *direct_on; /* by node number: to be shown by the table */
	bool *graph_on;
	struct err *e; /* says "out of memory", until it is set otherwise */
};

/*
 * Print what o asks for of p on out, with a form feed between tables.  0, or -1
 * with *e set: a symbol that isn't there, or no memory.
 */
int tables_print(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);

/*
 * What has to be said of all figures below it (filter, lost, incomplete and so
 * on) and a blank line; nothing if there is nothing to be said.  tables_title()
 * prints a title before it, and a blank line in any case.
 */
void tables_notes(struct tables *t);
void tables_title(struct tables *t, const char *title);

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
 * of its own?  tables_others() ends the row of the n that aren't.
 */
bool tables_worth(const struct tables *t, uint64_t part, uint64_t whole);
void tables_others(struct tables *t, size_t n);

/*
 * A line of text; and the line that says that something (a noun phrase at the
 * start of a sentence) isn't in the data files, and why.
 */
void tables_say(struct tables *t, const char *text);
void tables_unknown(struct tables *t, const char *what);

/* The line that stands for the rows where there is nothing at all. */
void tables_nothing(struct tables *t);

/*
 * The lines that say that no accesses were recorded, and what to do; those that
 * say what is amiss with accesses that were, and a blank line after them.
 */
void tables_no_uses(struct tables *t);
void tables_use_notes(struct tables *t);

int prolog_print(struct tables *t);
int marks_print(struct tables *t);
int threads_print(struct tables *t);
int leaks_print(struct tables *t);
int peak_print(struct tables *t);
int lives_print(struct tables *t);
int bins_print(struct tables *t);
int types_print(struct tables *t);
int waste_print(struct tables *t);
int direct_print(struct tables *t);
int graph_print(struct tables *t);
int scores_print(struct tables *t);
int fields_print(struct tables *t);
int annotate_print(struct tables *t);

/*
 * Is there a type for each one that o->fields_only names?  0, or -1 with *e
 * set.
 */
int fields_check(const struct profile *p, const struct options *o,
		 struct err *e);

/* The same for lines of what o->annotate_only names. */
int annotate_check(const struct profile *p, const struct options *o,
		   struct err *e);

/* The index of the functions for which seen[number] is true. */
void index_print(struct tables *t, const bool *seen);

/* The texts that explain the tables. */
extern const char legend_threads[];
extern const char legend_leaks[];
extern const char legend_kinds[];
extern const char legend_marks[];
extern const char legend_peak[];
extern const char legend_timeline[];
extern const char legend_lives[];
extern const char legend_bins[];
extern const char legend_types[];
extern const char legend_waste[];
extern const char legend_direct[];
extern const char legend_graph[];
extern const char legend_scores[];
extern const char legend_fields[];
extern const char legend_annotate[];
extern const char legend_diff[];

/* Print a legend, unless options say no. */
void legend_print(struct tables *t, const char *legend);

#endif
