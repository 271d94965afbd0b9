/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile's items, from cells and shares.  If some live blocks of a site
 * have another type than the rest, these blocks get items of their own for each
 * thread.  The type is set only if there is a single possibility.
 */
#include "reduce/profile/itemize.h"
#include "reduce/estimate/sample_error.h"
#include "reduce/base/sort.h"
#include "reduce/monout/cells.h"
#include "reduce/model/counts.h"

#include <math.h>
#include <stdlib.h>

/* An item in the making, with its sort keys. */
struct part {
	struct item item;
	uint32_t site, thread; /* indices of the profile; thread 0: not known */
	uint32_t type;
	uint64_t class; /* if any is set: the size class, else 0 */
	size_t rank;	/* among those of one thread and size: order of
			 * arrival */
};

struct itemize {
	struct profile *p;
	const struct itemize_from *from;
	struct part *v;
	size_t n, room;
	/* The shares of the site with a type of their own, by size. */
	struct share *taken;
	size_t ntaken, taken_room;
	size_t next; /* index of the share to begin with for the next site */
};

/* Cells of one site and size, and the typed live blocks among them. */
struct itemize_run {
	const struct mon_cell *cell;
	size_t n;
	const struct share *base;  /* the type of the other blocks */
	const struct share *taken; /* of this size; or of the whole site, if
				    * sizes aren't known */
	size_t ntaken;
	uint64_t allocs;
	size_t live; /* cells with live blocks; in itemize_site() also of the
		      * whole site */
	uint64_t live_blocks;
};

/* How live blocks are assigned to types. */
enum itemize_way {
	ITEMIZE_PLAIN, /* all have the base's type */
	ITEMIZE_LONE,  /* one cell has all of the live blocks */
	ITEMIZE_ALL,   /* all live blocks have one other type */
	ITEMIZE_UNSURE
};

/* ------------------------------------------------------------- one item -- */

/* Append a cell's blocks, with the type of f; NULL: type not known. */
static struct item *
itemize_add(struct itemize *s, const struct mon_cell *c, const struct share *f)
{
	const struct profile_priv *priv = s->p->priv;
	uint32_t type = f ? f->type : SHARES_NONE;
	struct part *x;

	ARRAY_ROOM(s->v, s->room, s->n + 1);
	x = &s->v[s->n];
	*x = (struct part){ .site = priv->site_of[c->site],
			    .type = type,
			    .class = c->any ? c->size + 1 : 0,
			    .rank = s->n };
	s->n++;
	if (c->thread && s->p->nthreads)
		x->thread = priv->thread_of[c->thread - 1] + 1;
	x->item.type_mark = '?';
	if (type != SHARES_NONE) {
		x->item.type = s->from->types->types[type].name;
		x->item.type_mark = f->mark;
	}
	x->item.any = c->any;
	x->item.size = c->any ? 0 : c->size;
	return &x->item;
}

/* Which of the item's blocks are samples is unknown. */
static void
itemize_vary(const struct itemize *s, struct item *x)
{
	for (int i = 0; i < PROFILE_NERROR && s->from->mon->sample.rate; i++)
		x->var[i] = INFINITY;
}

/* Move blocks from one item to another of the same cell. */
static void
itemize_move(const struct itemize *s, struct item *to, struct item *from,
	     uint64_t blocks, uint64_t bytes)
{
	itemize_vary(s, to);
	itemize_vary(s, from);
	to->allocs += blocks;
	to->bytes += bytes;
	from->allocs -= blocks;
	from->bytes -= bytes;
	suppressed_move(&to->hidden, &from->hidden, blocks, bytes);
}

/* ------------------------------------------- types of the live blocks -- */

/* How live blocks are assigned, from the shares with a type of their own. */
static enum itemize_way
itemize_way(const struct itemize_run *r)
{
	const struct share *f = r->taken, *first = f;
	bool same = true, one = true;
	uint64_t blocks = 0;

	if (!r->ntaken)
		return ITEMIZE_PLAIN;
	for (; f < r->taken + r->ntaken; f++) {
		same &= f->type == r->base->type;
		one &= first->type == f->type && first->mark == f->mark;
		blocks += f->allocs;
	}
	/* The same type with more certainty needs no item of its own. */
	if (same && !(one && blocks == r->live_blocks))
		return ITEMIZE_PLAIN;
	if (r->live == 1 && blocks <= r->live_blocks)
		return ITEMIZE_LONE;
	if (one && blocks == r->live_blocks)
		return ITEMIZE_ALL;
	return ITEMIZE_UNSURE;
}

/* Divide the live blocks of the only cell of r that has some. */
static void
itemize_divide(struct itemize *s, const struct itemize_run *r,
	       const struct mon_cell *c, size_t at)
{
	const struct share *f;
	struct item *to;

	for (f = r->taken; f < r->taken + r->ntaken; f++) {
		if (f->type == r->base->type && f->allocs < c->allocs)
			continue;
		to = itemize_add(s, c, f);
		itemize_move(s, to, &s->v[at].item, f->allocs, f->bytes);
	}
}

/* Set the peak of items whose blocks were divided. */
static void
itemize_peak(struct itemize *s, size_t first)
{
	struct item *base = &s->v[first].item, *last = &s->v[s->n - 1].item;
	bool none = !base->peak && !base->peak_blocks && base->peak_known;
	size_t i;

	if (s->n - first < 2)
		return;
	/* One item has all blocks, so it has the whole peak. */
	if (s->n - first == 2 && !base->allocs) {
		last->peak = base->peak;
		last->peak_blocks = base->peak_blocks;
		last->peak_known = base->peak_known;
		base->peak = base->peak_blocks = 0;
		base->peak_known = true;
		return;
	}
	for (i = first; i < s->n; i++)
		s->v[i].item.peak_known = none;
}

static void
itemize_cell(struct itemize *s, const struct itemize_run *r,
	     enum itemize_way way, const struct mon_cell *c)
{
	struct item *x = itemize_add(s, c, r->base), *to;
	size_t at = s->n - 1;
	bool live = c->allocs > c->frees;

	TOTALS_SET(x, c);
	sample_add_errors(x->var, c);
	if (s->p->priv->cell_hidden)
		x->hidden = s->p->priv->cell_hidden[c - s->from->mon->cells];
	if (x->hidden.blocks)
		x->var[PROFILE_E_KEPT] = x->var[PROFILE_E_KEPT_BLOCKS] = 0;
	x->peak = (uint64_t)c->peak_bytes;
	x->peak_blocks = (uint64_t)c->peak_blocks;
	/* One thread's part may be wrong; the sum over threads is right. */
	x->peak_known = r->n == 1 && c->peak_blocks >= 0 &&
			c->peak_bytes >= 0 && x->peak_blocks <= c->allocs &&
			x->peak <= c->bytes;
	if (way == ITEMIZE_PLAIN || !live ||
	    (way == ITEMIZE_ALL && r->taken->type == r->base->type && c->frees))
		return;
	if (way == ITEMIZE_LONE) {
		itemize_divide(s, r, c, at);
	} else {
		to = itemize_add(s, c, way == ITEMIZE_ALL ? r->taken : NULL);
		itemize_move(s, to, &s->v[at].item, c->allocs - c->frees,
			     c->bytes - c->freed);
	}
	itemize_peak(s, at);
}

/* ------------------------------------------------------- items of a site -- */

static void
itemize_live(struct itemize_run *r, const struct mon_cell *c, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (c[i].allocs <= c[i].frees)
			continue;
		r->live++;
		r->live_blocks += c[i].allocs - c[i].frees;
	}
}

SORT_BY(itemize_by_size, struct share, SORT_UP(any) SORT_UP(size) SORT_UP(type))

/* Collect the site's taken shares, which are sorted by site. */
static void
itemize_take(struct itemize *s, uint32_t site)
{
	const struct shares *a = s->from->shares;

	for (s->ntaken = 0; s->next < a->n; s->next++) {
		if (a->v[s->next].site > site)
			break;
		if (a->v[s->next].site < site || !a->v[s->next].allocs ||
		    s->from->plain)
			continue;
		ARRAY_ADD(s->taken, s->taken_room, s->ntaken, a->v[s->next]);
	}
	SORT(s->taken, s->ntaken, itemize_by_size);
}

/* The cells of one size that begin with the first of n. */
static struct itemize_run
itemize_next(const struct itemize *s, const struct mon_cell *c, size_t n)
{
	struct itemize_run r = { .cell = c, .taken = s->taken };
	struct share want = { .any = c->any, .size = c->size };
	size_t at, end;

	for (; r.n < n && CELLS_ALIKE(c, &c[r.n]); r.n++)
		r.allocs += c[r.n].allocs;
	itemize_live(&r, c, r.n);
	at = end = SORT_PLACE(i, s->ntaken,
			      itemize_by_size(&s->taken[i], &want) < 0);
	while (end < s->ntaken && s->taken[end].any == c->any &&
	       s->taken[end].size == c->size)
		end++;
	r.ntaken = end - at;
	if (r.ntaken)
		r.taken += at;
	return r;
}

/*
 * Do the shares have all blocks of the site's sizes?  If not, some blocks with
 * a type of their own are of unknown size.
 */
static bool
itemize_sized(const struct itemize *s, const struct mon_cell *c, size_t n)
{
	const struct shares *a = s->from->shares;
	size_t i, j, k = a->first[c->site], end = a->first[c->site + 1];
	struct itemize_run r;

	for (i = 0; i < n; i += r.n, k++) {
		r = itemize_next(s, &c[i], n - i);
		if (k == end || a->v[k].any != c[i].any ||
		    a->v[k].size != c[i].size)
			return false;
		for (j = 0; j < r.ntaken; j++)
			r.allocs -= r.taken[j].allocs;
		if (r.allocs != a->v[k].allocs)
			return false;
	}
	return k == end;
}

/* Itemize the n cells of a site. */
static void
itemize_site(struct itemize *s, const struct mon_cell *c, size_t n)
{
	const struct shares *a = s->from->shares;
	struct itemize_run r, whole = { .cell = c, .n = n };
	enum itemize_way way;
	bool sized;
	size_t i, k;

	itemize_take(s, c->site);
	sized = itemize_sized(s, c, n);
	whole.base = &a->v[a->first[c->site]];
	whole.taken = s->taken;
	whole.ntaken = s->ntaken;
	itemize_live(&whole, c, n);
	way = itemize_way(&whole);
	for (i = 0; i < n; i += r.n) {
		r = itemize_next(s, &c[i], n - i);
		r.base = whole.base;
		if (sized) {
			way = itemize_way(&r);
		} else {
			r.taken = whole.taken;
			r.ntaken = whole.ntaken;
		}
		for (k = 0; k < r.n; k++) {
			itemize_cell(s, &r, way, &r.cell[k]);
		}
	}
}

static void
itemize_cells(struct itemize *s)
{
	const struct mon *m = s->from->mon;
	size_t i, n;

	s->next = s->from->shares->first[m->nsites];
	for (i = 0; i < m->ncells; i += n) {
		for (n = 1; i + n < m->ncells; n++) {
			if (m->cells[i + n].site != m->cells[i].site)
				break;
		}
		itemize_site(s, &m->cells[i], n);
	}
}

/* Without cells: items by class, without a thread. */
static void
itemize_classes(struct itemize *s)
{
	const struct shares *a = s->from->shares;
	const struct mon_site *o;
	const struct share *f;
	struct mon_cell c;
	struct item *x;
	size_t i;

	for (i = 0; i < a->n; i++) {
		f = &a->v[i];
		o = &s->from->mon->sites[f->site];
		c = (struct mon_cell){ .site = f->site,
				       .size = f->any ? i : f->size,
				       .any = f->any };
		if (!f->allocs)
			continue;
		x = itemize_add(s, &c, f);
		x->figures = f->figures;
		itemize_vary(s, x);
		/* The first share has all of the site's peak. */
		x->peak_known = f->allocs == counts_sum(o->count.allocs) ||
				(!o->peak_blocks && !o->count.peak);
	}
}

/* --------------------------------------------------------- all together -- */

/* By site, size, thread; items of several sizes last, by class. */
#define ITEMIZE_KEYS \
	SORT_UP(site) \
	SORT_UP(class) \
	SORT_UP(item.size) SORT_UP(thread) SORT_UP(type) SORT_UP(item.type_mark)
SORT_BY(itemize_compare, struct part, ITEMIZE_KEYS SORT_UP(rank))
SORT_BY(itemize_differ, struct part, ITEMIZE_KEYS)

/* Join items: several sites of the data can be one of the profile. */
static void
itemize_join(struct itemize *s)
{
	struct item *to = NULL;
	size_t i, n = 0;

	SORT(s->v, s->n, itemize_compare);
	for (i = 0; i < s->n; i++) {
		const struct item *x = &s->v[i].item;

		if (!x->allocs && !x->frees && !x->peak && !x->peak_blocks)
			continue;
		if (!n || itemize_differ(&s->v[n - 1], &s->v[i])) {
			s->v[n++] = s->v[i];
			continue;
		}
		to = &s->v[n - 1].item;
		figures_add(&to->figures, &x->figures);
		counts_add_errors(to->var, x->var);
	}
	s->n = n;
}

static void
itemize_finish(struct itemize *s)
{
	struct profile *p = s->p;
	struct arena *a = &p->priv->arena;
	size_t i;

	itemize_join(s);
	p->items = arena_array(a, s->n, sizeof(*p->items));
	for (i = 0; i < s->n; i++) {
		p->items[i] = s->v[i].item;
		p->items[i].site = &p->sites[s->v[i].site];
		p->items[i].peak_known &= p->peaks_known;
		if (s->v[i].thread)
			p->items[i].thread =
				&p->all_threads[s->v[i].thread - 1];
	}
	p->nitems = s->n;
}

void
itemize_make(struct profile *p, const struct itemize_from *from)
{
	struct itemize s = { .p = p, .from = from };

	if (from->shares->classes) {
		itemize_classes(&s);
	} else {
		itemize_cells(&s);
	}

	if (from->shares->classes)
		p->items_why = "the data file has no counts by call path, "
			       "thread and size; run the program again with "
			       "this version of memmon";
	itemize_finish(&s);
	free(s.v);
	free(s.taken);
}
