/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks by size, with the types of this size. */
#ifndef MEMMON_REDUCE_BINS_H
#define MEMMON_REDUCE_BINS_H

#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"

struct shares;
struct sitetypes;

/* The most types of a bin. */
#define BINS_TYPES 8

/* Set p's bins and `big' from m, which is merged. */
void bins_make(struct profile *p, const struct mon *m);

/*
 * Read the types of modules that fit one of n sizes: of the program first, then
 * of other modules that call paths contain (used, by number), without those
 * that are in every process.  paths: the file of each module.  *typed, in p's
 * arena, gets by number whether a module has types.
 */
void bins_index(struct profile *p, const struct mon *m, const bool *used,
		const char *const *paths, const uint64_t *sizes, size_t n,
		const bool **typed);

/*
 * bins_types.c: give the bins the types of their shares.  Call it after
 * bins_make() and typerows_join().
 */
void bins_types(struct profile *p, const struct mon *m,
		const struct sitetypes *t, const struct shares *s);

/*
 * bins_guess.c: add types by size as guesses, except to bins whose blocks all
 * have types.  Only the libraries that allocated blocks of the bin are asked.
 * Call it after bins_index() and bins_types().
 */
void bins_guess(struct profile *p, const struct mon *m,
		const struct sitetypes *t, const struct shares *s);

#endif
