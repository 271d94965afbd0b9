/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks by size, with the types that are as large. */
#include "reduce/profile/bins.h"
#include "reduce/base/names.h"
#include "reduce/base/sort.h"
#include "reduce/objects/modules.h"
#include "reduce/types/types.h"

#include <stdlib.h>
#include <string.h>

SORT_BY(bins_compare, struct bin, SORT_UP(size))

int
bins_make(struct profile *p, const struct mon *m)
{
	struct bin *b = arena_array(&p->priv->arena, m->nbins, sizeof(*b));
	size_t i;

	if (!b)
		return -1;
	for (i = 0; i < m->nbins; i++) {
		if (!m->bins[i].allocs)
			continue;
		b[p->nbins++] = (struct bin){
			.size = m->bins[i].size,
			.allocs = m->bins[i].allocs,
			.frees = m->bins[i].frees,
		};
		memcpy(b[p->nbins - 1].var, m->bins[i].var, sizeof(b->var));
	}
	SORT(b, p->nbins, bins_compare);
	p->bins = b;
	for (i = 0; i < m->ncells; i++)
		if (m->cells[i].any)
			p->classed += m->cells[i].allocs;
	p->big = *mon_big(m);
	return 0;
}

/* Is a type of that name among those that the bin has? */
static bool
bins_has(const struct bin *b, const char *name)
{
	size_t i;

	for (i = 0; i < b->ntypes; i++) {
		if (!strcmp(names_type_bare(b->types[i].name),
			    names_type_bare(name)))
			return true;
	}
	return false;
}

/* Find types for one bin, besides those that it has. */
static int
bins_type(struct profile *p, struct bin *b)
{
	const char *names[BINS_TYPES];
	struct bin_type *types;
	size_t n, i;

	n = types_find(p->priv->types, b->size, names, BINS_TYPES);
	if (!n)
		return 0;
	types = arena_array(&p->priv->arena, BINS_TYPES, sizeof(*types));
	if (!types)
		return -1;
	for (i = 0; i < b->ntypes; i++)
		types[i] = b->types[i];
	b->types = types;
	for (i = 0; i < n && b->ntypes < BINS_TYPES; i++) {
		if (!bins_has(b, names[i]))
			types[b->ntypes++] = (struct bin_type){ names[i], '?' };
	}
	return 0;
}

int
bins_index(struct profile *p, const struct mon *m, const bool *used,
	   const char *const *paths, const uint64_t *sizes, size_t n,
	   const bool **typed)
{
	const struct mon_module *o;
	bool *has;
	size_t i;
	int turn;

	p->priv->types = types_new(&p->priv->progress);
	*typed = has = arena_alloc(&p->priv->arena, m->nmodules + 1);
	if (!p->priv->types || !has || types_want(p->priv->types, sizes, n))
		return -1;
	for (turn = 0; turn < 2; turn++) {
		for (i = 1; i < m->nmodules; i++) {
			o = &m->modules[i];
			if (turn == !!(o->flags & MONOUT_M_EXE) || !used[i] ||
			    modules_is_system(paths[i]))
				continue;
			/* -1: it has no types, which is no error. */
			has[i] = !types_add(p->priv->types, p->priv->symbols,
					    i - 1);
		}
	}
	return 0;
}

int
bins_guess(struct profile *p)
{
	size_t i;

	for (i = 0; i < p->nbins; i++) {
		if (!(p->priv->bin_typed && p->priv->bin_typed[i]) &&
		    bins_type(p, &p->bins[i]))
			return -1;
	}
	return 0;
}
