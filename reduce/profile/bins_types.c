/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types of the bins, from the shares.  In a file without cells, a site has
 * counts by size class, not by size.  Then the sizes of its blocks are sure
 * only if accesses were recorded by size, or if the counts allow only one size.
 */
#include "reduce/profile/bins.h"
#include "reduce/base/sort.h"
#include "reduce/types/sitetypes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The number of allocations of one size and type. */
struct bins_fact {
	uint64_t size;
	uint32_t type; /* index in sitetypes.types */
	char mark;
	uint64_t allocs;
};

struct bins_facts {
	const struct mon *mon;
	const struct sitetypes *types;
	const struct shares *shares;
	struct bins_fact *v;
	size_t n, room;
};

static void
bins_add(struct bins_facts *f, uint64_t size, const struct share *of,
	 uint64_t allocs)
{
	/* Types that only fit by size are found later, by bins_guess(). */
	if (of->type == SHARES_NONE || of->mark == '?' || !allocs)
		return;
	ARRAY_ADD(f->v, f->room, f->n,
		  (struct bins_fact){ size, of->type, of->mark, allocs });
}

/* The site's share of several sizes in this class; NULL: none. */
static const struct share *
bins_class(const struct bins_facts *f, uint32_t site, enum monout_class class)
{
	const struct shares *s = f->shares;
	size_t i;

	for (i = s->first[site]; i < s->first[site + 1]; i++) {
		if (s->v[i].any && s->v[i].allocs &&
		    counts_class(s->v[i].bytes / s->v[i].allocs) == class)
			return &s->v[i];
	}
	return NULL;
}

static void
bins_collect(struct bins_facts *f)
{
	const struct mon *m = f->mon;
	const struct share *s;
	const struct mon_field *x;
	size_t i;

	for (i = 0; i < f->shares->n; i++) {
		s = &f->shares->v[i];
		if (!s->any)
			bins_add(f, s->size, s, s->allocs);
	}
	for (i = 0; i < m->nfields && !m->cells_known; i++) {
		x = &m->fields[i];
		s = bins_class(f, x->site, counts_class(x->size));
		if (s)
			bins_add(f, x->size, s, x->blocks);
	}
}

/* Exact types first: '=' comes before '~', and there is no '?' here. */
SORT_BY(bins_by_type, struct bins_fact,
	SORT_UP(size) SORT_UP(type) SORT_UP(mark))

/* The most allocations first; types are numbered in the order of finding. */
SORT_BY(bins_by_allocs, struct bins_fact,
	SORT_UP(size) SORT_UP(mark) SORT_DOWN(allocs) SORT_UP(type))

static void
bins_join(struct bins_fact *to, const struct bins_fact *x)
{
	to->allocs += x->allocs;
}

/* "T", or "T[k]" for a block of k elements. */
static const char *
bins_name(struct arena *a, const struct sitetype *t, uint64_t size)
{
	if (!t->size || size <= t->size || size % t->size)
		return t->name;
	return arena_print(a, "%s[%" PRIu64 "]", t->name, size / t->size);
}

/* Give a bin its types: n facts of its size. */
static void
bins_give(struct profile *p, struct bin *b, const struct bins_facts *f,
	  const struct bins_fact *v, size_t n)
{
	struct arena *a = &p->priv->arena;
	uint64_t allocs = 0;
	size_t i;

	b->ntypes = n < BINS_TYPES ? n : BINS_TYPES;
	b->types = arena_array(a, b->ntypes, sizeof(*b->types));
	for (i = 0; i < n; i++) {
		allocs += v[i].allocs;
		if (i >= b->ntypes)
			continue;
		b->types[i].mark = v[i].mark;
		b->types[i].name =
			bins_name(a, &f->types->types[v[i].type], b->size);
	}
	p->priv->bin_typed[b - p->bins] = allocs >= b->allocs;
}

static void
bins_all(struct profile *p, struct bins_facts *f)
{
	size_t i, k = 0, first;

	p->priv->bin_typed = arena_array(&p->priv->arena, p->nbins,
					 sizeof(*p->priv->bin_typed));
	bins_collect(f);
	SORT_ONCE(f->v, f->n, bins_by_type, bins_join);
	SORT(f->v, f->n, bins_by_allocs);
	for (i = 0; i < p->nbins; i++) {
		while (k < f->n && f->v[k].size < p->bins[i].size)
			k++;
		for (first = k; k < f->n && f->v[k].size == p->bins[i].size;)
			k++;
		if (k > first)
			bins_give(p, &p->bins[i], f, f->v + first, k - first);
	}
}

void
bins_types(struct profile *p, const struct mon *m, const struct sitetypes *t,
	   const struct shares *s)
{
	struct bins_facts f = { .mon = m, .types = t, .shares = s };

	if (t->n)
		bins_all(p, &f);
	free(f.v);
}
