/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs: rows with a name and the bytes in each run: what retains memory,
 * the parts of the process's memory, and the memory that it mapped.
 */
#ifndef MEMMON_DIFF_PAIRS_H
#define MEMMON_DIFF_PAIRS_H

#include "display/diff/diff.h"
#include "display/grid/table.h"
#include "display/text/writer.h"

struct diff_pair {
	char *name; /* from malloc() */
	uint64_t v[DIFF_NRUN];
};

struct diff_pairs {
	struct diff_pair *v;
	size_t n, room;
	int run;     /* the run whose rows are added */
	bool failed; /* out of memory */
};

/* Add a row of the run, and free name later.  name NULL: out of memory. */
void diff_pairs_add(struct diff_pairs *x, char *name, uint64_t bytes);

/*
 * Add the rows of a run: bytes retained by roots or by blocks of types, lines
 * of --memory, lines of the program that map memory.  Names omit numbers that
 * differ in each run; rows of the same name are one.  Returns whether the rows
 * are known.  With x NULL nothing is added.
 */
typedef bool diff_pairs_of(struct diff_pairs *x, const struct profile *p);
diff_pairs_of diff_held_roots, diff_held_types, diff_memory_lines,
	diff_memory_mapped;

/*
 * Print the rows that differ most, or write all rows as JSON.  Skips lists that
 * are unknown for one of the runs.  0, or -1 when out of memory.
 */
int diff_pairs_print(struct tables *t, const struct diff *d);
int diff_pairs_json(struct writer *w, const struct diff *d);

#endif
