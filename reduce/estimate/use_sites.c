/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How blocks were used: by site of the data file, and of the profile. */
#include "reduce/estimate/use.h"
#include "reduce/base/sort.h"
#include "reduce/base/clean.h"
#include "reduce/monout/groups.h"
#include "reduce/monout/use_paths.h"
#include "reduce/model/counts.h"
#include "reduce/estimate/scores.h"

#include <math.h>
#include <stdlib.h>

double
use_variance(uint64_t n)
{
	return n < UINT64_MAX ? (double)n * MONOUT_ACCESS_VARIANCE : INFINITY;
}

static void
use_set(struct use *u, const struct mon_use *x)
{
	int i;

	*u = (struct use){
		.blocks = x->blocks,
		.bytes = x->bytes,
		.handed_blocks = x->handed,
		.handed_bytes = x->handed_bytes,
		.reads = x->reads,
		.writes = x->writes,
		.span = x->span,
		.cover = x->cover,
		.span_used = x->span_used,
		.cover_used = x->cover_used,
		.useful = ldexp((double)x->useful, -MONOUT_USEFUL_BITS),
		.life = x->life,
		.var[PROFILE_UE_READS] = use_variance(x->errors[0]),
		.var[PROFILE_UE_WRITES] = use_variance(x->errors[1]),
	};
	for (i = 0; i < MONOUT_NFLAG; i++) {
		u->flag_blocks[i] = x->flag[i].blocks;
		u->flag_bytes[i] = x->flag[i].bytes;
	}
}

/*
 * Set the groups of a use.  If they are lost, the use gets no scores.  Samples
 * are without groups, and so is a sum that contains samples.
 */
static void
use_groups(struct use *u, const struct mon_group *g, size_t n, bool sampled,
	   uint64_t step)
{
	size_t i;

	u->step = step;
	u->sampled = sampled;
	if (sampled)
		return;
	if (!n) {
		*u = (struct use){ 0 };
		return;
	}
	u->group = g;
	u->groups = n;
	for (i = 0; i < n; i++) {
		u->group_sum += groups_score(&g[i]);
		u->coarse += groups_coarse(&g[i], step);
	}
}

/*
 * Set uses and groups by the first site of each path.  start: room for n + 2
 * numbers, all 0.
 */
static void
use_by_path(const struct mon *m, const uint32_t *first, struct use *uses,
	    struct mon_group *groups, size_t *start)
{
	struct use one;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		if (!m->sites[i].use)
			continue;
		use_set(&one, &m->uses[m->sites[i].use]);
		use_add(&uses[first[i]], &one);
	}
	SORT_NUMBERED(groups, m->groups[i], first[m->groups[i].site], i,
		      m->ngroups, start, m->nsites);
	for (i = 0; i < m->nsites; i++)
		use_groups(&uses[i], groups + start[i], start[i + 1] - start[i],
			   m->sample.rate != 0, m->run[MONOUT_R_STEP].number);
}

void
use_of_sites(const struct mon *m, struct use **uses, struct mon_group **groups,
	     uint32_t **first)
{
	size_t *start;

	*uses = NULL;
	*groups = NULL;
	*first = NULL;
	if (!m->uses_known)
		return;
	*uses = heap_array(m->nsites + 1, sizeof(**uses));
	*groups = heap_array(m->ngroups + 1, sizeof(**groups));
	*first = use_paths(m);
	start = heap_array(m->nsites + 2, sizeof(*start));
	use_by_path(m, *first, *uses, *groups, start);
	free(start);
}

/* Copy the reason that the runs give into the profile's own memory. */
static void
use_why(struct profile *p, const struct mon *m)
{
	const struct mon_value *why = &m->run[MONOUT_R_WHY];

	p->uses_why = "";
	if (!why->set || !why->text)
		return;
	p->uses_why = clean_name(&p->priv->arena, why->text);
}

/* The first of the profile's sites that share a use with the site. */
static uint32_t
use_head(uint32_t *head, uint32_t site)
{
	while (head[site] != site)
		site = head[site] = head[head[site]];
	return site;
}

/*
 * Join the sites of the profile that contain sites of one partial path: they
 * share a use.  first: for each site of the data file, the first site of its
 * path.  head: gets the first site of each joined set.
 */
static void
use_join(const struct profile *p, const struct mon *m, const struct use *x,
	 const uint32_t *first, uint32_t *head)
{
	const uint32_t *of = p->priv->site_of;
	uint32_t a, b;
	size_t i;

	for (i = 0; i < p->nsites; i++)
		head[i] = (uint32_t)i;
	for (i = 0; i < m->nsites; i++) {
		if (!x[first[i]].blocks)
			continue;
		a = use_head(head, of[i]);
		b = use_head(head, of[first[i]]);
		head[a < b ? b : a] = a < b ? a : b;
	}
	for (i = 0; i < p->nsites; i++)
		head[i] = use_head(head, (uint32_t)i);
}

/*
 * Add up the uses of sites that share a use; key[] gets the first of these
 * sites.
 */
static void
use_sites(struct profile *p, const struct mon *m, const struct use *x,
	  const uint32_t *head, const struct use **from, uint32_t *key)
{
	struct site *s;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		if (!x[i].blocks)
			continue;
		key[i] = head[p->priv->site_of[i]];
		s = &p->sites[key[i]];
		if (!s->use)
			s->use = arena_alloc(&p->priv->arena, sizeof(*s->use));
		use_add((struct use *)s->use, &x[i]);
		((struct use *)s->use)->first = s;
		from[i] = &x[i];
	}
	for (i = 0; i < p->nsites; i++) {
		struct use *u = (struct use *)p->sites[head[i]].use;
		const double *var = p->sites[i].count.var;

		p->sites[i].use = u;
		if (!u)
			continue;
		u->var[PROFILE_UE_BLOCKS] += var[PROFILE_E_ALLOCS];
		u->var[PROFILE_UE_BYTES] += var[PROFILE_E_BYTES];
	}
}

void
use_make(struct profile *p, const struct mon *m, const struct use *x,
	 const uint32_t *first)
{
	const struct use **from;
	uint32_t *head, *key;
	struct use **to;
	size_t i;

	use_why(p, m);
	if (!x)
		return;
	for (i = 0; i < m->ngroups; i++)
		p->groups_apart |= !m->groups[i].gap;
	from = heap_array(m->nsites + 1, sizeof(*from));
	key = heap_array(m->nsites + 1, sizeof(*key));
	head = heap_array(p->nsites + 1, sizeof(*head));
	to = heap_array(p->nsites + 1, sizeof(*to));
	use_join(p, m, x, first, head);
	use_sites(p, m, x, head, from, key);
	for (i = 0; i < p->nsites; i++)
		to[i] = (struct use *)profile_use_once(&p->sites[i]);
	groups_by_key(from, key, m->nsites, to, p->nsites, &p->priv->arena);
	free(from);
	free(key);
	free(head);
	free(to);
}
