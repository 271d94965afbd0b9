/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs: rows with a name, and bytes in each run: who holds what, where the
 * memory of the process was, and what it mapped.
 */
#ifndef MEMMON_DIFF_PAIRS_H
#define MEMMON_DIFF_PAIRS_H

#include "display/diff/diff.h"
#include "display/grid/table.h"
#include "display/text/writer.h"

struct diff_pair {
	char *name; /* to be freed */
	uint64_t v[DIFF_NRUN];
};

struct diff_pairs {
	struct diff_pair *v;
	size_t n, room;
	int run;     /* that rows are added of */
	bool failed; /* out of memory */
};

/* One more row of the run; name: from malloc(), or NULL: out of memory. */
void diff_pairs_add(struct diff_pairs *x, char *name, uint64_t bytes);

/*
 * Add the rows of a run: what roots, or the blocks of types, retained; lines of
 * --memory; lines of the program that map memory.  Rows of one name are one:
 * names are without numbers that differ in each run.  Returns whether they are
 * known; x NULL: adds nothing.
 */
typedef bool diff_pairs_of(struct diff_pairs *x, const struct profile *p);
diff_pairs_of diff_held_roots, diff_held_types, diff_memory_lines,
	diff_memory_mapped;

/*
 * Print the rows that differ most, or write all as JSON.  Nothing of what isn't
 * known of both runs.  0, or -1 when out of memory.
 */
int diff_pairs_print(struct tables *t, const struct diff *d);
int diff_pairs_json(struct writer *w, const struct diff *d);

#endif
