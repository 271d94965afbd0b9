/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of a site's allocations. */
#include "reduce/groups.h"

#include <stdlib.h>

/* A tau is taken in units of this, so that decimal fractions are exact. */
#define GROUPS_UNIT 1e12

/* Above that every gap is short enough. */
#define GROUPS_TAU_MAX 1e6

uint64_t
groups_gap(double tau, uint64_t length)
{
	unsigned __int128 gap;

	if (!(tau > 0))
		tau = GROUPS_TAU;
	if (tau > GROUPS_TAU_MAX)
		return UINT64_MAX;
	gap = (unsigned __int128)(tau * GROUPS_UNIT + 0.5) * length;
	gap /= (uint64_t)GROUPS_UNIT;
	/* Two steps of the clock in a row may be the same time. */
	if (gap < MONOUT_STEP)
		gap = MONOUT_STEP;
	return gap > UINT64_MAX ? UINT64_MAX : (uint64_t)gap;
}

/* Those that are final first, as they stand; then by site and time. */
static int
groups_compare(const void *a, const void *b)
{
	const struct mon_group *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->last != y->last)
		return x->last < y->last ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	if (x->blocks != y->blocks)
		return x->blocks < y->blocks ? -1 : 1;
	return x->life < y->life ? -1 : x->life > y->life;
}

/* Put the final ones in front, in their order; returns how many. */
static size_t
groups_part(struct mon_group *g, size_t n)
{
	struct mon_group swap;
	size_t i, done = 0;

	for (i = 0; i < n; i++) {
		if (!g[i].final)
			continue;
		swap = g[done];
		g[done++] = g[i];
		g[i] = swap;
	}
	return done;
}

/* to += x, which starts no earlier. */
static void
groups_unite(struct mon_group *to, const struct mon_group *x)
{
	uint64_t later = x->first - to->first;

	if (x->last + later > to->last)
		to->last = x->last + later;
	if (x->end + later > to->end)
		to->end = x->end + later;
	to->blocks += x->blocks;
	to->life = groups_add(to->life, x->life);
}

size_t
groups_merge(struct mon_group *g, size_t n, uint64_t gap)
{
	size_t done = groups_part(g, n), i;
	struct mon_group *to = NULL;

	if (done < n)
		qsort(g + done, n - done, sizeof(*g), groups_compare);
	for (i = done; i < n; i++) {
		if (to && to->site == g[i].site &&
		    (g[i].first <= to->first + to->last ||
		     g[i].first - (to->first + to->last) <= gap)) {
			groups_unite(to, &g[i]);
			continue;
		}
		to = &g[done++];
		*to = g[i];
		to->final = true;
	}
	return done;
}

double
groups_score(const struct mon_group *g)
{
	double most = (double)g->blocks * (double)g->end, score;

	if (!(most > 0))
		return 1;
	score = (double)g->life / most;
	return score < 1 ? score : 1;
}
