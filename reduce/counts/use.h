/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How blocks were used: by site, and the scores of the whole program. */
#ifndef MEMMON_REDUCE_USE_H
#define MEMMON_REDUCE_USE_H

#include "reduce/file/mon.h"
#include "reduce/model/stages.h"

/* Scores below it count as it where a geometric mean is taken. */
#define USE_FLOOR 0.01

/* Of steps from fine to the worst. */
enum { USE_STEPS = 12 };

/* The variance that stands for n in USE_ERRORS. */
double use_variance(uint64_t n);

/*
 * Some accesses of its blocks may not be known: they count as those that
 * unrecorded code got, and have none of the flags that need all accesses.
 */
void use_hand_all(struct use *u);

/*
 * *uses gets the uses of m's sites, by their place there, with the scores of
 * their groups, which are in *groups; those without blocks, or whose groups are
 * lost, are all 0.  The use of a partial path is that of its first site, which
 * *first has for each (use_paths.h).  All are to be freed; NULL where accesses
 * aren't known.  m is merged.  0, or -1 when out of memory.
 */
int use_of_sites(const struct mon *m, struct use **uses,
		 struct mon_group **groups, uint32_t **first);

/*
 * If p has no uses, set why; else each site's use from x and first, which are
 * of m's sites (use_of_sites()), or NULL.  After chains_build().  0, or -1 when
 * out of memory.
 */
int use_make(struct profile *p, const struct mon *m, const struct use *x,
	     const uint32_t *first);

/*
 * Set the groups of functions, the flags of whole sites, and the scores of the
 * program.  Last of all: no sums over sites have those flags.  0, or -1 when
 * out of memory.
 */
int use_finish(struct profile *p);

#endif
