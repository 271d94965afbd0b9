/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge several struct mon into one: leaks, uses, groups and fields. */
#include "reduce/monout/groups.h"
#include "reduce/monout/merge.h"
#include "reduce/monout/use_paths.h"

#include <string.h>

void
merge_leak(struct mon *all, struct mon_site *to, const struct mon *m,
	   const struct mon_site *s)
{
	if (!s->leak)
		return;
	if (!to->leak)
		to->leak = mon_new_leak(all);
	/* At most as much as the sites have allocated, so it fits. */
	leak_add(&all->leaks[to->leak].found, &m->leaks[s->leak].found);
	leak_add(&all->leak, &m->leaks[s->leak].found);
}

/* Add the use of one site of m to that of its site in `all'. */
static void
merge_use(struct mon *all, struct mon_site *to, const struct mon_use *x)
{
	if (!to->use)
		to->use = mon_new_use(all);
	/* The sum of all uses fits, so this does. */
	(void)mon_use_add(&all->uses[to->use], x);
}

/* The length of the run in ns.  If it is lost, a lower bound. */
static uint64_t
merge_length(const struct mon *m)
{
	uint64_t length = m->run[MONOUT_R_LENGTH].number, end;
	size_t i;

	for (i = 0; !m->run[MONOUT_R_LENGTH].set && i < m->ngroups; i++) {
		end = m->groups[i].first + m->groups[i].end;
		if (end > length)
			length = end;
	}
	return length;
}

/*
 * The length of a sum is that of all its runs together, and its groups are all
 * final.
 */
static void
merge_gap(struct merge *g, const struct mon *m, uint64_t gap)
{
	g->sum_seen |= mon_is_sum(m);
	if (g->sum_seen)
		g->gap = 0;
	else if (gap > g->gap)
		g->gap = gap;
}

static void
merge_groups(struct merge *g, const struct mon *m,
	     const struct combine_maps *map)
{
	const struct mon_value *step = &m->run[MONOUT_R_STEP];
	uint64_t gap = groups_gap(g->tau, merge_length(m),
				  step->set ? step->number : MONOUT_STEP);
	struct mon *all = &g->all;
	struct mon_group *a;
	size_t i;

	merge_gap(g, m, gap);
	a = mon_groups_room(all, m->ngroups + 1);
	for (i = 0; i < m->ngroups; i++) {
		a[i] = m->groups[i];
		combine_move_group(&a[i], map);
	}
	i = g->nfiles > 1 ? all->ngroups : 0;
	all->ngroups += groups_merge(a, m->ngroups, gap);
	/*
	 * Times count from the start of each run, so groups of different runs
	 * aren't compared.
	 */
	for (; i < all->ngroups && (g->nfiles || g->sum_seen); i++)
		all->groups[i].gap = 0;
}

/* Append a field without counts, numbered by its place. */
static void
merge_new_field(struct mon *all, const struct mon_field *x)
{
	struct mon_field a = { .site = x->site,
			       .n = x->n,
			       .size = x->size,
			       .counts = all->ncounts };
	size_t n = 2 * (size_t)x->n;
	uint64_t *counts;

	if (all->nfields >= MON_NUMBER_MAX)
		heap_out();
	ARRAY_ROOM(all->counts, all->count_room, all->ncounts + n);
	counts = all->counts;
	memset(counts + all->ncounts, 0, n * sizeof(*counts));
	all->ncounts += n;
	mon_add_field(all, &a);
}

static void
merge_field(struct merge *g, const struct mon *m, struct mon_field x,
	    const struct combine_maps *map)
{
	struct mon *all = &g->all;
	uint32_t fresh = (uint32_t)all->nfields, n;
	struct mon_field *to;
	size_t i;

	combine_move_field(&x, map);
	n = hash_intern(&g->fields, x.site, x.size, 0, fresh);
	if (n == fresh)
		merge_new_field(all, &x);
	to = &all->fields[n];
	to->blocks += x.blocks;
	/* At most the site's reads and writes, so they fit. */
	for (i = 0; i < 2 * (size_t)x.n; i++)
		all->counts[to->counts + i] += m->counts[x.counts + i];
}

void
merge_uses(struct merge *g, const struct mon *m, const struct combine_maps *map)
{
	const struct mon_site *s;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		if (s->path)
			use_paths_join(&g->all, map->sites[i],
				       map->sites[s->path - 1]);
		if (s->use)
			merge_use(&g->all, &g->all.sites[map->sites[i]],
				  &m->uses[s->use]);
	}
	merge_groups(g, m, map);
	for (i = 0; i < m->nfields; i++) {
		merge_field(g, m, m->fields[i], map);
	}
}
