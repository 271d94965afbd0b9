/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact types of the bins.  A site has counts by size class, not by size; of
 * what size its blocks were is sure only where accesses were recorded by size,
 * or where the counts leave no choice.
 */
#include "reduce/bins.h"
#include "reduce/exact.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* So many allocations of one size were of that type. */
struct bins_fact {
	uint64_t size;
	uint32_t type; /* place in exact.types */
	uint64_t allocs;
};

struct bins_facts {
	const struct mon *mon;
	const struct exact *exact;
	/* Least and largest size that there is of each class; least 1 and
	 * largest 0 where that isn't known. */
	uint64_t least[PROFILE_NCLASS], largest[PROFILE_NCLASS];
	struct bins_fact *v;
	size_t n, room;
};

enum monout_class
bins_class(uint64_t size)
{
	return size <= MONOUT_SMALL_MAX	   ? MONOUT_SMALL
	       : size <= MONOUT_MEDIUM_MAX ? MONOUT_MEDIUM
	       : size <= MONOUT_LARGE_MAX  ? MONOUT_LARGE
					   : MONOUT_XLARGE;
}

/* What sizes there are, ascending in the bins. */
static void
bins_sizes(struct bins_facts *f, const struct profile *p)
{
	size_t i;
	int c;

	for (c = 0; c < PROFILE_NCLASS; c++)
		f->least[c] = 1;
	if (p->incomplete)
		return;
	for (i = 0; i < p->nbins; i++) {
		c = (int)bins_class(p->bins[i].size);
		/* Above that some sizes have no bin. */
		if (p->big.allocs && c >= (int)bins_class(MONOUT_BIN_MAX))
			break;
		if (f->largest[c] < f->least[c])
			f->least[c] = p->bins[i].size;
		f->largest[c] = p->bins[i].size;
	}
	for (c = 0; c < PROFILE_NCLASS; c++) {
		if (!p->unsized[c].allocs)
			continue;
		f->least[c] = 1;
		f->largest[c] = 0;
	}
}

/*
 * The size of all of a site's blocks of a class, if the counts leave no choice:
 * there is one block, or their mean is the least or the largest size that there
 * is.  0: not known.
 */
static uint64_t
bins_only(const struct bins_facts *f, const struct counts *n, int c)
{
	uint64_t allocs = n->allocs[c], size;

	if (!allocs || n->bytes[c] % allocs)
		return 0;
	size = n->bytes[c] / allocs;
	if (allocs == 1 || (f->least[c] <= f->largest[c] &&
			    (size == f->least[c] || size == f->largest[c])))
		return size;
	return 0;
}

static int
bins_add(struct bins_facts *f, uint64_t size, uint32_t type, uint64_t allocs)
{
	struct bins_fact *v = array_grow(f->v, &f->room, f->n + 1, sizeof(*v));

	if (!v)
		return -1;
	f->v = v;
	v[f->n++] = (struct bins_fact){ size, type, allocs };
	return 0;
}

static int
bins_collect(struct bins_facts *f)
{
	const struct mon *m = f->mon;
	const uint32_t *type = f->exact->of_site;
	const struct mon_field *x;
	uint64_t size;
	size_t i;
	int c;

	for (i = 0; i < m->nsites; i++) {
		for (c = 0; c < PROFILE_NCLASS && type[i] < f->exact->n; c++) {
			size = bins_only(f, &m->sites[i].count, c);
			if (size && bins_add(f, size, type[i],
					     m->sites[i].count.allocs[c]))
				return -1;
		}
	}
	for (i = 0; i < m->nfields; i++) {
		x = &m->fields[i];
		if (type[x->site] >= f->exact->n ||
		    bins_only(f, &m->sites[x->site].count,
			      (int)bins_class(x->size)))
			continue;
		if (bins_add(f, x->size, type[x->site], x->blocks))
			return -1;
	}
	return 0;
}

static int
bins_by_type(const void *a, const void *b)
{
	const struct bins_fact *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->type < y->type ? -1 : x->type > y->type;
}

/* The most allocations first; types are numbered as they were found. */
static int
bins_by_allocs(const void *a, const void *b)
{
	const struct bins_fact *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	if (x->allocs != y->allocs)
		return x->allocs > y->allocs ? -1 : 1;
	return x->type < y->type ? -1 : x->type > y->type;
}

/* Leave one fact of each size and type. */
static void
bins_sort(struct bins_facts *f)
{
	size_t i, n = 0;

	if (!f->n)
		return;
	qsort(f->v, f->n, sizeof(*f->v), bins_by_type);
	for (i = 1; i < f->n; i++) {
		if (bins_by_type(&f->v[n], &f->v[i]))
			f->v[++n] = f->v[i];
		else
			f->v[n].allocs += f->v[i].allocs;
	}
	f->n = n + 1;
	qsort(f->v, f->n, sizeof(*f->v), bins_by_allocs);
}

/* "T", or "T[k]" for a block of several. */
static const char *
bins_name(struct arena *a, const struct exact_type *t, uint64_t size)
{
	if (!t->size || size <= t->size || size % t->size)
		return t->name;
	return arena_print(a, "%s[%" PRIu64 "]", t->name, size / t->size);
}

/* Give a bin its types: n facts of its size.  0, or -1. */
static int
bins_give(struct profile *p, struct bin *b, const struct bins_facts *f,
	  const struct bins_fact *v, size_t n)
{
	struct arena *a = &p->priv->arena;
	uint64_t allocs = 0;
	size_t i;

	b->ntypes = n < BINS_TYPES ? n : BINS_TYPES;
	b->types = arena_array(a, b->ntypes, sizeof(*b->types));
	if (!b->types)
		return -1;
	for (i = 0; i < n; i++) {
		allocs += v[i].allocs;
		if (i >= b->ntypes)
			continue;
		b->types[i].mark = '=';
		b->types[i].name =
			bins_name(a, &f->exact->types[v[i].type], b->size);
		if (!b->types[i].name)
			return -1;
	}
	p->priv->bin_exact[b - p->bins] = allocs >= b->allocs;
	return 0;
}

static int
bins_exact_all(struct profile *p, struct bins_facts *f)
{
	size_t i, k = 0, first;

	p->priv->bin_exact = arena_array(&p->priv->arena, p->nbins,
					 sizeof(*p->priv->bin_exact));
	if (!p->priv->bin_exact || bins_collect(f))
		return -1;
	bins_sort(f);
	for (i = 0; i < p->nbins; i++) {
		while (k < f->n && f->v[k].size < p->bins[i].size)
			k++;
		for (first = k; k < f->n && f->v[k].size == p->bins[i].size;)
			k++;
		if (k > first &&
		    bins_give(p, &p->bins[i], f, f->v + first, k - first))
			return -1;
	}
	return 0;
}

int
bins_exact(struct profile *p, const struct mon *m, const struct exact *e)
{
	struct bins_facts f = { .mon = m, .exact = e };
	int status = 0;

	bins_sizes(&f, p);
	if (e->n)
		status = bins_exact_all(p, &f);
	free(f.v);
	return status;
}
