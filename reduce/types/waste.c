/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The holes in types. */
#include "reduce/types/waste.h"
#include "reduce/objects/modules.h"
#include "reduce/types/holes.h"
#include "reduce/types/members.h"

#include <stdlib.h>
#include <string.h>

/* Each name and size once. */
struct waste_type {
	const struct sitetype *type;
	struct holes holes;
	bool done; /* looked at, or nothing to look for */
};

struct waste {
	struct profile *p;
	const struct mon *mon;
	const struct exe *exe;
	struct waste_type *v; /* of each of sitetypes.types */
	size_t n;
};

/*
 * Look for types in a module: for those that were first met there, or for all
 * that are left.
 */
static int
waste_module(struct waste *w, uint32_t module, bool all)
{
	struct members *m = calloc(w->n + 1, sizeof(*m));
	struct waste_type *t;
	size_t i, n = 0;
	int status = m ? 0 : -1;

	for (i = 0; m && i < w->n; i++) {
		t = &w->v[i];
		if (!t->done && (all || t->type->module == module))
			m[n++] = (struct members){ .name = t->type->name,
						   .size = t->type->size,
						   .holes = &t->holes };
	}
	if (n)
		status = members_find(m, n, &w->p->priv->arena,
				      w->p->priv->symbols, module - 1,
				      &w->p->priv->progress);
	for (i = n = 0; m && i < w->n; i++) {
		t = &w->v[i];
		if (!t->done && (all || t->type->module == module))
			t->done = m[n++].found;
	}
	free(m);
	return status;
}

static int
waste_find(struct waste *w, const bool *used)
{
	bool *met = calloc(w->mon->nmodules + 1, sizeof(*met));
	int status = met ? 0 : -1;
	size_t i;

	for (i = 0; met && i < w->n; i++) {
		if (!w->v[i].done)
			met[w->v[i].type->module] = true;
	}
	for (i = 1; met && i < w->mon->nmodules && !status; i++) {
		if (met[i])
			status = waste_module(w, (uint32_t)i, false);
	}
	/* What a library only declares another one has. */
	for (i = 1; met && i < w->mon->nmodules && !status; i++) {
		if (used[i] && !modules_is_system(w->exe->paths[i]))
			status = waste_module(w, (uint32_t)i, true);
	}
	free(met);
	return status;
}

static void
waste_start(struct waste *w, const struct sitetypes *t)
{
	struct waste_type *v;

	for (; w->n < t->n; w->n++) {
		v = &w->v[w->n];
		v->type = &t->types[w->n];
		v->done = !v->type->size;
		if (v->type->size == 1 || holes_has_none(v->type->name))
			v->done = v->holes.known = true;
	}
}

int
waste_make(struct profile *p, const struct mon *m, const struct sitetypes *t,
	   const struct exe *x, const bool *used)
{
	struct waste w = { .p = p, .mon = m, .exe = x };
	struct hash places = { 0 };
	struct type_row *r;
	int status = -1;
	uint32_t n;
	size_t i;

	w.v = calloc(t->n + 1, sizeof(*w.v));
	if (w.v) {
		waste_start(&w, t);
		status = waste_find(&w, used);
	}
	/* The rows have the very same names. */
	for (i = 0; i < t->n && !status; i++) {
		if (hash_intern(&places, (uintptr_t)t->types[i].name,
				t->types[i].size, 0, (uint32_t)i) == HASH_NONE)
			status = -1;
	}
	for (i = 0; i < p->ntypes && !status; i++) {
		r = &p->types[i];
		n = hash_find(&places, (uintptr_t)r->name, r->size, 0);
		if (n == HASH_NONE)
			continue;
		r->holes = w.v[n].holes;
		if (!r->holes.flexible)
			continue;
		r->multiple = false;
		if (r->elements > r->allocs)
			r->elements = r->allocs;
	}
	hash_fini(&places);
	free(w.v);
	return status;
}
