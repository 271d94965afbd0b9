/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of an image, summed by node, and by node and size.
 *
 * The cells are read twice: counts that are parts of others first, then the
 * others.  So in a running process no part is larger than its whole.
 */
#include "reduce/base/arena.h"
#include "reduce/image/image_reader.h"
#include "reduce/model/life.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
cell_size(const struct monimg_cell *c)
{
	return c->key & ((1ull << MONIMG_SIZE_BITS) - 1);
}

static unsigned
size_class(uint64_t size)
{
	return size >= MONIMG_SIZE_ANY ? (unsigned)(size - MONIMG_SIZE_ANY)
				       : counts_class(size);
}

/* Find or add the site of a node. */
static uint32_t
image_cells_site_of(struct image *g, uint32_t node)
{
	uint32_t i =
		hash_intern(&g->site_hash, node, 0, 0, (uint32_t)g->nsites);

	if (i != g->nsites)
		return i;
	ARRAY_ROOM(g->sites, g->site_room, g->nsites + 1);
	g->sites[g->nsites] = (struct image_site){ .index = i, .node = node };
	g->nsites++;
	return i;
}

/* Find or add the pair of a site and a size. */
static uint32_t
pair_of(struct image *g, uint32_t site, uint64_t size)
{
	uint32_t i =
		hash_intern(&g->pair_hash, site, size, 0, (uint32_t)g->npairs);

	if (i != g->npairs)
		return i;
	ARRAY_ADD(g->pairs, g->pair_room, g->npairs,
		  (struct image_pair){ .site = site, .size = size });
	return i;
}

/* Find or add the lifetimes of a site. */
static struct life *
life_of(struct image *g, struct image_site *s)
{
	if (s->life)
		return &g->lives[s->life - 1];
	ARRAY_ADD(g->lives, g->life_room, g->nlives,
		  (struct life){ .min = UINT64_MAX });
	s->life = (uint32_t)g->nlives;
	return &g->lives[g->nlives - 1];
}

/* Add one block that lived for ns. */
static void
life_few(struct life *x, uint64_t ns)
{
	image_add(&x->bin[life_bin(ns)], 1);
	image_add(&x->sum, ns);
	if (ns < x->min)
		x->min = ns;
	if (ns > x->max)
		x->max = ns;
}

static void
read_lives(struct image *g, struct life *x, const struct monimg_fate *e)
{
	struct monimg_lives l;
	uint32_t timed = e->timed, i;

	if (!e->lives) {
		timed = timed < MONIMG_FEW ? timed : MONIMG_FEW;
		for (i = 0; i < timed; i++)
			life_few(x, e->few[i]);
	} else if (image_follow(g, e->lives, &l, sizeof(l))) {
		for (i = 0; i < MONOUT_LIFE_BINS; i++)
			image_add(&x->bin[i], l.bin[i]);
		image_add(&x->sum, l.sum);
		if (l.min < x->min)
			x->min = l.min;
		if (l.max > x->max)
			x->max = l.max;
	} else {
		timed = 0;
	}
	image_add(&x->timed, timed);
}

/* Add the figures that a fate has. */
static void
read_figures(struct image *g, struct image_site *s, const struct monimg_fate *e)
{
	struct monimg_figure x[MONOUT_NFIGURE];

	if (!e->figures || !image_follow(g, e->figures, x, sizeof(x)))
		return;
	for (int i = 0; i < MONOUT_NFIGURE; i++) {
		image_add(&s->figure[i].sum, x[i].sum);
		if (x[i].variance > 0)
			s->figure[i].variance += x[i].variance;
	}
}

/* Add the lifetimes and reallocations of a cell. */
static void
read_fate(struct image *g, struct image_site *s, const struct monimg_cell *c)
{
	struct monimg_fate fate = { 0 }, *e = &fate;
	struct life *x;

	/*
	 * Several cells may point to one record; only its own cell counts it.
	 */
	if (!c->fate || !image_follow(g, c->fate, e, sizeof(*e)) ||
	    e->cell != c->number)
		memset(e, 0, sizeof(*e));
	read_figures(g, s, e);
	image_add(&s->reallocs, e->reallocs);
	if (!(c->temps | c->near | e->by_others | e->moved | e->copied |
	      e->longest | e->timed))
		return;
	x = life_of(g, s);
	image_add(&x->temps, c->temps);
	image_add(&x->near, c->near);
	image_add(&x->by_others, e->by_others);
	image_add(&x->moved, e->moved);
	image_add(&x->copied, e->copied);
	if (e->longest > x->longest)
		x->longest = e->longest;
	read_lives(g, x, e);
}

/* Add the blocks of the cell that were live at the peak. */
static void
read_held(const struct image *g, struct image_site *s, struct image_pair *p,
	  const struct monimg_cell *c, const struct monimg_extra *e)
{
	uint64_t size = cell_size(c), n, bytes;

	if (!((c->epoch ^ g->peaks) << (64 - MONIMG_SNAPSHOT))) {
		n = (uint64_t)c->held;
		bytes = (uint64_t)e->held_bytes;
	} else {
		n = c->allocs - c->frees;
		bytes = e->bytes - e->freed;
	}
	if (size < MONIMG_SIZE_ANY)
		bytes = n * size;
	p->held += n;
	p->held_bytes += bytes;
	/* A sum that wraps is negative, and counts as no live blocks. */
	s->held = (int64_t)((uint64_t)s->held + n);
	s->held_bytes = (int64_t)((uint64_t)s->held_bytes + bytes);
}

/*
 * Add the blocks whose usable size was asked for, unless the counts would
 * overflow.
 */
static void
read_looked(struct image_pair *p, const struct monimg_cell *c)
{
	uint64_t mask = (1ull << MONIMG_LOOKED_SHIFT) - 1;

	if ((c->looked & mask) <= mask - (p->looked & mask) &&
	    !__builtin_add_overflow(p->looked, c->looked, &mask))
		p->looked = mask;
}

/*
 * Read the cell's extra record; all 0 without one.  False if the record is
 * missing in the image.
 */
static bool
extra_of(struct image *g, const struct monimg_cell *c, struct monimg_extra *e)
{
	if (c->extra && image_follow(g, c->extra, e, sizeof(*e)))
		return true;
	memset(e, 0, sizeof(*e));
	return !c->extra;
}

/* Add a cell to its site and pair. */
static void
cell_add(struct image *g, const struct monimg_cell *c)
{
	uint32_t node = c->parent & ((1u << MONIMG_NODE_BITS) - 1);
	uint32_t site = image_cells_site_of(g, node), pair;
	bool any = cell_size(c) >= MONIMG_SIZE_ANY, here;
	struct monimg_extra e;
	struct image_pair *p;
	uint64_t n;

	pair = pair_of(g, site, cell_size(c));
	p = &g->pairs[pair];
	here = extra_of(g, c, &e);
	if (g->second) {
		g->info.cells++;
		n = c->allocs - e.away;
		p->allocs += n;
		p->bytes += any ? e.bytes - e.away_bytes : n * cell_size(c);
		if (any && !here)
			image_add(&g->lost_bytes, c->allocs);
		return;
	}
	n = c->frees - e.away;
	p->frees += n;
	p->freed += any ? e.freed - e.away_bytes : n * cell_size(c);
	read_looked(p, c);
	read_held(g, &g->sites[site], p, c, &e);
	read_fate(g, &g->sites[site], c);
}

/* Copy a cell.  Returns whether it counts. */
static bool
cell_counts(const struct image *g, const void *item, uint64_t number,
	    struct monimg_cell *c)
{
	memcpy(c, item, sizeof(*c));
	if (!c->key || !(c->allocs | c->frees) ||
	    number < g->global->cells_first)
		return false;
	/*
	 * A cell for all sizes without an extra record has no counts: the
	 * monitor was out of memory.
	 */
	return cell_size(c) < MONIMG_SIZE_ANY || c->extra;
}

static int
cell_take(struct image *g, const void *item, uint64_t number)
{
	struct monimg_cell c;

	if (!cell_counts(g, item, number, &c))
		return 0;
	if (cell_size(&c) >= MONIMG_SIZE_ANY + MONOUT_NCLASS) {
		g->bad_cells += g->second;
		return 0;
	}
	cell_add(g, &c);
	return 0;
}

/* The function that image_each_cell() uses. */
static int
cell_show(struct image *g, const void *item, uint64_t number)
{
	struct monimg_cell c;
	struct monimg_extra e;
	uint32_t site;

	if (!cell_counts(g, item, number, &c) ||
	    cell_size(&c) >= MONIMG_SIZE_ANY + MONOUT_NCLASS)
		return 0;
	site = hash_find(&g->site_hash,
			 c.parent & ((1u << MONIMG_NODE_BITS) - 1), 0, 0);
	if (site >= g->nsites || g->numbers[site] == UINT32_MAX ||
	    !extra_of(g, &c, &e))
		return 0;
	return g->show(g, &c, &e, g->numbers[site]);
}

int
image_each_cell(struct image *g,
		int (*put)(struct image *g, const struct monimg_cell *c,
			   const struct monimg_extra *e, uint32_t site))
{
	g->show = put;
	return image_each(g, MONIMG_CELLS, g->h.cell_size, cell_show);
}

/* ----------------------------------------------------------------- sums -- */

/* Add a pair to its site. */
static void
pair_to_site(struct image *g, struct image_pair *p)
{
	struct counts *n = &g->sites[p->site].count;
	unsigned k = size_class(p->size);
	struct account was = counts_of_class(n, k);
	struct amounts x = AMOUNTS(&was);

	/*
	 * A negative count means that the cell changed after its frees were
	 * read.
	 */
	if (p->allocs > INT64_MAX || p->bytes > INT64_MAX)
		p->allocs = p->bytes = 0;
	if (p->frees > INT64_MAX)
		p->frees = p->freed = 0;
	if (!p->frees || p->freed > INT64_MAX)
		p->freed = 0;
	if (!p->allocs)
		p->bytes = 0;
	image_add_amounts(&x, &AMOUNTS(p));
	counts_set_class(n, k, &x);
}

static uint64_t
excess(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/*
 * A thread may free a block in a cell for one size that another thread
 * allocated in a cell for all sizes of the class.  So a pair may have more
 * frees than allocations.  A class has more frees if the allocating cells are
 * missing in the image, or if the process ran while its cells were read.  The
 * excess frees aren't counted.
 */
static void
pair_trim(struct image *g, struct image_pair *p)
{
	struct counts *n = &g->sites[p->site].count;
	unsigned k = size_class(p->size);
	struct account x = counts_of_class(n, k);
	bool any = p->size >= MONIMG_SIZE_ANY;
	uint64_t less = excess(x.frees, x.allocs), bytes;

	/* At least as many frees as the excess bytes need. */
	if (!any && p->size && x.freed > x.bytes &&
	    (x.freed - x.bytes - 1) / p->size + 1 > less)
		less = (x.freed - x.bytes - 1) / p->size + 1;
	less = counts_least(less, excess(p->frees, p->allocs));
	bytes = any ? 0 : less * p->size;
	p->frees -= less;
	if (!g->cells)
		image_add(&g->lone_frees, less);
	x.frees -= less;
	if (any)
		bytes = x.frees ? counts_least(excess(x.freed, x.bytes),
					       p->freed)
				: p->freed;
	p->freed -= bytes;
	x.freed -= bytes;
	counts_set_class(n, k, &AMOUNTS(&x));
}

/*
 * Copy all cells of a running process at once.  Otherwise blocks that it
 * allocates and frees meanwhile would look as if they weren't freed.
 */
static void
cells_copy(struct image *g)
{
	unsigned char *to =
		heap_new(g->info.slots[MONIMG_CELLS] * MONIMG_SLOT + 1);
	size_t i;

	g->cells = to;
	for (i = 0; i < g->nslots; i++)
		if (g->slots[i].kind == MONIMG_CELLS) {
			image_source_read(&g->from,
					  (uint64_t)g->slots[i].slot *
						  MONIMG_SLOT,
					  to, MONIMG_SLOT);
			to += MONIMG_SLOT;
		}
}

void
image_cells(struct image *g)
{
	size_t i;

	if (g->info.running > 0)
		cells_copy(g);
	/*
	 * Read the bins first, because the monitor updates them after the
	 * cells.
	 */
	image_bins_any(g);
	image_each(g, MONIMG_CELLS, g->h.cell_size, cell_take);
	g->second = true;
	if (!g->cells) {
		image_source_forget(&g->from);
		image_global(g);
	}
	image_bins_any(g);
	image_each(g, MONIMG_CELLS, g->h.cell_size, cell_take);
	for (i = 0; i < g->npairs; i++)
		pair_to_site(g, &g->pairs[i]);
	for (i = 0; i < g->npairs; i++)
		pair_trim(g, &g->pairs[i]);
	for (i = 0; i < g->npairs; i++)
		image_bins_exact(g, &g->pairs[i]);
	image_bins_complete(g);
}

/* ------------------------------------------------------ write the cells -- */

/* Write the blocks of a site and a size. */
static void
image_cells_put_cell(struct image *g, const struct image_pair *p, uint32_t site,
		     bool peak)
{
	bool any = p->size >= MONIMG_SIZE_ANY;
	struct mon_cell x = {
		.site = site,
		.size = any ? p->size - MONIMG_SIZE_ANY : p->size,
		.any = any,
		TOTALS_INIT(p),
		.peak_blocks = peak ? (int64_t)p->held : 0,
		.peak_bytes = peak ? (int64_t)p->held_bytes : 0,
		.looked = p->looked >> MONIMG_LOOKED_SHIFT,
		.slack = p->looked & ((1ull << MONIMG_LOOKED_SHIFT) - 1),
	};

	items_put_cell(&g->out, &x);
	g->t.cells++;
}

/*
 * The process ran meanwhile, so the amounts of a site at the peak aren't the
 * sum over its sizes: write them as a cell for all sizes.
 */
static void
put_held(struct image *g, const struct image_site *s, uint32_t site)
{
	struct image_pair p = { .size = MONIMG_SIZE_ANY,
				.held = s->peak_blocks,
				.held_bytes = s->peak_bytes };

	image_cells_put_cell(g, &p, site, true);
}

/* Are the amounts of the site at the peak the sum over its sizes? */
static bool
held_adds_up(const struct image_site *s)
{
	return s->peak_blocks == (uint64_t)s->held &&
	       s->peak_bytes == (uint64_t)s->held_bytes;
}

void
image_put_cells(struct image *g)
{
	/* The present place of the site with the index that pairs use. */
	uint32_t *place = heap_new((g->nsites + 1) * sizeof(*place)), n = 0;
	const struct image_site *s;
	size_t i;

	g->numbers = heap_new((g->nsites + 1) * sizeof(*g->numbers));
	emit_open(&g->out, MONOUT_CELLS, 0);
	for (i = 0; i < g->nsites; i++) {
		s = &g->sites[i];
		place[s->index] = (uint32_t)i;
		g->numbers[s->index] = image_site_mask(s) ? n++ : UINT32_MAX;
		if (image_site_mask(s) && s->peak_blocks && !held_adds_up(s))
			put_held(g, s, n - 1);
	}
	for (i = 0; i < g->npairs; i++) {
		s = &g->sites[place[g->pairs[i].site]];
		n = g->numbers[s->index];
		if (n != UINT32_MAX)
			image_cells_put_cell(g, &g->pairs[i], n,
					     held_adds_up(s));
	}
	emit_close(&g->out);
	free(place);
}
