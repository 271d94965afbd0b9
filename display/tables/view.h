/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables.  Each of the functions below prints one, with its legend unless
 * options say otherwise, and returns 0, or -1 with *t->e set.  Errors of
 * writing are left to be seen in the stream.
 */
#ifndef MEMMON_DISPLAY_VIEW_H
#define MEMMON_DISPLAY_VIEW_H

#include "display/tables/table.h"

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
int timeline_print(struct tables *t);
int chunks_print(struct tables *t);
int addresses_print(struct tables *t);
int quantiles_print(struct tables *t);

/*
 * Is there a type for each one that o->fields_only names?  0, or -1 with *e
 * set.
 */
int fields_check(const struct profile *p, const struct options *o,
		 struct err *e);

/* The same for lines of what o->annotate_only names. */
int annotate_check(const struct profile *p, const struct options *o,
		   struct err *e);

/* Is there what --chunks names?  0, or -1 with *e set. */
int chunks_check(const struct profile *p, const struct options *o,
		 struct err *e);

/* The index of the functions for which seen[number] is true. */
void index_print(struct tables *t, const bool *seen);

#endif
