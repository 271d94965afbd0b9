/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The holes in types. */
#include "reduce/types/waste.h"
#include "reduce/binaries/modules.h"
#include "reduce/types/holes.h"
#include "reduce/types/members.h"

#include <stdlib.h>
#include <string.h>

/* By index in sitetypes.types, which has each name and size once. */
struct waste {
	struct members *v;
	struct holes *holes;
};

static void
waste_find(struct waste *w, size_t n, struct profile *p, const struct mon *m,
	   const struct exe *x, const bool *used)
{
	struct progress *progress = &p->priv->progress;
	size_t i;

	members_find_each(w->v, n, &p->priv->arena, p->priv->symbols,
			  m->nmodules, progress);
	/* Look in other modules for types that this one only declares. */
	for (i = 0; i < n; i++)
		w->v[i].module = 0;
	for (i = 1; i < m->nmodules; i++) {
		if (used[i] && !modules_is_system(x->paths[i]))
			members_find(w->v, n, &p->priv->arena, p->priv->symbols,
				     i - 1, progress);
	}
}

static void
waste_start(struct waste *w, const struct sitetypes *t)
{
	const struct sitetype *type;
	size_t i;

	for (i = 0; i < t->n; i++) {
		type = &t->types[i];
		w->v[i] = (struct members){ .name = type->name,
					    .size = type->size,
					    .holes = &w->holes[i],
					    .module = type->module };
		if (type->size == 1 || holes_has_none(type->name))
			w->v[i].found = w->holes[i].known = true;
	}
}

void
waste_make(struct profile *p, const struct mon *m, const struct sitetypes *t,
	   const struct exe *x, const bool *used)
{
	struct waste w = { heap_array(t->n + 1, sizeof(*w.v)),
			   heap_array(t->n + 1, sizeof(*w.holes)) };
	struct hash places = { 0 };
	struct type_row *r;
	uint32_t n;
	size_t i;

	waste_start(&w, t);
	waste_find(&w, t->n, p, m, x, used);
	/* The rows have exactly the same names. */
	for (i = 0; i < t->n; i++) {
		hash_intern(&places, (uintptr_t)t->types[i].name,
			    t->types[i].size, 0, (uint32_t)i);
	}
	for (i = 0; i < p->ntypes; i++) {
		r = &p->types[i];
		n = hash_find(&places, (uintptr_t)r->name, r->size, 0);
		if (n == HASH_NONE)
			continue;
		r->holes = w.holes[n];
		if (!r->holes.flexible)
			continue;
		r->multiple = false;
		if (r->elements > r->allocs)
			r->elements = r->allocs;
	}
	hash_fini(&places);
	free(w.v);
	free(w.holes);
}
