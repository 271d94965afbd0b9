/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of the profile's sites, and the counts of each type. */
#include "reduce/types/typerows.h"
#include "reduce/base/sort.h"
#include "reduce/monout/groups.h"
#include "reduce/model/counts.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- the sites -- */

/* The type of a site of the profile, so far. */
struct typerows_site {
	uint32_t type;
	enum profile_confidence confidence;
	char mark;
	bool seen, mixed;
};

/* Add one of the data's sites that this site was made from. */
static void
typerows_add_site(struct typerows_site *s, uint32_t type,
		  enum profile_confidence confidence)
{
	s->mixed |= type == SHARES_NONE || (s->seen && s->type != type);
	if (!s->seen || s->confidence < confidence)
		s->confidence = confidence;
	s->type = type;
	s->seen = true;
}

/* Set a site's type, if all sites that it was made from have the same. */
static void
typerows_give(struct site *s, const struct typerows_site *from,
	      const struct sitetypes *t)
{
	if (!from->seen || from->mixed)
		return;
	s->type = t->types[from->type].name;
	s->type_size = t->types[from->type].size;
	s->type_mark = from->mark;
	s->type_confidence = from->confidence;
}

static void
typerows_sites(const struct typerows *r)
{
	struct profile *p = r->p;
	struct typerows_site *v = heap_array(p->nsites + 1, sizeof(*v)), *s;
	const struct share *f;
	size_t i;

	for (i = 0; i < r->mon->nsites; i++)
		typerows_add_site(&v[p->priv->site_of[i]], r->types->of_site[i],
				  r->types->confidence[i]);
	for (i = 0; i < p->nsites; i++)
		v[i].mark = '=';
	/* A type is exact if all blocks are known to be of it. */
	for (i = 0; i < r->shares->n; i++) {
		f = &r->shares->v[i];
		s = &v[p->priv->site_of[f->site]];
		/* The less certain mark of two stays. */
		if (f->allocs && s->mark == '=')
			s->mark = f->type == s->type ? f->mark : '~';
	}
	for (i = 0; i < p->nsites; i++)
		typerows_give(&p->sites[i], &v[i], r->types);
	free(v);
}

/* -------------------------------------------------------------- the rows -- */

struct typerows_row {
	struct type_row row;
	uint64_t estimated; /* blocks that row.rounded counts so far */
};

struct typerows_search {
	struct typerows *r;
	struct typerows_row *v;
	size_t n, room;
	struct hash rows;    /* type, mark -> index in v */
	struct hash sites;   /* row, site of the profile -> any number */
	struct hash by_size; /* size -> index in slack */
	struct typerows_slack {
		uint64_t looked, slack;
	} * slack; /* by size, over all shares */
	size_t nslack, slack_room;
};

/* Find or add the row of a type. */
static uint32_t
typerows_intern(struct typerows_search *s, uint32_t type, char mark)
{
	const struct sitetypes *t = s->r->types;
	struct type_row *r;
	uint32_t n;

	if (s->n >= HASH_NONE)
		heap_out();
	ARRAY_ROOM(s->v, s->room, s->n + 1);
	n = hash_intern(&s->rows, type, (uint64_t)mark, 0, (uint32_t)s->n);
	if (n < s->n)
		return n;
	r = &s->v[n].row;
	s->v[n].estimated = 0;
	*r = (struct type_row){ .name = "",
				.mark = mark,
				.peak_known = true,
				.multiple = true,
				.rounded_exact = true };
	if (type != SHARES_NONE) {
		r->name = t->types[type].name;
		r->size = t->types[type].size;
	}
	s->n++;
	return n;
}

/*
 * Count the elements in the blocks.  If a block isn't a multiple of the type's
 * size, it counts as one element with other data after it, or as none if it is
 * smaller.
 */
static void
typerows_elements(struct type_row *r, const struct share *f)
{
	uint64_t bytes = f->any ? f->bytes : f->size;

	if (!r->size || bytes % r->size) {
		r->multiple = false;
		if (r->size &&
		    (f->any ? f->bytes / f->allocs : f->size) >= r->size)
			r->elements += f->allocs;
	} else {
		r->elements += f->bytes / r->size;
	}
}

/* part x all / whole, rounded down, at most UINT64_MAX. */
static uint64_t
typerows_scale(uint64_t part, uint64_t all, uint64_t whole)
{
	unsigned __int128 n = (unsigned __int128)part * all / whole;

	return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n;
}

/*
 * Add the bytes that the allocator added by rounding.  A block that the
 * allocator wasn't asked about counts as the mean of its size.
 */
static void
typerows_round(struct typerows_search *s, struct typerows_row *r,
	       const struct share *f)
{
	uint64_t looked = f->looked, slack = f->slack, more;
	uint32_t i;

	r->row.rounded_exact &= looked == f->allocs;
	if (looked != f->allocs && !f->any) {
		i = hash_find(&s->by_size, f->size, 0, 0);
		if (i != HASH_NONE) {
			looked = s->slack[i].looked;
			slack = s->slack[i].slack;
		}
	}
	if (!looked)
		return;
	more = typerows_scale(slack, f->allocs, looked);
	r->estimated += f->allocs;
	if (__builtin_add_overflow(r->row.rounded, more, &r->row.rounded))
		r->row.rounded = UINT64_MAX;
}

static void
typerows_add(struct typerows_search *s, const struct share *f)
{
	uint32_t site = s->r->p->priv->site_of[f->site];
	uint32_t n = typerows_intern(s, f->type, f->mark), fresh;
	struct figures figures;
	struct type_row *r;

	r = &s->v[n].row;
	figures = f->figures;
	if (!f->peak_known)
		figures.peak = figures.peak_blocks = 0;
	figures_add(&r->figures, &figures);
	counts_add_errors(r->var, f->var);
	if (f->type != SHARES_NONE) {
		r->confidence[f->confidence] += f->allocs;
		typerows_elements(r, f);
	}
	typerows_round(s, &s->v[n], f);
	/* Numbers are assigned in order, so a new number means a new site. */
	fresh = (uint32_t)s->sites.used;
	if (fresh >= HASH_NONE)
		heap_out();
	site = hash_intern(&s->sites, n, site, 0, fresh);
	r->sites += site == fresh;
}

/* The row of the type of a site's blocks, without those of shares_take(). */
static uint32_t
typerows_of_site(struct typerows_search *s, size_t site)
{
	const struct shares *a = s->r->shares;
	size_t k, end = a->first[site + 1];

	for (k = a->first[site]; k < end; k++)
		if (a->v[k].allocs)
			return typerows_intern(s, a->v[k].type, a->v[k].mark);
	return typerows_intern(s, SHARES_NONE, '?');
}

/* Set the groups of each row, from the sites whose use it has. */
static void
typerows_groups(struct typerows_search *s, const struct use *const *from,
		const uint32_t *row)
{
	struct use **to = heap_array(s->n + 1, sizeof(*to));
	size_t i;

	for (i = 0; i < s->n; i++)
		to[i] = &s->v[i].row.use;
	groups_by_key(from, row, s->r->mon->nsites, to, s->n, NULL);
	free(to);
}

/* A site's use isn't known by type: the row of its main type gets all of it. */
static void
typerows_use(struct typerows_search *s, const struct use *uses)
{
	size_t i, n = s->r->mon->nsites;
	const struct use **from = heap_array(n + 1, sizeof(*from));
	uint32_t *row = heap_array(n + 1, sizeof(*row));

	for (i = 0; i < n; i++) {
		if (!uses[i].blocks)
			continue;
		row[i] = typerows_of_site(s, i);
		from[i] = &uses[i];
		use_add(&s->v[row[i]].row.use, &uses[i]);
	}
	typerows_groups(s, from, row);
	free(from);
	free(row);
}

/* Sum up, by size, the bytes that the allocator added. */
static void
typerows_slack(struct typerows_search *s)
{
	const struct shares *a = s->r->shares;
	const struct share *f;
	size_t i;
	uint32_t n;

	for (i = 0; i < a->n; i++) {
		f = &a->v[i];
		if (!f->looked || f->any)
			continue;
		if (s->nslack >= HASH_NONE)
			heap_out();
		ARRAY_ROOM(s->slack, s->slack_room, s->nslack + 1);
		n = hash_intern(&s->by_size, f->size, 0, 0,
				(uint32_t)s->nslack);
		if (n == s->nslack)
			s->slack[s->nslack++] = (struct typerows_slack){ 0 };
		s->slack[n].looked += f->looked;
		s->slack[n].slack += f->slack;
	}
}

/* The unknown type last; else by bytes, then by name and size. */
static int
typerows_compare(const void *a, const void *b)
{
	const struct type_row *x = a, *y = b;

	if (!*x->name || !*y->name)
		return !*x->name - !*y->name;
	/* A type may have rows with different marks. */
	SORT_KEYS(SORT_DOWN(bytes) SORT_TEXT(name) SORT_UP(size) c_ =
			  x->mark == '=' || y->mark == '?' ? -1 : 1;)
}

/* Blocks without data count as the mean of the row. */
static void
typerows_finish(struct type_row *r, uint64_t estimated)
{
	r->rounded_known = estimated > 0;
	if (estimated && estimated < r->allocs)
		r->rounded = typerows_scale(r->rounded, r->allocs, estimated);
}

static void
typerows_all(struct typerows_search *s, const struct use *uses)
{
	struct profile *p = s->r->p;
	const struct share *f;
	size_t i;

	typerows_slack(s);
	for (i = 0; i < s->r->shares->n; i++) {
		f = &s->r->shares->v[i];
		if (f->allocs || f->frees)
			typerows_add(s, f);
	}
	if (uses)
		typerows_use(s, uses);
	p->types = arena_array(&p->priv->arena, s->n, sizeof(*p->types));
	for (i = 0; i < s->n; i++) {
		p->types[i] = s->v[i].row;
		typerows_finish(&p->types[i], s->v[i].estimated);
		p->types[i].peak_known &= p->peaks_known;
	}
	SORT(p->types, s->n, typerows_compare);
	p->ntypes = s->n;
}

void
typerows_make(struct typerows *r, const struct use *uses)
{
	struct typerows_search s = { .r = r };

	typerows_sites(r);
	typerows_all(&s, uses);
	hash_fini(&s.rows);
	hash_fini(&s.sites);
	hash_fini(&s.by_size);
	free(s.v);
	free(s.slack);
}
