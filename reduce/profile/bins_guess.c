/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types of bins that fit by size only: types of the libraries that allocated
 * the blocks.  Another library's types have nothing to do with them.
 */
#include "reduce/profile/bins.h"
#include "reduce/base/names.h"
#include "reduce/base/sort.h"
#include "reduce/binaries/modules.h"
#include "reduce/types/sitetypes.h"
#include "reduce/types/types.h"

#include <stdlib.h>
#include <string.h>

/* A library that allocated blocks of one size whose type isn't sure. */
struct bins_maker {
	uint64_t size; /* or, if the size is unknown, the class */
	uint32_t module;
	bool class;
};

SORT_BY(bins_by_maker, struct bins_maker,
	SORT_UP(class) SORT_UP(size) SORT_UP(module))

struct bins_makers {
	struct profile *p;
	const struct mon *mon;
	const struct sitetypes *types;
	const struct shares *shares;
	struct bins_maker *v;
	size_t n, room;
	uint32_t *modules; /* of one bin */
};

/* The library that makes a site's blocks; 0: unknown. */
static uint32_t
bins_module(const struct bins_makers *k, uint32_t site)
{
	const struct mon *m = k->mon;
	uint32_t i = m->sites[site].node, module = k->types->module[site];

	/* Which call decides isn't known: skip libraries of every program. */
	for (; !module && i; i = m->nodes[i].parent)
		if (m->nodes[i].module &&
		    !modules_is_runtime(m->modules[m->nodes[i].module].path))
			module = m->nodes[i].module;
	return module;
}

static void
bins_maker_join(struct bins_maker *to, const struct bins_maker *x)
{
	(void)to, (void)x;
}

static void
bins_makers_find(struct bins_makers *k)
{
	const struct shares *s = k->shares;

	for (size_t i = 0; i < s->n; i++) {
		const struct share *x = &s->v[i];
		struct bins_maker new = { x->size, 0, x->any };

		if (!x->allocs || (x->type != SHARES_NONE && x->mark != '?'))
			continue;
		if (x->any)
			new.size = counts_class(x->bytes / x->allocs);
		new.module = bins_module(k, x->site);
		if (new.module)
			ARRAY_ADD(k->v, k->room, k->n, new);
	}
	if (k->n)
		SORT_ONCE(k->v, k->n, bins_by_maker, bins_maker_join);
	k->modules = heap_array(k->n + 1, sizeof(*k->modules));
}

/* Allow the types of the libraries that made a bin's blocks. */
static void
bins_allow(struct bins_makers *k, uint64_t size)
{
	size_t n = 0;

	for (int class = 0; class < 2; class ++) {
		uint64_t what = class ? counts_class(size) : size;
		size_t at = SORT_PLACE(i, k->n,
				       k->v[i].class < class ||
					       (k->v[i].class == class &&
						k->v[i].size < what));

		for (; at < k->n && k->v[at].class == class &&
		       k->v[at].size == what;
		     at++)
			k->modules[n++] = k->v[at].module;
	}
	types_allow(k->p->priv->types, k->modules, n);
}

/* Does the bin already have a type with this name? */
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

/* Find more types for one bin. */
static void
bins_type(struct profile *p, struct bin *b)
{
	const char *names[BINS_TYPES];
	struct bin_type *types;
	size_t n, i;

	n = types_find(p->priv->types, b->size, names, BINS_TYPES);
	if (!n)
		return;
	types = arena_array(&p->priv->arena, BINS_TYPES, sizeof(*types));
	for (i = 0; i < b->ntypes; i++)
		types[i] = b->types[i];
	b->types = types;
	for (i = 0; i < n && b->ntypes < BINS_TYPES; i++) {
		if (!bins_has(b, names[i]))
			types[b->ntypes++] = (struct bin_type){ names[i], '?' };
	}
}

void
bins_guess(struct profile *p, const struct mon *m, const struct sitetypes *t,
	   const struct shares *s)
{
	struct bins_makers k = { .p = p, .mon = m, .types = t, .shares = s };

	bins_makers_find(&k);
	for (size_t i = 0; i < p->nbins; i++) {
		if (p->priv->bin_typed && p->priv->bin_typed[i])
			continue;
		bins_allow(&k, p->bins[i].size);
		bins_type(p, &p->bins[i]);
	}
	types_allow(p->priv->types, NULL, 0);
	free(k.v);
	free(k.modules);
}
