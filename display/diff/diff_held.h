/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: who holds what. */
#ifndef MEMMON_DIFF_HELD_H
#define MEMMON_DIFF_HELD_H

#include "display/diff/diff.h"
#include "display/text/writer.h"

/* What a root, or the blocks of a type, retained in each run, in bytes. */
struct diff_held {
	char *name; /* of a root without numbers that differ in each run */
	uint64_t v[DIFF_NRUN];
};

/*
 * Roots, or types, of both runs, by how much they differ; *n: how many.  The
 * caller frees them by diff_held_free().  NULL: out of memory.
 */
struct diff_held *diff_held_roots(const struct diff *d, size_t *n);
struct diff_held *diff_held_types(const struct diff *d, size_t *n);
void diff_held_free(struct diff_held *v, size_t n);

/* Have both runs a graph? */
bool diff_held_known(const struct diff *d);

/* Print both; or write them as arrays "roots" and "held_types".  0, or -1 when
 * out of memory. */
int diff_held_print(struct tables *t, const struct diff *d);
int diff_held_json(struct writer *w, const struct diff *d);

#endif
