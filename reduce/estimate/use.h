/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How blocks were used: by site, and the scores of the whole program. */
#ifndef MEMMON_REDUCE_USE_H
#define MEMMON_REDUCE_USE_H

#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"

/*
 * The least value of a score in a geometric mean; lower scores count as this.
 */
#define USE_FLOOR 0.01

/* The number of steps from fine to the worst. */
enum { USE_STEPS = 12 };

/* The variance for the count n of USE_ERRORS. */
double use_variance(uint64_t n);

/*
 * Treat all blocks of a use as passed to unrecorded code, because some of their
 * accesses may be missing.  The flags that need all accesses are cleared.
 */
void use_hand_all(struct use *u);

/*
 * *uses gets the uses of m's sites, in the order of the sites, with the scores
 * of their groups; *groups gets the groups.  A use is all 0 if it has no blocks
 * or its groups are lost.  The sites of a partial path share the use of the
 * path's first site, and *first gets that site for each site (use_paths.h).
 * The caller frees all three; they are NULL if accesses are unknown.  m must be
 * merged.
 */
void use_of_sites(const struct mon *m, struct use **uses,
		  struct mon_group **groups, uint32_t **first);

/*
 * Set each site's use in p from x and first, which use_of_sites() made for m's
 * sites.  If x is NULL, set only the reason why p has no uses.  Call this after
 * chains_build().
 */
void use_make(struct profile *p, const struct mon *m, const struct use *x,
	      const uint32_t *first);

/*
 * Set the groups of functions, the flags of whole sites, and the scores of the
 * program.  Call this last, because sums over sites don't get these flags.
 */
void use_finish(struct profile *p);

#endif
