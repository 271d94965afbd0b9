/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of an image: sites and their data, threads, types. */
#include "reduce/base/arena.h"
#include "reduce/image/image_reader.h"
#include "reduce/model/life.h"

#include <stdlib.h>
#include <string.h>

/* The most live bytes of a thread that the process's count may lack. */
#define SPREAD ((uint64_t)32 << 10)

/* ---------------------------------------------------------------- sites -- */

uint32_t
image_site_mask(const struct image_site *s)
{
	const struct counts *n = &s->count;
	uint32_t mask = 0;
	int i;

	for (i = 0; i < PROFILE_NCLASS; i++)
		mask |= (uint32_t)(n->allocs[i] != 0) << i;
	return mask;
}

static void
put_site(struct image *g, const struct image_site *s)
{
	struct monrec_site x = {
		s->node, s->reallocs, image_site_mask(s), { { 0 } }
	};
	const struct counts *n = &s->count;
	struct account a;
	int i;

	for (i = 0; i < PROFILE_NCLASS; i++) {
		if (!(x.mask >> i & 1))
			continue;
		a = counts_of_class(n, (unsigned)i);
		TOTALS_SET(&x.size_class[i], &a);
		TOTALS_ADD(&g->t.count, &a);
	}
	g->t.reallocs += s->reallocs;
	items_put_site(&g->out, &x);
}

/* Write the amounts of a site at the peak. */
static void
put_peak(struct image *g, struct image_site *s, uint64_t number)
{
	uint64_t blocks, bytes;

	/* Negative, because threads ran while the peak was set. */
	if (s->held <= 0 || s->held_bytes < 0)
		return;
	blocks = counts_least((uint64_t)s->held, counts_sum(s->count.allocs));
	bytes = counts_least((uint64_t)s->held_bytes,
			     counts_sum(s->count.bytes));
	items_put_peak(&g->out, &(struct monrec_peak){ number, blocks, bytes });
	s->peak_blocks = blocks;
	s->peak_bytes = bytes;
	g->t.peak_blocks += blocks;
	g->t.peak_bytes += bytes;
	g->t.peaks++;
}

/* Move a limit of the lifetimes into the bin to which it belongs. */
static uint64_t
life_limit(uint64_t ns, unsigned bin)
{
	return life_bin(ns) == bin ? ns : bin ? 1ull << bin : 0;
}

/*
 * The process was killed, or ran, between two counts.  So limit each part to
 * its whole.
 */
static void
clamp_life(struct life *x, const struct image_site *s)
{
	uint64_t frees = counts_sum(s->count.frees);
	unsigned __int128 sum = x->sum, least, most;
	unsigned i, low = PROFILE_NLIFE, high = 0;

	x->near = counts_least(x->near, frees);
	x->temps = counts_least(x->temps, x->near);
	x->by_others = counts_least(x->by_others, frees);
	x->moved = counts_least(x->moved, s->reallocs);
	x->copied = x->moved ? x->copied : 0;
	x->weight = 0;
	for (i = 0; i < PROFILE_NLIFE; i++) {
		image_add(&x->weight, x->bin[i]);
		if (x->bin[i]) {
			low = low < i ? low : i;
			high = i;
		}
	}
	x->timed = counts_least(counts_least(x->timed, frees), x->weight);
	if (!x->timed)
		return;
	x->min = life_limit(x->min, low);
	x->max = life_limit(x->max, high);
	if (x->max < x->min)
		x->max = x->min;
	least = (unsigned __int128)x->weight * x->min;
	most = (unsigned __int128)x->weight * x->max;
	sum = sum < least ? least : sum > most ? most : sum;
	x->sum = sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

static void
put_life(struct image *g, struct image_site *s, uint64_t number)
{
	struct life x = { 0 };

	if (s->life)
		x = g->lives[s->life - 1];
	clamp_life(&x, s);
	if (life_is_empty(&x))
		return;
	items_put_of_life(&g->out, number, &x);
	g->t.lives++;
}

static void
put_figures(struct image *g, struct image_site *s, uint64_t number)
{
	for (unsigned i = 0; i < MONOUT_NFIGURE; i++) {
		struct mon_figure x = { (uint32_t)number, i, s->figure[i].sum,
					0 };

		if (g->h.sample)
			monimg_figure_estimate(&s->figure[i], &x.n,
					       &x.variance);
		if (!x.n)
			continue;
		items_put_figure(&g->out, &x);
		g->t.figures++;
	}
}

/* Call put with each site that has allocations, and its number in the file. */
static void
each_site(struct image *g,
	  void (*put)(struct image *g, struct image_site *s, uint64_t n))
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < g->nsites; i++) {
		if (image_site_mask(&g->sites[i]))
			put(g, &g->sites[i], n++);
	}
}

static void
put_one(struct image *g, struct image_site *s, uint64_t number)
{
	put_site(g, s);
	g->t.sites = number + 1;
}

static void
put_bins(struct image *g)
{
	const struct image_bin *b;
	size_t i;

	for (i = 0; i < g->nbins; i++) {
		b = &g->bins[i];
		if (!b->allocs)
			continue;
		items_put_bin(&g->out,
			      &(struct mon_bin){
				      b->size, b->allocs, b->frees, { 0 } });
		g->t.bins++;
	}
}

void
image_put_sites(struct image *g)
{
	emit_open(&g->out, MONOUT_SITES, 0);
	each_site(g, put_one);
	emit_close(&g->out);
	emit_open(&g->out, MONOUT_BINS, 0);
	put_bins(g);
	emit_close(&g->out);
	emit_open(&g->out, MONOUT_PEAKS, 0);
	each_site(g, put_peak);
	emit_close(&g->out);
	emit_open(&g->out, MONOUT_LIVES, 0);
	each_site(g, put_life);
	emit_close(&g->out);
	emit_open(&g->out, MONOUT_FIGURES, 0);
	each_site(g, put_figures);
	emit_close(&g->out);
}

/* -------------------------------------------------------------- threads -- */

static int
pub_take(struct image *g, const void *item, uint64_t number)
{
	const struct monimg_pub *t = item;
	struct monimg_pub *a;
	uint64_t taken;
	uint32_t epoch;

	(void)number;
	memcpy(&taken, &t->taken, sizeof(taken));
	memcpy(&epoch, &t->epoch, sizeof(epoch));
	if (taken != 1 || epoch != g->global->epoch)
		return 0;
	ARRAY_ROOM(g->pubs, g->pub_room, g->npubs + 1);
	a = g->pubs;
	memcpy(&a[g->npubs++], item, sizeof(*a));
	return 0;
}

void
image_threads(struct image *g)
{
	const struct monimg_global *o = g->global;
	uint64_t live;
	size_t i;

	image_global(g);
	image_each(g, MONIMG_PUBS, sizeof(struct monimg_pub), pub_take);
	live = o->live;
	for (i = 0; i < g->npubs; i++)
		live += (uint64_t)g->pubs[i].delta;
	g->peak = o->peak;
	g->peaks = o->peaks & ((1ull << MONIMG_SNAPSHOT) - 1);
	g->peak_at = o->fresh ? 0 : o->peak_at;
	/* The threads hadn't reported these yet: this is the peak. */
	if ((int64_t)live > (int64_t)g->peak) {
		g->peak = live;
		g->peaks++;
		g->peak_at = 0;
	}
	g->slack = o->spread ? g->npubs * SPREAD : 0;
}

static void
put_thread(struct image *g, bool main, uint64_t threads, const char *name,
	   struct monimg_done d)
{
	char text[17] = "";

	/* The counts of a running thread are read one after the other. */
	struct mon_thread x = { .flags = main ? MONOUT_TH_MAIN : 0,
				.threads = threads ? threads : 1,
				.name = text,
				.allocs = d.allocs,
				.bytes = d.allocs ? d.bytes : 0,
				.frees = d.frees,
				.freed = d.frees ? d.freed : 0,
				.of_others =
					counts_least(d.of_others, d.frees) };

	memcpy(text, name, strnlen(name, 16));
	items_put_thread(&g->out, &x);
	g->t.threads++;
}

static void
put_running(struct image *g, bool main)
{
	const struct monimg_pub *t;
	struct monimg_done d;
	size_t i;

	for (i = 0; i < g->npubs; i++) {
		t = &g->pubs[i];
		if (!t->tid || (t->tid == g->h.pid) != main)
			continue;
		d = t->done;
		d.allocs += t->seq - t->seq_first + t->handlers.allocs;
		d.bytes += t->handlers.bytes;
		d.frees += t->handlers.frees;
		d.freed += t->handlers.freed;
		d.of_others += t->handlers.of_others;
		put_thread(g, main, 1, t->name, d);
	}
}

void
image_put_threads(struct image *g)
{
	const struct monimg_row *r;
	size_t i;

	emit_open(&g->out, MONOUT_THREADS, 0);
	put_running(g, true);
	for (i = 0; i < MONIMG_ROWS; i++) {
		r = &g->global->row[g->global->epoch & 1][i];
		if (r->state == 2)
			put_thread(g, r->main, r->threads, r->name, r->done);
	}
	put_running(g, false);
	emit_close(&g->out);
}

/* ---------------------------------------------------------------- types -- */

static int
type_take(struct image *g, const void *item, uint64_t number)
{
	const struct monimg_type *x = item;
	struct monimg_type *to;
	uint32_t n;

	(void)number;
	memcpy(&n, &x->number, sizeof(n));
	if (!n || n > MONOUT_TYPE_MAX)
		return 0;
	if (!g->types)
		g->types = heap_array(MONOUT_TYPE_MAX + 1, sizeof(*g->types));
	to = heap_new(sizeof(*to));
	memcpy(to, item, sizeof(*to));
	free(g->types[n]);
	g->types[n] = to;
	return 0;
}

void
image_put_types(struct image *g)
{
	char name[sizeof(((struct monimg_type *)NULL)->name)];
	const struct monimg_type *x;
	uint32_t i;

	image_each(g, MONIMG_TYPES, sizeof(*x), type_take);
	for (i = 1; g->types && i <= MONOUT_TYPE_MAX; i++) {
		x = g->types[i];
		if (!x)
			continue;
		if (!g->types[i - 1])
			emit_open(&g->out, MONOUT_TYPES, i);
		memcpy(name, x->name, sizeof(name));
		name[counts_least(x->length, MONOUT_TYPE_NAME_MAX)] = '\0';
		items_put_type(&g->out, &(struct mon_type){ x->size, name });
		g->t.types++;
		if (i == MONOUT_TYPE_MAX || !g->types[i + 1])
			emit_close(&g->out);
	}
}

void
image_free_types(struct image *g)
{
	uint32_t i;

	for (i = 0; g->types && i <= MONOUT_TYPE_MAX; i++)
		free(g->types[i]);
	free(g->types);
	g->types = NULL;
}
