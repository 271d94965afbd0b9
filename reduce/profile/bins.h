/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks by size, with the types that are as large. */
#ifndef MEMMON_REDUCE_BINS_H
#define MEMMON_REDUCE_BINS_H

#include "reduce/file/mon.h"
#include "reduce/model/stages.h"

struct shares;
struct sitetypes;

/* No bin shows more types than this. */
#define BINS_TYPES 8

/*
 * Set p's bins and `big' from m, which is merged.  0, or -1 when out of memory.
 */
int bins_make(struct profile *p, const struct mon *m);

/*
 * Read the types of the program's modules first, then of others that chains
 * pass through (used, by number), but not of those that are in every process:
 * as far as they fit one of n sizes.  paths: the file of each module.  *typed
 * gets, by number, whether a module has any, in p's arena.  0, or -1 when out
 * of memory.
 */
int bins_index(struct profile *p, const struct mon *m, const bool *used,
	       const char *const *paths, const uint64_t *sizes, size_t n,
	       const bool **typed);

/*
 * bins_types.c: give the bins the types of the shares that are in them.  After
 * bins_make() and typerows_join().  0, or -1 when out of memory.
 */
int bins_types(struct profile *p, const struct mon *m,
	       const struct sitetypes *t, const struct shares *s);

/*
 * Give the bins, unless all that is in them has types, guesses by size besides.
 * After bins_index().  0, or -1 when out of memory.
 */
int bins_guess(struct profile *p);

#endif
