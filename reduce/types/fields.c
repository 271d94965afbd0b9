/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes by place in the block: by site and by type. */
#include "reduce/types/fields.h"
#include "reduce/base/sort.h"
#include "reduce/types/members.h"

#include <stdlib.h>
#include <string.h>

struct fields_row {
	struct fields fields;
	uint32_t type; /* index of the type, or SHARES_NONE */
	double accesses;
};

struct fields_search {
	struct profile *p;
	const struct mon *mon;
	const struct sitetypes *types;
	const struct exe *exe;
	const struct use *uses; /* of mon's sites */
	struct hash hash; /* site, type, size -> index in v */
	struct fields_row *v;
	size_t n, room;
	struct members *members; /* by type; size 0: not asked for */
};

/* ----------------------------------------------------------- the counts -- */

/*
 * Find or add the counts of a site, type and size.  site: index in the profile,
 * or STAGES_NONE; type: index of the type, or SHARES_NONE.
 */
static struct fields *
fields_intern(struct fields_search *s, uint32_t site, uint32_t type,
	      uint64_t size)
{
	struct fields *f;
	uint64_t *counts;
	uint32_t n;

	ARRAY_ROOM(s->v, s->room, s->n + 1);
	if (s->n >= HASH_NONE)
		heap_out();
	n = hash_intern(&s->hash, site, type, size, (uint32_t)s->n);
	f = &s->v[n].fields;
	if (n < s->n)
		return f;
	s->v[n] = (struct fields_row){ .fields.size = size, .type = type };
	f->n = (size + MONOUT_GRANULE - 1) / MONOUT_GRANULE;
	counts = arena_array(&s->p->priv->arena, f->n, 2 * sizeof(*counts));
	f->reads = counts;
	f->writes = counts + f->n;
	if (site != STAGES_NONE)
		f->site = &s->p->sites[site];
	if (type != SHARES_NONE) {
		f->type = s->types->types[type].name;
		f->type_size = s->types->types[type].size;
		f->type_mark = '=';
		s->members[type] = (struct members){
			.name = f->type,
			.size = f->type_size,
			.module = s->types->types[type].module,
		};
	}
	s->n++;
	return f;
}

/*
 * Add the counts of x's blocks.  Each block is `elements' blocks of `to'.
 * Large blocks have counts for their first elements only.
 */
static void
fields_add(struct fields_search *s, struct fields *to,
	   const struct mon_field *x, uint64_t elements)
{
	size_t n = x->n;

	const struct mon *m = s->mon;
	uint64_t *reads = (uint64_t *)to->reads;
	uint64_t *writes = (uint64_t *)to->writes;
	const uint64_t *counts = m->counts + x->counts;
	size_t i;

	if (to->type && s->types->confidence[x->site] > PROFILE_PROGRAM)
		to->type_mark = '~';
	to->blocks += x->blocks * elements;
	to->whole += x->blocks;
	if (x->size > MONOUT_FIELDS_MAX) {
		to->first = true;
		n -= n % to->n;
	}
	for (i = 0; i < n; i++) {
		reads[i % to->n] += counts[i];
		writes[i % to->n] += counts[x->n + i];
	}
}

/* The size of x's elements if they can be added up, else the size of x. */
static uint64_t
fields_element(const struct fields_search *s, const struct mon_field *x)
{
	uint32_t type = s->types->of_site[x->site];
	uint64_t size = type == SHARES_NONE ? 0 : s->types->types[type].size;

	return size && size % MONOUT_GRANULE == 0 && x->size % size == 0
		       ? size
		       : x->size;
}

static void
fields_collect(struct fields_search *s)
{
	const struct mon *m = s->mon;
	const struct mon_field *x;
	struct fields *f;
	uint64_t whole;
	uint32_t type;
	size_t i;

	for (i = 0; i < m->nfields; i++) {
		x = &m->fields[i];
		/* The accesses of its code aren't recorded. */
		if (!s->uses[x->site].blocks)
			continue;
		type = s->types->of_site[x->site];
		whole = fields_element(s, x);
		/* The counts don't cover a whole element. */
		if (whole > MONOUT_FIELDS_MAX)
			continue;
		if (x->size <= MONOUT_FIELDS_MAX) {
			f = fields_intern(s, s->p->priv->site_of[x->site], type,
					  x->size);
			fields_add(s, f, x, 1);
		}
		if (type == SHARES_NONE)
			continue;
		f = fields_intern(s, STAGES_NONE, type, whole);
		fields_add(s, f, x, x->size / whole);
	}
}

/* ---------------------------------------------------------- the members -- */

/* Find the members of the types, and set them in the rows. */
static void
fields_members(struct fields_search *s)
{
	const struct members *m;
	struct fields_row *r;
	size_t i;

	members_find_each(s->members, s->types->n, &s->p->priv->arena,
			  s->p->priv->symbols, s->mon->nmodules,
			  &s->p->priv->progress);
	for (i = 0; i < s->n; i++) {
		r = &s->v[i];
		if (r->type == SHARES_NONE)
			continue;
		m = &s->members[r->type];
		r->fields.members = m->v;
		r->fields.nmembers = m->n;
	}
}

/* ------------------------------------------------------------------ all -- */

/* Rows of types first, then by accesses, then by type and size. */
static int
fields_compare(const void *a, const void *b)
{
	const struct fields_row *r = a, *t = b;
	const struct fields *x = &r->fields, *y = &t->fields;
	int c;

	if (!x->site != !y->site)
		return x->site ? 1 : -1;
	if (r->accesses != t->accesses)
		return r->accesses > t->accesses ? -1 : 1;
	c = strcmp(x->type ? x->type : "", y->type ? y->type : "");
	if (c)
		return c;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	if (x->type_size != y->type_size)
		return x->type_size < y->type_size ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

/* Sort the rows and copy them to the profile. */
static void
fields_give(struct fields_search *s)
{
	struct profile *p = s->p;
	struct fields_row *r;
	size_t i, k;

	for (i = 0; i < s->n; i++) {
		r = &s->v[i];
		for (k = 0; k < r->fields.n; k++)
			r->accesses += r->fields.reads[k] + r->fields.writes[k];
	}
	SORT(s->v, s->n, fields_compare);
	p->fields = arena_array(&p->priv->arena, s->n, sizeof(*p->fields));
	for (i = 0; i < s->n; i++)
		p->fields[i] = s->v[i].fields;
	p->nfields = s->n;
}

void
fields_make(struct profile *p, const struct mon *m, const struct use *uses,
	    const struct sitetypes *e, const struct exe *x)
{
	struct fields_search s = {
		.p = p, .mon = m, .types = e, .exe = x, .uses = uses
	};

	if (!m->uses_known || !uses)
		return;
	s.members = heap_array(e->n + 1, sizeof(*s.members));
	fields_collect(&s);
	fields_members(&s);
	fields_give(&s);
	hash_fini(&s.hash);
	free(s.v);
	free(s.members);
}
