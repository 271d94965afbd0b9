/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of a site's allocations: those between which no gap is longer than
 * tau, a share of the run's length.
 */
#ifndef MEMMON_REDUCE_GROUPS_H
#define MEMMON_REDUCE_GROUPS_H

#include "reduce/base/arena.h"
#include "reduce/file/mon.h"
#include "reduce/model/result.h"

/* Of a run's length, when nothing else is asked for. */
#define GROUPS_TAU 0.001

/*
 * A score divides one time by another.  The clock tells the score by chance if
 * the second time has fewer steps than this.
 */
enum { GROUPS_STEPS = 4 };

/*
 * The longest gap within a group, ns: tau (0: GROUPS_TAU) of a run that took
 * `length' ns, but at least a step of its clock, ns.  A gap of exactly that
 * doesn't part groups.
 */
uint64_t groups_gap(double tau, uint64_t length, uint64_t step);

/*
 * Make one of each site's groups, final ones aside, that no gap above `gap'
 * parts; the others become final as they are.  g: n groups in any order; they
 * are then in order of site, those of a site in order of time, in front of
 * them the ones that were final before, as they stood.  Returns how many are
 * left.  O(n log n).
 */
size_t groups_merge(struct mon_group *g, size_t n, uint64_t gap);

/*
 * The sum of lifetimes, of what it would be if every block lived from the first
 * allocation to the last free: 0 to 1, and 1 if there is no time between them.
 */
double groups_score(const struct mon_group *g);

/*
 * Is the score of the group by chance?  It is if the group lasted for less than
 * a few steps of the clock, ns.  A group of one block has 1 by any clock.
 */
bool groups_coarse(const struct mon_group *g, uint64_t step);

/*
 * Groups of several sites, to be those of all their blocks together: they are
 * merged as those of a site are; where there are several runs they stay as they
 * are.
 */
struct groups_gather {
	struct mon_group *v;
	size_t n, room;
	uint64_t groups; /* that are only known by number and sum of scores */
	uint64_t coarse; /* of these */
	uint64_t step;	 /* the longest of the uses */
	double sum;
};

/* Room for so many groups.  0, or -1 when out of memory.  fini in any case. */
int groups_gather_init(struct groups_gather *g, uint64_t most);
void groups_gather_fini(struct groups_gather *g);

/* The groups of a use; NULL: none. */
void groups_gather(struct groups_gather *g, const struct use *u);

/*
 * Those gathered are u's, by number and sum of scores, and are forgotten; with
 * `keep' u->group has them, if they are all known.  0, or -1: out of memory.
 */
int groups_gathered(struct groups_gather *g, struct use *u, struct arena *keep);

/*
 * Set the groups of *to[k] for each k below nkeys: those of the n uses `from'
 * (NULL: none) of key k.  to[k] may be NULL where there is none.  keep: as
 * above.  0, or -1 when out of memory.
 */
int groups_by_key(const struct use *const *from, const uint32_t *key, size_t n,
		  struct use *const *to, size_t nkeys, struct arena *keep);

#endif
