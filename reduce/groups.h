/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of a site's allocations: those between which no gap is longer than
 * tau, a share of the run's length.
 */
#ifndef MEMMON_REDUCE_GROUPS_H
#define MEMMON_REDUCE_GROUPS_H

#include "reduce/load.h"

/* Of a run's length, when nothing else is asked for. */
#define GROUPS_TAU 0.001

/*
 * The longest gap within a group, ns: tau (0: GROUPS_TAU) of a run that took
 * `length' ns, but at least MONOUT_STEP.  A gap of exactly that doesn't part
 * groups.
 */
uint64_t groups_gap(double tau, uint64_t length);

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

/* a + b, or UINT64_MAX when that is too large: for sums of lifetimes. */
static inline uint64_t
groups_add(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

#endif
