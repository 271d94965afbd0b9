/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters, on random data: the stages give what the definitions say for a plain
 * list of call paths and cells; parts add up to the whole.  Modules have no
 * files, so each address is a function, "[app+0x1]".
 */
#include "tests/unit/filter.h"
#include "reduce/profile/bins.h"
#include "reduce/callgraph/callgraph.h"
#include "reduce/callgraph/filter.h"
#include "reduce/profile/parts.h"
#include "tests/tap.h"

static struct profile p;
static struct profile_priv priv;
static struct err e;
static bool cells = true; /* known */

/* ----------------------------------------------------------- the stages -- */

/* Runs the stages with the wish, as options.  0 or -1. */
static int
run(const struct wish *w)
{
	static const char *const globs[] = { NULL, "app", "o?her" };
	static const char *const threads[] = { "a", "[b]", "(no name)" };
	const char *focus[FUNCS], *ignore[FUNCS], *hide[FUNCS], *module[2],
		*thread[THREADS];
	struct profile_filter f = { .focus.item = focus,
				    .ignore.item = ignore,
				    .hide.item = hide,
				    .module.item = module,
				    .thread.item = thread,
				    .sizes = w->sizes,
				    .least = w->least,
				    .largest = w->largest,
				    .collapse = w->collapse };
	struct funcs funcs = { .mon = &mon, .arena = &priv.arena };
	struct filter t;
	const bool *used;
	unsigned i;
	int status;

	for (i = 0; i < FUNCS; i++) {
		if (w->focus >> i & 1)
			focus[f.focus.n++] = names[i];
		if (w->ignore >> i & 1)
			ignore[f.ignore.n++] = names[i];
		if (w->hide >> i & 1)
			hide[f.hide.n++] = names[i];
		if (i < THREADS && (w->thread >> i & 1))
			thread[f.thread.n++] = threads[i];
		if (i < 3 && (w->module >> i & 1))
			module[f.module.n++] = globs[i];
	}
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
		scc_find(&p);
		status = propagate(&p, &e);
	}
	filter_fini(&t);
	funcs_fini(&funcs);
	return status;
}

static void
done(void)
{
	empty();
	free(p.warnings);
	symbols_free(priv.symbols);
	arena_fini(&priv.arena);
}

static unsigned
number(const struct func *f)
{
	return (unsigned)f->addr - 1;
}

static bool
funcs_agree(const struct want *x)
{
	uint64_t self[FUNCS] = { 0 }, total[FUNCS] = { 0 };
	uint64_t arc[FUNCS][FUNCS] = { { 0 } }, calls[FUNCS][FUNCS] = { { 0 } };
	const struct arc *a;
	size_t i;

	for (i = 0; i < p.nfuncs; i++) {
		self[number(p.funcs[i])] = counts_sum(p.funcs[i]->self.bytes);
		total[number(p.funcs[i])] = counts_sum(p.funcs[i]->total.bytes);
	}
	for (i = 0; i < p.narcs; i++) {
		a = p.arcs[i];
		arc[number(a->caller)][number(a->callee)] =
			counts_sum(a->count.bytes);
		calls[number(a->caller)][number(a->callee)] = a->calls;
	}
	return !memcmp(self, x->self, sizeof(self)) &&
	       !memcmp(total, x->total, sizeof(total)) &&
	       !memcmp(arc, x->arc, sizeof(arc)) &&
	       !memcmp(calls, x->calls, sizeof(calls));
}

/* Bins, classes without bins, and blocks too large for bins. */
static bool
bins_agree(const struct want *x, bool less)
{
	uint64_t bin[SIZES] = { 0 }, any[PROFILE_NCLASS] = { 0 };
	size_t i, s;

	if (!less)
		return true;
	for (i = 0; i < p.nbins; i++) {
		for (s = 0; s < SIZES && sizes[s] != p.bins[i].size; s++)
			;
		if (s == SIZES || bin[s])
			return false;
		bin[s] = p.bins[i].allocs;
	}
	for (i = 0; i < PROFILE_NCLASS; i++)
		any[i] = p.unsized[i].allocs;
	any[3] += mon.total[MONOUT_T_BIG_ALLOCS];
	return !memcmp(bin, x->bin, sizeof(bin)) &&
	       !memcmp(any, x->any, sizeof(any));
}

static bool
threads_agree(const struct want *x, bool less)
{
	size_t i, k;

	for (i = 0; i < THREADS && less; i++) {
		uint64_t bytes = 0, cells_bytes = 0;
		const char *name;

		for (k = 0; k < p.nthreads; k++) {
			if (!strcmp(p.all_threads[k].name, thread_names[i]))
				bytes = p.all_threads[k].bytes;
		}
		for (k = 0; k < mon.ncells; k++) {
			if (!mon.cells[k].thread)
				return false;
			name = mon.threads[mon.cells[k].thread - 1].name;
			if (!strcmp(name, thread_names[i]))
				cells_bytes += mon.cells[k].bytes;
		}
		if (bytes != x->thread[i] || cells_bytes != bytes)
			return false;
	}
	return true;
}

/* Do vtables, groups and fields still have their own sites? */
static bool
tables_agree(const struct want *x)
{
	size_t i;

	for (i = 0; i < mon.nvtables; i++) {
		if (mon.sites[mon.vtables[i].site].node != mon.vtables[i].addr)
			return false;
	}
	for (i = 0; i < mon.ngroups; i++) {
		if (mon.sites[mon.groups[i].site].node != mon.groups[i].first)
			return false;
	}
	for (i = 0; i < mon.nfields; i++) {
		if (mon.sites[mon.fields[i].site].node != mon.fields[i].size)
			return false;
	}
	return mon.nsites == x->sites &&
	       (x->cut ? mon.nvtables <= x->sites : mon.nvtables == x->sites);
}

static bool
all_agrees(const struct want *x)
{
	bool less = x->cut || mon.nsites < nrecords;
	bool peak = !x->split;

	return counts_sum(p.total.allocs) == x->allocs &&
	       counts_sum(p.total.bytes) == x->bytes &&
	       counts_sum(p.total.frees) == x->frees &&
	       mon.sums.bytes == x->bytes && p.filter.less == less &&
	       p.filter.part == x->cut && mon.lives_known == !x->cut &&
	       mon.peaks_known == peak && (!peak || p.total.peak == x->peak) &&
	       p.filter.unsized_bytes == x->unsized && funcs_agree(x) &&
	       bins_agree(x, less) && threads_agree(x, less) && tables_agree(x);
}

static struct wish
random_wish(void)
{
	struct wish w = { 0 };
	unsigned a = at_random(SIZES), b = at_random(SIZES);

	if (!at_random(2))
		w.focus = at_random(1 << FUNCS) & at_random(1 << FUNCS);
	if (!at_random(3))
		w.ignore = 1u << at_random(FUNCS);
	if (!at_random(3))
		w.hide = at_random(1 << FUNCS) & at_random(1 << FUNCS);
	if (!at_random(4))
		w.module = 2u << at_random(2);
	if (!at_random(4))
		w.thread = at_random(1 << THREADS);
	w.sizes = !at_random(4);
	w.collapse = !at_random(2);
	w.least = sizes[a < b ? a : b];
	w.largest = sizes[a < b ? b : a] + at_random(2);
	return w;
}

static void
random_programs(void)
{
	unsigned i, bad = 0, empty_ones = 0, cut = 0, less = 0;
	struct wish w;
	struct want x;

	for (i = 0; i < PROGRAMS; i++) {
		random_program();
		w = random_wish();
		naive(&w, &x);
		if (run(&w) || !all_agrees(&x))
			bad++;
		empty_ones += !x.sites;
		cut += x.cut;
		less += x.sites && p.filter.less;
		done();
	}
	is_int(bad, 0, "%d random programs agree with the definitions",
	       PROGRAMS);
	ok(empty_ones && empty_ones < PROGRAMS / 2, "%u are empty", empty_ones);
	ok(cut > PROGRAMS / 20, "%u have sites that are left in part", cut);
	ok(less > PROGRAMS / 4, "%u are less than the whole", less);
}

/* The bytes that are left by both wishes together. */
static uint64_t
left(struct wish w, const struct wish *more)
{
	uint64_t bytes;

	w.ignore |= more->ignore;
	w.thread = more->thread;
	w.sizes = more->sizes;
	w.least = more->least;
	w.largest = more->largest;
	if (more->focus)
		w.focus = more->focus;
	if (run(&w))
		return UINT64_MAX;
	bytes = counts_sum(p.total.bytes) + p.filter.unsized_bytes;
	done();
	return bytes;
}

/* By functions, by threads and by sizes: parts that add up. */
static void
parts(void)
{
	/* No size class is divided. */
	static const struct wish by_size[] = {
		{ .sizes = true, .least = 0, .largest = 32 },
		{ .sizes = true, .least = 33, .largest = 2048 },
		{ .sizes = true, .least = 2049, .largest = UINT64_MAX },
	};
	unsigned i, k, bad[3] = { 0 };
	struct wish w, x;
	uint64_t whole, sum;

	for (i = 0; i < PROGRAMS / 5; i++) {
		random_program();
		w = random_wish();
		w.focus = w.thread = 0;
		w.sizes = false;
		whole = left(w, &(struct wish){ 0 });
		x = (struct wish){ .focus = 1u << at_random(FUNCS) };
		sum = left(w, &x);
		x = (struct wish){ .ignore = x.focus };
		bad[0] += sum + left(w, &x) != whole;
		for (k = sum = 0; k < THREADS; k++) {
			x = (struct wish){ .thread = 1u << k };
			sum += left(w, &x);
		}
		bad[1] += sum != whole;
		for (k = sum = 0; k < 3; k++)
			sum += left(w, &by_size[k]);
		bad[2] += sum != whole;
	}
	is_int(bad[0], 0, "focus and ignore of a function are the whole");
	is_int(bad[1], 0, "all threads are the whole");
	is_int(bad[2], 0, "all sizes are the whole");
}

/* Data that are missing are not taken as zero, but as an error or unknown. */
static void
unknown(void)
{
	struct profile_filter f = { .sizes = true, .largest = 8 };
	static const char *const name = "a";
	struct filter t;

	random_program();
	fill();
	p = (struct profile){ .priv = &priv };
	priv = (struct profile_priv){ .symbols = symbols_new(true) };
	mon.cells_known = false;
	is_int(filter_init(&t, &p, &mon, &f, &e), -1, "no sizes");
	ok(strstr(e.text, "--only=size") &&
		   strstr(e.text, "run the program again"),
	   "what to do: %s", e.text);
	filter_fini(&t);
	mon.cells_known = true;
	mon.cells_threads = false;
	is_int(filter_init(&t, &p, &mon, &f, &e), 0, "sizes without threads");
	filter_fini(&t);
	f = (struct profile_filter){ .thread = { &name, 1 } };
	is_int(filter_init(&t, &p, &mon, &f, &e), -1, "no threads");
	ok(strstr(e.text, "--only=thread") && strstr(e.text, "memmon_dump()"),
	   "what to do: %s", e.text);
	filter_fini(&t);
	done();
}

/*
 * Without cells, bins are by class, and it is unknown which sites they belong
 * to.
 */
static void
without_cells(void)
{
	struct wish w = { .ignore = 1 };
	uint64_t allocs;
	unsigned c, bad = 0, i;

	cells = false;
	for (i = 0; i < 50; i++) {
		random_program();
		if (run(&w))
			bad++;
		allocs = mon.total[MONOUT_T_BIG_ALLOCS];
		for (c = 0; c < PROFILE_NCLASS; c++)
			allocs += p.unsized[c].allocs;
		bad += p.filter.less &&
		       (p.nbins || p.nthreads || allocs != mon.sums.allocs);
		done();
	}
	cells = true;
	is_int(bad, 0, "without cells: classes of sizes, no threads");
}

/* Numbers that a file may have, though the monitor doesn't write them. */
static void
odd_cells(void)
{
	struct mon_cell *x = records[0].cell;
	struct wish w = { .sizes = true, .least = 8, .largest = 8 };

	nnodes = 1;
	nrecords = 1;
	records[0] = (struct record){ .n = 1, .ncells = 2 };
	node_of[0] = node(0, 0);
	x[0] = (struct mon_cell){ .thread = 1,
				  .size = 8,
				  .allocs = 2,
				  .bytes = 17,
				  .peak_blocks = -1,
				  .peak_bytes = -8 };
	x[1] = (struct mon_cell){ .thread = 1, .size = 9, .allocs = 1 };
	is_int(run(&w), 0, "cells whose bytes and size don't agree");
	is_int(p.nbins, 0, "no bin");
	is_int(p.unsized[0].bytes, 17, "but their bytes are there");
	ok(!mon.peaks_known, "the peak isn't");
	is_int(p.total.peak, 0, "and no large number");
	done();
}

/* Many functions in one deep call path, and many that return to the first. */
static void
deep(void)
{
	enum { DEEP = 100000 };
	struct mon_node *n = calloc(2 * DEEP + 1, sizeof(*n));
	struct mon_site *s = calloc(DEEP + 1, sizeof(*s));
	struct profile_filter f = { .collapse = true };
	struct funcs funcs = { .mon = &mon, .arena = &priv.arena };
	struct filter t;
	const bool *used;
	uint32_t i, two = 0;

	for (i = 1; i <= DEEP; i++)
		n[i] = (struct mon_node){ i - 1, 1, i };
	for (; i <= 2 * DEEP; i++) {
		n[i] = (struct mon_node){ DEEP, 1, 1 + i % 2 };
		s[i - DEEP - 1] = (struct mon_site){ .node = i };
		s[i - DEEP - 1].count.allocs[0] = 1;
	}
	p = (struct profile){ .priv = &priv };
	priv = (struct profile_priv){ .symbols = symbols_new(true) };
	funcs.symbols = priv.symbols;
	symbols_add(priv.symbols, modules[1].path, NULL, 0);
	mon = (struct mon){ .modules = modules, .nmodules = 3, .nodes = n };
	mon.nnodes = 2 * DEEP + 1;
	mon.sites = s;
	mon.nsites = DEEP;
	is_int(filter_init(&t, &p, &mon, &f, &e), 0, "a deep chain");
	funcs.filter = &t;
	chains_build(&p, &funcs, &used);
	for (i = 0; i < p.nsites; i++)
		two += p.sites[i].leaf->depth <= 2;
	is_int(p.nsites, 2, "two chains are left");
	is_int(two, 2, "to the first or second function");
	filter_fini(&t);
	funcs_fini(&funcs);
	free(n);
	mon.nsites = 0;
	done();
}

int
main(void)
{
	modules[1].path = "/nonexistent/app";
	modules[2].path = "/nonexistent/other";
	random_programs();
	parts();
	unknown();
	without_cells();
	odd_cells();
	deep();
	return done_testing();
}
