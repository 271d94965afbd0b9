/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: who holds what. */
#ifndef MEMMON_DIFF_HELD_H
#define MEMMON_DIFF_HELD_H

#include "display/diff/diff_pairs.h"

/*
 * What roots, or the blocks of types, retained in each run, by how much it
 * differs; *n: how many.  Names of roots are without numbers that differ in
 * each run.  The caller frees them by diff_pairs_free().  NULL: out of memory.
 */
struct diff_pair *diff_held_roots(const struct diff *d, size_t *n);
struct diff_pair *diff_held_types(const struct diff *d, size_t *n);

/* Have both runs a graph? */
bool diff_held_known(const struct diff *d);

/* Print both; or write them as arrays "roots" and "held_types".  0, or -1 when
 * out of memory. */
int diff_held_print(struct tables *t, const struct diff *d);
int diff_held_json(struct writer *w, const struct diff *d);

#endif
