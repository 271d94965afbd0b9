/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Items: on random programs, whole and under filters, they add up to sites,
 * sizes, threads and totals.  No item gives blocks a type that isn't theirs.
 */
#include "reduce/profile/itemize.h"
#include "reduce/profile/bins.h"
#include "reduce/callgraph/callgraph.h"
#include "reduce/callgraph/filter.h"
#include "reduce/profile/parts.h"
#include "tests/tap.h"
#include "tests/unit/filter.h"

enum { TYPES = 3, MOST = SITES * CELLS };

static struct profile p;
static struct profile_priv priv;
static struct shares shares;
static struct sitetypes types;
static struct sitetype type[TYPES] = { { .name = "A" },
				       { .name = "B" },
				       { .name = "C" } };
static uint32_t of_site[SITES];
static bool cells = true; /* are known */

/* The live blocks of each of mon.cells, by type. */
static uint64_t live[MOST][TYPES];

/* ----------------------------------------------------------- the stages -- */

/*
 * Adds n live blocks of a cell to a type; *size: the size of all of them, or
 * UINT64_MAX.
 */
static void
add_live(const struct mon_cell *x, uint64_t n, uint64_t *blocks,
	 uint64_t *bytes, uint64_t *size)
{
	uint64_t left = x->allocs - x->frees;

	if (!n)
		return;
	*size = x->any || (*blocks && *size != x->size) ? UINT64_MAX : x->size;
	*blocks += n;
	*bytes += (x->bytes - x->freed) / left * n;
}

/*
 * Gives types to the live blocks of a site's cells; bases are of type 0 or
 * none.
 */
static void
give_types(uint32_t site)
{
	struct share as = { .site = site,
			    .confidence = PROFILE_VTABLE,
			    .mark = '=' };
	uint64_t blocks[TYPES] = { 0 }, bytes[TYPES] = { 0 }, n, some;
	uint64_t size[TYPES] = { 0 };
	bool vary = at_random(2);
	unsigned only = 1 + at_random(TYPES - 1);
	size_t i, t;

	of_site[site] = at_random(2) ? 0 : SHARES_NONE;
	if (!of_site[site])
		shares_set(&shares, site, 0, PROFILE_NEW);
	for (i = 0; i < mon.ncells && cells; i++) {
		if (mon.cells[i].site != site)
			continue;
		n = mon.cells[i].allocs - mon.cells[i].frees;
		for (t = 0; t < TYPES; t++, n -= some) {
			some = t + 1 == TYPES ? n : at_random((unsigned)n + 1);
			if (vary)
				some = t == only ? n : 0;
			live[i][t] = some;
			add_live(&mon.cells[i], some, &blocks[t], &bytes[t],
				 &size[t]);
		}
	}
	for (t = 1; t < TYPES; t++) {
		as.type = (uint32_t)t;
		if (size[t] == UINT64_MAX || at_random(2))
			size[t] = 0;
		if (blocks[t])
			shares_take(&shares, blocks[t], bytes[t], size[t], &as);
	}
}

static void
wish_for(struct profile_filter *f, const struct wish *w, const char **name)
{
	static const char *const threads[] = { "a", "[b]", "(no name)" };
	unsigned i;

	*f = (struct profile_filter){ .sizes = w->sizes,
				      .least = w->least,
				      .largest = w->largest,
				      .thread.item = name,
				      .collapse = w->collapse };
	for (i = 0; i < THREADS; i++) {
		if (w->thread >> i & 1)
			name[f->thread.n++] = threads[i];
	}
}

static int
run(const struct wish *w)
{
	const struct itemize_from from = { &mon, &shares, &types, false };
	struct funcs funcs = { .mon = &mon, .arena = &priv.arena };
	struct profile_filter f;
	const char *name[THREADS];
	const bool *used;
	struct filter t;
	struct err e;
	uint32_t i;
	int status;

	wish_for(&f, w, name);
	p = (struct profile){ .priv = &priv };
	priv = (struct profile_priv){ .symbols = symbols_new(true) };
	funcs.symbols = priv.symbols;
	symbols_add(priv.symbols, modules[1].path, NULL, 0);
	symbols_add(priv.symbols, modules[2].path, NULL, 0);
	fill();
	mon.cells_known = cells;
	status = filter_init(&t, &p, &mon, &f, &e);
	funcs.filter = filter_is_on(&t) ? &t : NULL;
	if (!status) {
		chains_build(&p, &funcs, &used);
		filter_finish(&t);
		bins_make(&p, &mon);
		threads_make(&p, &mon);
		arcs_build(&p);
	}
	p.peaks_known = mon.peaks_known;
	types = (struct sitetypes){ .types = type,
				    .n = TYPES,
				    .of_site = of_site };
	memset(live, 0, sizeof(live));
	shares_make(&shares, &mon, &p);
	for (i = 0; i < mon.nsites && !status; i++)
		give_types(i);
	itemize_make(&p, &from);
	filter_fini(&t);
	funcs_fini(&funcs);
	return status;
}

static void
done(void)
{
	empty();
	shares_fini(&shares);
	free(p.warnings);
	symbols_free(priv.symbols);
	arena_fini(&priv.arena);
}

/* ------------------------------------------------------ what must be so -- */

/* The items of each site add up to the site. */
static bool
sites_agree(void)
{
	uint64_t allocs, bytes, frees, freed, peak, blocks;
	const struct item *x;
	size_t i, k = 0;

	for (i = 0; i < p.nsites; i++) {
		const struct site *s = &p.sites[i];

		allocs = bytes = frees = freed = peak = blocks = 0;
		for (; k < p.nitems && p.items[k].site == s; k++) {
			x = &p.items[k];
			allocs += x->allocs;
			bytes += x->bytes;
			frees += x->frees;
			freed += x->freed;
			peak += x->peak;
			blocks += x->peak_blocks;
			if (x->frees > x->allocs || x->freed > x->bytes ||
			    (!x->any && x->bytes != x->size * x->allocs) ||
			    (x->peak_known && (x->peak_blocks > x->allocs ||
					       x->peak > x->bytes)))
				return false;
		}
		if (allocs != counts_sum(s->count.allocs) ||
		    bytes != counts_sum(s->count.bytes) ||
		    frees != counts_sum(s->count.frees) ||
		    freed != counts_sum(s->count.freed) ||
		    (p.peaks_known &&
		     (peak != s->count.peak || blocks != s->peak_blocks)))
			return false;
	}
	return k == p.nitems;
}

/* The items of each thread add up to the thread. */
static bool
threads_agree(void)
{
	uint64_t allocs[THREADS] = { 0 }, bytes[THREADS] = { 0 };
	size_t i;

	for (i = 0; i < p.nitems && cells; i++) {
		size_t t = (size_t)(p.items[i].thread - p.all_threads);

		if (!p.items[i].thread)
			return false;
		allocs[t] += p.items[i].allocs;
		bytes[t] += p.items[i].bytes;
	}
	for (i = 0; i < p.nthreads && p.filter.less && cells; i++) {
		if (p.all_threads[i].allocs != allocs[i] ||
		    p.all_threads[i].bytes != bytes[i])
			return false;
	}
	return true;
}

/* The profile's thread for a cell. */
static const struct thread *
thread_of(const struct mon_cell *x)
{
	return x->thread && p.nthreads
		       ? &p.all_threads[priv.thread_of[x->thread - 1]]
		       : NULL;
}

/* Does the item have blocks of cell x? */
static bool
is_item_of(const struct item *o, const struct mon_cell *x)
{
	return o->site == &p.sites[priv.site_of[x->site]] &&
	       o->thread == thread_of(x) && o->any == x->any &&
	       (x->any || o->size == x->size);
}

/* Are the blocks of both cells in the same items? */
static bool
have_same_items(const struct mon_cell *x, const struct mon_cell *y)
{
	return priv.site_of[x->site] == priv.site_of[y->site] &&
	       thread_of(x) == thread_of(y) && x->any == y->any &&
	       (x->any || x->size == y->size);
}

/* Are two neighbouring items, of one size, the same? */
static bool
one_twice(void)
{
	size_t i;

	for (i = 1; i < p.nitems; i++) {
		const struct item *x = &p.items[i - 1], *y = &p.items[i];

		if (x->site == y->site && x->thread == y->thread && !x->any &&
		    !y->any && x->size == y->size && x->type == y->type &&
		    x->type_mark == y->type_mark)
			return true;
	}
	return false;
}

/*
 * For a cell, or several cells with the same items: the items have the cells'
 * number of blocks, and no more of any type.
 */
static bool
cell_agrees(const struct mon_cell *x, unsigned *typed, unsigned *unsure)
{
	uint64_t has[TYPES] = { 0 }, allocs = 0;
	size_t j, t;

	for (j = 0; j < mon.ncells; j++) {
		if (!have_same_items(x, &mon.cells[j]))
			continue;
		allocs += mon.cells[j].allocs;
		for (t = 0; t < TYPES; t++)
			has[t] += live[j][t];
	}
	for (j = 0; j < p.nitems; j++) {
		if (!is_item_of(&p.items[j], x))
			continue;
		allocs -= p.items[j].allocs;
		for (t = 1; t < TYPES; t++) {
			if (p.items[j].type != type[t].name)
				continue;
			++*typed;
			if (p.items[j].allocs > has[t])
				return false;
			has[t] -= p.items[j].allocs;
		}
		*unsure += !p.items[j].type;
	}
	return !allocs;
}

static bool
cells_agree(unsigned *typed, unsigned *unsure)
{
	size_t i;

	for (i = 0; i < mon.ncells && cells; i++)
		if (!cell_agrees(&mon.cells[i], typed, unsure))
			return false;
	return !cells || !one_twice();
}

static bool
is_typed(const struct item *x, size_t t)
{
	return t < TYPES ? x->type == type[t].name : !x->type;
}

/*
 * Types have no more blocks than their shares; the type of the rest is unknown.
 */
static bool
types_agree(void)
{
	uint64_t of[TYPES + 1] = { 0 }, in[TYPES + 1] = { 0 };
	size_t i, t;

	for (i = 0; i < shares.n; i++)
		of[shares.v[i].type == SHARES_NONE ? TYPES
						   : shares.v[i].type] +=
			shares.v[i].allocs;
	for (i = 0; i < p.nitems; i++) {
		for (t = 0; t <= TYPES; t++)
			in[t] += is_typed(&p.items[i], t) ? p.items[i].allocs
							  : 0;
	}
	for (t = 1; t < TYPES; t++) {
		if (in[t] > of[t])
			return false;
	}
	return cells || !memcmp(of, in, sizeof(of));
}

static struct wish
random_wish(void)
{
	struct wish w = { .collapse = at_random(2) };

	if (!cells || at_random(2))
		return w;
	w.thread = at_random(2) ? at_random(1 << THREADS) : 0;
	w.sizes = at_random(2);
	w.least = at_random(40);
	w.largest = w.least + at_random(6000);
	return w;
}

static void
random_programs(const char *name)
{
	unsigned i, bad[5] = { 0 }, typed = 0, unsure = 0, less = 0;
	struct wish w;

	for (i = 0; i < PROGRAMS / 3; i++) {
		random_program();
		w = random_wish();
		bad[0] += run(&w) != 0;
		bad[1] += !sites_agree();
		bad[2] += !threads_agree();
		bad[3] += !cells_agree(&typed, &unsure);
		bad[4] += !types_agree();
		less += p.filter.less && p.nitems;
		if (cells == (p.items_why != NULL))
			bad[0]++;
		done();
	}
	is_int(bad[0], 0, "%s: made, and what is missing is said", name);
	is_int(bad[1], 0, "items add up to sites");
	is_int(bad[2], 0, "and to threads");
	is_int(bad[3], 0, "each cell has its items, no type is wrong");
	is_int(bad[4], 0, "nor has more than there is");
	ok(!cells || (typed > PROGRAMS && unsure > PROGRAMS),
	   "%u of another type than their site, %u not known", typed, unsure);
	ok(!cells || less > PROGRAMS / 20, "%u under filters", less);
}

int
main(void)
{
	static char app[] = "/none/app", other[] = "/none/other";

	modules[1] = (struct mon_module){ .path = app };
	modules[2] = (struct mon_module){ .path = other };
	random_programs("cells");
	cells = false;
	random_programs("no cells");
	return done_testing();
}
