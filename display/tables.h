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
#include <stdio.h>

/* What all the tables are made from. */
struct tables {
	const struct profile *p;
	const struct options *o;
	struct sort sort;
	struct line line;
	bool *direct_on;	/* by node number: to be shown by the table */
	bool *graph_on;
};

/*
 * Print what o asks for of p on out, with a form feed between tables.  0, or -1
 * with *e set: a symbol that isn't there, or no memory.
 */
int tables_print(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);

/*
 * What has to be said of all figures below it (lost, incomplete) and a blank
 * line; nothing if there is nothing to be said.  tables_title() prints a title
 * before it, and a blank line in any case.
 */
void tables_notes(struct tables *t);
void tables_title(struct tables *t, const char *title);

/* n as bytes the way that options ask for. */
char *tables_bytes(const struct tables *t, char *buf, uint64_t n);

int prolog_print(struct tables *t);
int leaks_print(struct tables *t);
int bins_print(struct tables *t);
int direct_print(struct tables *t);
int graph_print(struct tables *t);

/* The index of the functions for which seen[number] is true. */
void index_print(struct tables *t, const bool *seen);

/* The texts that explain the tables. */
extern const char legend_leaks[];
extern const char legend_bins[];
extern const char legend_direct[];
extern const char legend_graph[];

/* Print a legend, unless options say no. */
void legend_print(struct tables *t, const char *legend);

#endif
