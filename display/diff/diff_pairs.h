/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: rows with a name, and bytes in each run. */
#ifndef MEMMON_DIFF_PAIRS_H
#define MEMMON_DIFF_PAIRS_H

#include "display/diff/diff.h"
#include "display/grid/table.h"
#include "display/text/writer.h"

struct diff_pair {
	char *name; /* to be freed */
	uint64_t v[DIFF_NRUN];
};

/*
 * Rows of one name become one, and those that differ most come first; *n: how
 * many.  Returns v.
 */
struct diff_pair *diff_pairs_unite(struct diff_pair *v, size_t *n);
void diff_pairs_free(struct diff_pair *v, size_t n);

/*
 * Print those that differ, below a title and the head of their names; write all
 * of them as JSON, with the names of both figures.  Both free v.  0, or -1: v
 * is NULL, out of memory.
 */
int diff_pairs_print(struct tables *t, const char *title, const char *head,
		     struct diff_pair *v, size_t n);
int diff_pairs_json(struct writer *w, const char *name,
		    const char *const figure[2], struct diff_pair *v, size_t n);

#endif
