/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks by size, with the types that are as large. */
#ifndef MEMMON_REDUCE_BINS_H
#define MEMMON_REDUCE_BINS_H

#include "reduce/load.h"
#include "reduce/stages.h"

struct exact;

/* No bin shows more types than this. */
#define BINS_TYPES 8

/*
 * Set p's bins and `big' from m, which is merged.  0, or -1 when out of memory.
 */
int bins_make(struct profile *p, const struct mon *m);

/* bins_exact.c: the class of a size, bytes. */
enum monout_class bins_class(uint64_t size);

/*
 * bins_exact.c: give the bins the exact types of which there are blocks in them
 * for sure.  After bins_make() and exact_find().  0, or -1 when out of memory.
 */
int bins_exact(struct profile *p, const struct mon *m, const struct exact *e);

/*
 * Give the bins, unless all that is in them has exact types, guesses besides:
 * from the program's modules first, then from others
 * that chains pass through (used, by number), but not from those that are in
 * every process.  paths: the file of each module.  0, or -1 when out of memory.
 */
int bins_types(struct profile *p, const struct mon *m, const bool *used,
	       const char *const *paths);

#endif
