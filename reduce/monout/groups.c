/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of a site's allocations. */
#include "reduce/monout/groups.h"
#include "reduce/base/sort.h"
#include "reduce/model/counts.h"

#include <stdlib.h>
#include <string.h>

/*
 * A tau is counted in units of 1 / GROUPS_UNIT, so that decimal fractions are
 * exact.
 */
#define GROUPS_UNIT 1e12

/* With a larger tau, no gap separates groups. */
#define GROUPS_TAU_MAX 1e6

uint64_t
groups_gap(double tau, uint64_t length, uint64_t step)
{
	unsigned __int128 gap;

	if (!(tau > 0))
		tau = GROUPS_TAU;
	if (tau > GROUPS_TAU_MAX)
		return UINT64_MAX;
	gap = (unsigned __int128)(tau * GROUPS_UNIT + 0.5) * length;
	gap /= (uint64_t)GROUPS_UNIT;
	/* Two successive steps of the clock may mean the same time. */
	if (gap < step)
		gap = step;
	return gap > UINT64_MAX ? UINT64_MAX : (uint64_t)gap;
}

/* By site and time. */
SORT_BY(groups_compare, struct mon_group,
	SORT_UP(site) SORT_UP(first) SORT_UP(last) SORT_UP(end) SORT_UP(blocks)
		SORT_UP(life))

/*
 * Move the final groups to the front, in their order.  Returns how many there
 * are.
 */
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

/* to += x; x doesn't start before `to'. */
static void
groups_unite(struct mon_group *to, const struct mon_group *x)
{
	uint64_t later = x->first - to->first;

	if (x->last + later > to->last)
		to->last = x->last + later;
	if (x->end + later > to->end)
		to->end = x->end + later;
	to->blocks += x->blocks;
	to->life = counts_capped(to->life, x->life);
}

/* Does x, which doesn't start before `to', belong to the group? */
static bool
groups_near(const struct mon_group *to, const struct mon_group *x)
{
	return to->site == x->site &&
	       (x->first <= to->first + to->last ||
		x->first - (to->first + to->last) <= to->gap);
}

/*
 * Merge groups that are near, among n groups that aren't final.  Returns how
 * many are left.
 */
static size_t
groups_join(struct mon_group *g, size_t n)
{
	struct mon_group *to = NULL;
	size_t i, done = 0;

	SORT(g, n, groups_compare);
	for (i = 0; i < n; i++) {
		if (to && groups_near(to, &g[i])) {
			groups_unite(to, &g[i]);
			continue;
		}
		to = &g[done++];
		*to = g[i];
		to->final = true;
	}
	return done;
}

size_t
groups_merge(struct mon_group *g, size_t n, uint64_t gap)
{
	size_t done = groups_part(g, n), i;

	for (i = done; i < n; i++)
		g[i].gap = gap;
	return done + groups_join(g + done, n - done);
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

bool
groups_coarse(const struct mon_group *g, uint64_t step)
{
	return g->blocks > 1 && g->end / GROUPS_STEPS < step;
}

/* ------------------------------------------------------ of several sites -- */

void
groups_gather_init(struct groups_gather *g, uint64_t most)
{
	*g = (struct groups_gather){ .room = most };
	g->v = heap_array(most + 1, sizeof(*g->v));
}

void
groups_gather_fini(struct groups_gather *g)
{
	free(g->v);
	*g = (struct groups_gather){ 0 };
}

void
groups_gather(struct groups_gather *g, const struct use *u)
{
	size_t i, n = u && u->group ? u->groups : 0;

	if (u && g->step < u->step)
		g->step = u->step;
	if (u && !u->group) {
		g->groups += u->groups;
		g->coarse += u->coarse;
		g->sum += u->group_sum;
	}
	for (i = 0; i < n && g->n < g->room; i++) {
		g->v[g->n] = u->group[i];
		g->v[g->n++].site = 0;
	}
}

void
groups_gathered(struct groups_gather *g, struct use *u, struct arena *keep)
{
	struct mon_group *v = NULL;
	size_t done, i;

	for (i = 0; i < g->n; i++)
		g->v[i].final = !g->v[i].gap;
	done = groups_part(g->v, g->n);
	done += groups_join(g->v + done, g->n - done);
	for (i = 0; i < done; i++) {
		g->sum += groups_score(&g->v[i]);
		g->coarse += groups_coarse(&g->v[i], g->step);
	}
	u->groups = g->groups + done;
	u->coarse = g->coarse;
	u->group_sum = g->sum;
	if (keep && done && !g->groups) {
		v = arena_array(keep, done, sizeof(*v));
		memcpy(v, g->v, done * sizeof(*v));
	}
	u->group = v;
	g->n = 0;
	g->groups = 0;
	g->coarse = 0;
	g->step = 0;
	g->sum = 0;
}

void
groups_by_key(const struct use *const *from, const uint32_t *key, size_t n,
	      struct use *const *to, size_t nkeys, struct arena *keep)
{
	/* A missing use gets the key behind the last one. */
	size_t *start = heap_array(nkeys + 3, sizeof(*start)), i, k;
	size_t *order = heap_array(n + 1, sizeof(*order));
	struct groups_gather g;
	uint64_t most = 0;

	for (i = 0; i < n; i++)
		most += from[i] && from[i]->group ? from[i]->groups : 0;
	groups_gather_init(&g, most);
	SORT_NUMBERED(order, i, from[i] ? key[i] : nkeys, i, n, start,
		      nkeys + 1);
	for (k = 0; k < nkeys; k++) {
		for (i = start[k]; i < start[k + 1]; i++)
			groups_gather(&g, from[order[i]]);
		if (to[k])
			groups_gathered(&g, to[k], keep);
	}
	groups_gather_fini(&g);
	free(order);
	free(start);
}
