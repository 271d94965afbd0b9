/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of a site's allocations.  Within a group, no gap between allocations
 * is longer than tau, a share of the run's length.
 */
#ifndef MEMMON_REDUCE_GROUPS_H
#define MEMMON_REDUCE_GROUPS_H

#include "reduce/base/arena.h"
#include "reduce/monout/mon.h"
#include "reduce/model/result.h"

/* The usual tau, as a share of the run's length. */
#define GROUPS_TAU 0.001

/*
 * A score divides one time by another.  If the second time has fewer steps of
 * the clock than this, the score is accidental.
 */
enum { GROUPS_STEPS = 4 };

/*
 * The longest gap within a group, in ns: tau times `length', the length of the
 * run in ns, but at least step, a step of its clock in ns.  If tau is 0,
 * GROUPS_TAU is used.  A gap of exactly this length doesn't separate groups.
 */
uint64_t groups_gap(double tau, uint64_t length, uint64_t step);

/*
 * Merge the groups of each site that no gap longer than `gap' separates.  Final
 * groups aren't merged; the others become final.  g: n groups in any order.
 * Afterwards the groups that were final before come first, in their order, then
 * the others by site and time.  Returns how many are left.  O(n log n).
 */
size_t groups_merge(struct mon_group *g, size_t n, uint64_t gap);

/*
 * The sum of lifetimes, divided by the sum that there would be if every block
 * lived from the first allocation to the last free: 0 to 1.  It is 1 if these
 * are at the same time.
 */
double groups_score(const struct mon_group *g);

/*
 * Is the score of the group accidental?  It is if the group lasted for less
 * than a few steps of the clock; step is in ns.  A group of one block has the
 * score 1 with any clock.
 */
bool groups_coarse(const struct mon_group *g, uint64_t step);

/*
 * Collects the groups of several sites, to make the groups of all their blocks
 * together.  They are merged like those of one site.  The groups of several
 * runs stay separate.
 */
struct groups_gather {
	struct mon_group *v;
	size_t n, room;
	uint64_t groups; /* groups known only by number and sum of scores */
	uint64_t coarse; /* how many of them are coarse */
	uint64_t step;	 /* the longest step of the uses */
	double sum;
};

/* Set up room for `most' groups.  Call groups_gather_fini() in any case. */
void groups_gather_init(struct groups_gather *g, uint64_t most);
void groups_gather_fini(struct groups_gather *g);

/* Add the groups of a use.  u may be NULL, which has no groups. */
void groups_gather(struct groups_gather *g, const struct use *u);

/*
 * Set the number and the sum of scores of u's groups to those of the collected
 * groups, and forget these.  With `keep', u->group gets the groups, allocated
 * there, if all are known.
 */
void groups_gathered(struct groups_gather *g, struct use *u,
		     struct arena *keep);

/*
 * Set the groups of *to[k] for each k below nkeys: those of the n uses `from'
 * whose key is k.  from[i] may be NULL.  to[k] may be NULL if no use has the
 * key k.  keep: as above.
 */
void groups_by_key(const struct use *const *from, const uint32_t *key, size_t n,
		   struct use *const *to, size_t nkeys, struct arena *keep);

#endif
