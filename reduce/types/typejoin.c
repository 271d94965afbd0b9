/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types from live blocks and from sizes. */
#include "reduce/types/typenames.h"
#include "reduce/types/typerows.h"
#include "reduce/types/types.h"
#include "reduce/types/vtables.h"

#include <stdlib.h>
#include <string.h>

/* The virtual tables at the start of a site's blocks. */
struct typejoin_site {
	uint32_t site;
	size_t first, n; /* in mon.vtables */
};

struct typejoin {
	struct typerows *r;
	const char **classes;	/* for each of mon.vtables */
	struct typenames names; /* of the types */
	struct hash places;	/* class -> index in types */
};

/* ------------------------------------------------------------- the types -- */

/* The best type with a name so far: one with a known size, if possible. */
struct typejoin_wanted {
	const struct sitetypes *types;
	uint32_t found;
};

static bool
typejoin_is(uint32_t i, void *arg)
{
	struct typejoin_wanted *w = arg;

	if (w->found == SHARES_NONE || !w->types->types[w->found].size)
		w->found = i;
	return !w->types->types[w->found].size;
}

/* The index of a class among the types. */
static uint32_t
typejoin_type(struct typejoin *j, const char *class, uint32_t module)
{
	struct sitetypes *t = j->r->types;
	struct typejoin_wanted w = { t, SHARES_NONE };
	const char *own = symbols_pool_intern(&t->names, class, strlen(class));
	struct types *known = j->r->p->priv->types;
	uint32_t place;

	place = hash_find(&j->places, (uintptr_t)own, 0, 0);
	if (place != HASH_NONE)
		return place;
	typenames_each(&j->names, own, typejoin_is, &w);
	place = w.found;
	if (place == SHARES_NONE || !t->types[place].size)
		place = sitetypes_intern(t, own,
					 known ? types_size(known, own) : 0,
					 module);
	hash_intern(&j->places, (uintptr_t)own, 0, 0, place);
	return place;
}

/* ---------------------------------------------------------- live blocks -- */

/*
 * Does the class say less than the site's type?  Library classes with names of
 * this form are only wrapped around the user's objects.
 */
static bool
typejoin_is_less(const struct typejoin *j, uint32_t site, const char *class)
{
	return j->r->types->of_site[site] != SHARES_NONE &&
	       !strncmp(class, "std::_", 6);
}

/*
 * Give a site without a type the type of its live blocks, if all have the same.
 */
static void
typejoin_adopt(struct typejoin *j, const struct typejoin_site *s)
{
	const struct mon *m = j->r->mon;
	const struct mon_site *o = &m->sites[s->site];
	struct sitetypes *t = j->r->types;
	uint32_t type = SHARES_NONE, its;
	uint64_t blocks = 0;
	size_t i;

	for (i = s->first; i < s->first + s->n; i++) {
		if (!j->classes[i])
			return;
		its = typejoin_type(j, j->classes[i], m->vtables[i].module);
		if (type != SHARES_NONE && its != type)
			return;
		type = its;
		blocks += m->vtables[i].blocks;
	}
	if (blocks != counts_sum(o->count.allocs) - counts_sum(o->count.frees))
		return;
	t->of_site[s->site] = type;
	t->confidence[s->site] = PROFILE_VTABLE;
	shares_set(j->r->shares, s->site, type, PROFILE_VTABLE);
}

/* Set the types of a site's live blocks with tables. */
static void
typejoin_site(struct typejoin *j, const struct typejoin_site *s)
{
	struct share as = { .site = s->site,
			    .confidence = PROFILE_VTABLE,
			    .mark = '=' };
	struct sitetypes *t = j->r->types;
	const struct mon_vtable *v;
	size_t i;

	if (t->confidence[s->site] <= PROFILE_PROGRAM)
		return;
	if (t->of_site[s->site] == SHARES_NONE)
		typejoin_adopt(j, s);
	for (i = s->first; i < s->first + s->n; i++) {
		v = &j->r->mon->vtables[i];
		if (!j->classes[i] ||
		    typejoin_is_less(j, s->site, j->classes[i]))
			continue;
		as.type = typejoin_type(j, j->classes[i], v->module);
		shares_take(j->r->shares, v->blocks, v->bytes,
			    t->types[as.type].size, &as);
	}
}

static void
typejoin_live(struct typejoin *j)
{
	const struct mon *m = j->r->mon;
	struct sitetypes *t = j->r->types;
	struct typejoin_site s;
	size_t i;

	for (i = 0; i < t->n; i++) {
		typenames_add(&j->names, t->types[i].name, (uint32_t)i);
	}
	for (i = 0; i < m->nvtables; i += s.n) {
		s = (struct typejoin_site){ m->vtables[i].site, i, 1 };
		while (i + s.n < m->nvtables &&
		       m->vtables[i + s.n].site == s.site)
			s.n++;
		typejoin_site(j, &s);
	}
}

/* --------------------------------------------------------------- by size -- */

/* Too many types have smaller sizes. */
#define SIZE_MIN 16

/*
 * Give a site without a type the only type that has the size of all its blocks,
 * if the library that makes them has this type.  Buffers and arrays usually
 * have several sizes, so a single block isn't enough.
 */
static void
typejoin_size(struct typejoin *j, uint32_t site)
{
	struct typerows *r = j->r;
	const struct counts *count = &r->mon->sites[site].count;
	uint32_t module = r->types->module[site], type;
	uint64_t least, largest;
	const char *name;

	shares_range(r->shares, site, &least, &largest);
	if (least < SIZE_MIN || least != largest || !module ||
	    !r->typed[module] || counts_sum(count->allocs) < 2)
		return;
	types_allow(r->p->priv->types, &module, 1);
	name = types_only(r->p->priv->types, least);
	types_allow(r->p->priv->types, NULL, 0);
	if (!name)
		return;
	type = sitetypes_intern(r->types, name, least, module);
	shares_set(r->shares, site, type, PROFILE_SIZE);
}

void
typerows_join(struct typerows *r)
{
	struct typejoin j = { .r = r };
	const struct sitetypes *t = r->types;
	bool vtables;
	size_t i;

	for (i = 0; i < r->mon->nsites; i++) {
		if (t->of_site[i] != SHARES_NONE)
			shares_set(r->shares, (uint32_t)i, t->of_site[i],
				   t->confidence[i]);
	}
	for (i = 0; i < r->mon->nsites && r->typed; i++) {
		if (t->of_site[i] == SHARES_NONE)
			typejoin_size(&j, (uint32_t)i);
	}
	/* Under a filter, it isn't known which of a site's blocks the tables
	 * are of. */
	vtables = r->mon->nvtables && !r->p->filter.part;
	if (vtables)
		vtables_find(&j.classes, t->arena, r->mon, r->exe);
	if (vtables)
		typejoin_live(&j);
	typenames_fini(&j.names);
	hash_fini(&j.places);
	free(j.classes);
}
