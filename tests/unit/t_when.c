/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other moments than the run's end, and the heap over time, on random runs:
 * blocks come and go one by one, and what the stages make of the counts at
 * moments is what a walk over all blocks says.
 */
#include "reduce/bins.h"
#include "reduce/cells.h"
#include "reduce/chains.h"
#include "reduce/filter.h"
#include "reduce/shares.h"
#include "reduce/threads.h"
#include "reduce/times.h"
#include "reduce/when.h"
#include "tests/tap.h"

#include <stdlib.h>

enum { SITES = 5, THREADS = 3, SIZES = 4, BLOCKS = 60, MOMENTS = 12 };
enum { KINDS = SITES * SIZES * THREADS, RUNS = 400, TICKS = 300 };

static const uint64_t sizes[SIZES] = { 8, 40, 300, 5000 };
static const char *const thread_names[THREADS] = { "a", "b", "" };

/* A block; died: TICKS, never. */
struct piece {
	unsigned site, size, thread, born, died;
};

static struct piece blocks[BLOCKS];
static unsigned ends[MOMENTS]; /* of each moment: ticks before are in it */
static size_t nmoments;
static unsigned peak_at; /* ticks before it */
static bool lose_threads; /* of changes, where cells tell them */
static struct mon mon;
static struct mon_module modules[2];
static struct mon_node nodes[SITES + 1];
static struct profile p;
static struct profile_priv priv;
static struct err e;
static uint64_t state = 88172645463325252u;

static unsigned
at_random(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % below;
}

/* -------------------------------------------------------- by definition -- */

/* Which blocks: of all of these that aren't negative. */
struct only {
	int site, thread, size;
};

static const struct only all = { -1, -1, -1 };

static bool
is(const struct only *o, const struct piece *b)
{
	return (o->site < 0 || (unsigned)o->site == b->site) &&
	       (o->thread < 0 || (unsigned)o->thread == b->thread) &&
	       (o->size < 0 || (unsigned)o->size == b->size);
}

/* Counts before tick t. */
static struct time_counts
counts(const struct only *o, unsigned t)
{
	struct time_counts n = { 0 };
	const struct piece *b;

	for (b = blocks; b < blocks + BLOCKS; b++) {
		if (!is(o, b))
			continue;
		n.allocs += b->born < t;
		n.bytes += b->born < t ? sizes[b->size] : 0;
		n.frees += b->died < t;
		n.freed += b->died < t ? sizes[b->size] : 0;
	}
	return n;
}

static uint64_t
live(const struct only *o, unsigned t)
{
	struct time_counts n = counts(o, t);

	return n.bytes - n.freed;
}

static bool
same(const struct time_counts *a, const struct time_counts *b)
{
	return a->allocs == b->allocs && a->bytes == b->bytes &&
	       a->frees == b->frees && a->freed == b->freed;
}

/* --------------------------------------------------------------- the run -- */

static void
random_run(void)
{
	unsigned i, t;
	struct piece *b;

	for (b = blocks; b < blocks + BLOCKS; b++) {
		*b = (struct piece){ at_random(SITES), at_random(SIZES),
				     at_random(THREADS), at_random(TICKS),
				     TICKS };
		if (at_random(19))
			b->died = b->born + 1 + at_random(TICKS / 3);
		if (b->died > TICKS)
			b->died = TICKS;
	}
	nmoments = 1 + at_random(MOMENTS);
	for (i = t = 0; i < nmoments; i++)
		ends[i] = t += 1 + at_random(TICKS / MOMENTS - 1);
	ends[nmoments - 1] = TICKS;
	for (peak_at = t = 0; t <= TICKS; t++)
		if (live(&all, t) >= live(&all, peak_at))
			peak_at = t;
}

/* A kind of blocks: a site, a size, a thread. */
static struct only
kind(unsigned i)
{
	return (struct only){ (int)(i / (SIZES * THREADS)), (int)(i % THREADS),
			      (int)(i / THREADS % SIZES) };
}

static struct mon_cell
cell(const struct only *o)
{
	struct time_counts n = counts(o, TICKS), at = counts(o, peak_at);

	return (struct mon_cell){
		.site = (uint32_t)o->site,
		.thread = (uint32_t)o->thread + 1,
		.size = sizes[o->size],
		.allocs = n.allocs,
		.bytes = n.bytes,
		.frees = n.frees,
		.freed = n.freed,
		.peak_blocks = (int64_t)(at.allocs - at.frees),
		.peak_bytes = (int64_t)(at.bytes - at.freed),
	};
}

/* Is a thread the only one with blocks of its site and size? */
static bool
alone(const struct only *o)
{
	const struct only any = { o->site, -1, o->size };

	return counts(o, TICKS).allocs == counts(&any, TICKS).allocs;
}

/*
 * The changes of a kind of blocks; at moments that it had changed.  Where there
 * is no doubt whose they are, it may not be said.
 */
static void
fill_changes(const struct only *o)
{
	uint32_t thread =
		lose_threads && alone(o) ? 0 : (uint32_t)o->thread + 1;

	struct time_counts n, was = { 0 };
	struct mon_change *x;
	uint32_t i;

	for (i = 0; i < nmoments; i++) {
		n = counts(o, ends[i]);
		if (same(&n, &was))
			continue;
		was = n;
		x = &mon.changes[mon.nchanges++];
		*x = (struct mon_change){
			.site = (uint32_t)o->site,
			.thread = thread,
			.moment = i,
			.size = sizes[o->size],
			.allocs = n.allocs,
			.bytes = n.bytes,
			.frees = n.frees,
			.freed = n.freed,
		};
	}
}

static void
fill_moments(void)
{
	struct time_counts n;
	unsigned i;

	for (i = 0; i < nmoments; i++) {
		n = counts(&all, ends[i]);
		mon.moments[i] = (struct mon_moment){
			ends[i] * 1000000000ull,
			n.allocs,
			n.bytes,
			n.frees,
			n.freed,
			0,
			4096,
		};
	}
	mon.nmoments = nmoments;
}

static void
fill_site(unsigned i)
{
	struct only o = { (int)i, -1, -1 }, of;
	struct time_counts n = counts(&o, peak_at);
	struct mon_site *s = &mon.sites[i];
	unsigned k, c;

	s->node = i + 1;
	s->number = i;
	s->reallocs = 3;
	s->count.peak = n.bytes - n.freed;
	s->peak_blocks = n.allocs - n.frees;
	for (k = 0; k < SIZES; k++) {
		of = (struct only){ (int)i, -1, (int)k };
		n = counts(&of, TICKS);
		c = shares_class(sizes[k]);
		s->count.allocs[c] += n.allocs;
		s->count.bytes[c] += n.bytes;
		s->count.frees[c] += n.frees;
		s->count.freed[c] += n.freed;
	}
	(void)sums_add(&mon.sums, &s->count, 3);
}

/* The merged data of it. */
static void
fill(void)
{
	struct only o;
	unsigned i;

	mon = (struct mon){ .modules = modules,
			    .nmodules = 2,
			    .nodes = nodes,
			    .nnodes = SITES + 1 };
	mon.sites = calloc(SITES, sizeof(*mon.sites));
	mon.cells = calloc(KINDS, sizeof(*mon.cells));
	mon.threads = calloc(THREADS, sizeof(*mon.threads));
	mon.moments = calloc(MOMENTS, sizeof(*mon.moments));
	mon.changes = calloc(KINDS * MOMENTS, sizeof(*mon.changes));
	for (i = 0; i < THREADS; i++) {
		o = (struct only){ -1, (int)i, -1 };
		mon.threads[i] = (struct mon_thread){
			.name = thread_names[i],
			.allocs = counts(&o, TICKS).allocs,
			.bytes = counts(&o, TICKS).bytes,
		};
	}
	for (i = 0; i < KINDS; i++) {
		o = kind(i);
		mon.cells[mon.ncells] = cell(&o);
		mon.ncells += mon.cells[mon.ncells].allocs != 0;
		fill_changes(&o);
	}
	for (i = 0; i < SITES; i++)
		fill_site(i);
	mon.bins = calloc(SIZES, sizeof(*mon.bins));
	for (i = 0; i < SIZES; i++) {
		o = (struct only){ -1, -1, (int)i };
		mon.bins[mon.nbins++] =
			(struct mon_bin){ .size = sizes[i],
					  .allocs = counts(&o, TICKS).allocs,
					  .frees = counts(&o, TICKS).frees };
	}
	fill_moments();
	mon.nsites = SITES;
	mon.nthreads = THREADS;
	mon.total[MONOUT_T_PEAK] = live(&all, peak_at);
	mon.total[MONOUT_T_PEAK_AT] = peak_at * 1000000000ull;
	mon.peaks_known = mon.lives_known = mon.threads_known = true;
	mon.cells_known = mon.cells_threads = true;
	mon.times_known = mon.changes_known = true;
}

static int
run(const struct profile_when *w, const struct profile_filter *f)
{
	struct funcs funcs = { .mon = &mon, .arena = &priv.arena };
	struct filter t;
	const bool *used;
	int status;

	p = (struct profile){ .priv = &priv, .nruns = 1 };
	priv = (struct profile_priv){ .symbols = symbols_new(true) };
	p.runs = arena_array(&priv.arena, 1, sizeof(*p.runs));
	funcs.symbols = priv.symbols;
	symbols_add(priv.symbols, modules[1].path, NULL, 0);
	fill();
	e.text[0] = '\0';
	status = when_apply(&p, &mon, w, &e) || times_begin(&p, &mon) ||
		 filter_init(&t, &p, &mon, f, &e);
	if (status)
		return -1;
	funcs.filter = filter_is_on(&t) ? &t : NULL;
	if (chains_build(&p, &funcs, &used) || filter_settle(&t) ||
	    bins_make(&p, &mon) || threads_make(&p, &mon) ||
	    callgraph_build(&p) || times_make(&p, &mon))
		status = -1;
	p.peak = mon.total[MONOUT_T_PEAK];
	filter_fini(&t);
	funcs_fini(&funcs);
	return status;
}

static void
done(void)
{
	free(mon.sites);
	free(mon.cells);
	free(mon.threads);
	free(mon.moments);
	free(mon.changes);
	free(mon.bins);
	free(p.warnings);
	symbols_free(priv.symbols);
	arena_fini(&priv.arena);
}

/* ------------------------------------------------------------- a moment -- */

static struct time_counts
sums(const struct counts *c)
{
	return (struct time_counts){ counts_sum(c->allocs),
				     counts_sum(c->bytes), counts_sum(c->frees),
				     counts_sum(c->freed) };
}

static int
number(const struct site *s)
{
	return (int)s->tip->func->addr - 1;
}

/* Are the tables those of the blocks before tick t? */
static bool
agrees(unsigned t)
{
	struct time_counts want, got;
	uint64_t bytes = 0;
	struct only o;
	size_t i, k, n = 0;

	for (i = 0; i < p.nsites; i++) {
		o = (struct only){ number(&p.sites[i]), -1, -1 };
		want = counts(&o, t);
		got = sums(&p.sites[i].count);
		n += want.allocs;
		if (!same(&want, &got) || !want.allocs)
			return false;
	}
	want = counts(&all, t);
	got = sums(&p.total);
	if (n != want.allocs || !same(&want, &got))
		return false;
	for (i = 0; i < p.nbins; i++) {
		for (k = 0; sizes[k] != p.bins[i].size; k++)
			;
		o = (struct only){ -1, -1, (int)k };
		if (p.bins[i].allocs != counts(&o, t).allocs ||
		    p.bins[i].frees != counts(&o, t).frees)
			return false;
		bytes += p.bins[i].allocs * sizes[k];
	}
	for (i = 0; i < p.nthreads; i++) {
		for (k = 0; strcmp(thread_names[k], p.all_threads[i].name); k++)
			;
		o = (struct only){ -1, (int)k, -1 };
		if (p.all_threads[i].bytes != counts(&o, t).bytes)
			return false;
	}
	return bytes + p.big.bytes == want.bytes;
}

static void
moments(void)
{
	static const struct profile_filter none;
	struct profile_when w;
	unsigned i, t, k, bad = 0, known = 0, unknown = 0;
	char text[32];

	for (i = 0; i < RUNS; i++) {
		random_run();
		/* Half a second after a tick. */
		t = at_random(TICKS);
		snprintf(text, sizeof(text), "%u.5", t);
		w = (struct profile_when){ .at = text };
		for (k = 0; k < nmoments && ends[k] <= t; k++)
			;
		t = k ? ends[k - 1] : 0;
		bad += run(&w, &none) || !agrees(t) || !p.moment.note ||
		       !p.moment.other || mon.lives_known ||
		       p.moment.at != t * 1000000000ull;
		/* Who held the peak, if that was before. */
		bad += mon.peaks_known != (peak_at <= t);
		if (mon.peaks_known)
			bad += p.peak != live(&all, peak_at) ||
			       p.total.peak != p.peak;
		else
			bad += p.peak != 0 || p.total.peak != 0;
		known += mon.peaks_known;
		unknown += !mon.peaks_known;
		done();
		w.at = "end";
		bad += run(&w, &none) || !agrees(TICKS) || p.moment.other ||
		       !mon.lives_known || !p.moment.note;
		done();
	}
	is_int(bad, 0, "%d random runs: all tables at a moment", RUNS);
	ok(known > RUNS / 20 && unknown > RUNS / 20,
	   "with the peak before and behind it");
}

/* Only what was live then. */
static void
peaks(void)
{
	static const struct profile_filter none;
	const struct profile_when w = { .at = "peak" };
	struct time_counts want, got;
	unsigned i, k, bad = 0;
	struct only o;

	for (i = 0; i < RUNS; i++) {
		random_run();
		bad += run(&w, &none) || !p.moment.peak;
		for (k = 0; k < p.nsites; k++) {
			o = (struct only){ number(&p.sites[k]), -1, -1 };
			want = counts(&o, peak_at);
			got = sums(&p.sites[k].count);
			bad += got.allocs != want.allocs - want.frees ||
			       got.bytes != want.bytes - want.freed ||
			       got.frees || got.freed ||
			       got.bytes != p.sites[k].count.peak;
		}
		bad += sums(&p.total).bytes != live(&all, peak_at) ||
		       p.peak != live(&all, peak_at);
		done();
	}
	is_int(bad, 0, "%d random runs: what was live at the peak", RUNS);
}

/* --------------------------------------------------------------- a span -- */

/* Blocks born from tick a on and before b; and those that never died. */
static bool
span_agrees(unsigned a, unsigned b)
{
	uint64_t allocs = 0, bytes = 0, left = 0, kept = 0;
	struct time_counts got = sums(&p.total);
	const struct piece *x;

	for (x = blocks; x < blocks + BLOCKS; x++) {
		if (x->born < a || x->born >= b)
			continue;
		allocs++;
		bytes += sizes[x->size];
		left += x->died >= TICKS;
		kept += x->died >= TICKS ? sizes[x->size] : 0;
	}
	return got.allocs == allocs && got.bytes == bytes &&
	       got.allocs - got.frees <= left &&
	       got.bytes - got.freed <= kept && p.moment.kept_blocks >= left &&
	       p.moment.kept_bytes >= kept;
}

static void
spans(void)
{
	static const struct profile_filter none;
	char from[16], to[16];
	const struct profile_when w = { .from = from, .to = to };
	unsigned i, bad = 0, sure = 0;
	size_t a, b;

	for (i = 0; i < RUNS * 3; i++) {
		random_run();
		a = at_random((unsigned)nmoments + 1);
		b = a + at_random((unsigned)(nmoments - a) + 1);
		snprintf(from, sizeof(from), "%u", a ? ends[a - 1] : 0);
		snprintf(to, sizeof(to), "%u", b ? ends[b - 1] : 0);
		if (run(&w, &none) ||
		    !span_agrees(a ? ends[a - 1] : 0, b ? ends[b - 1] : 0))
			bad++;
		sure += p.moment.other &&
			p.moment.kept_bytes ==
				counts_sum(p.total.bytes) -
					counts_sum(p.total.freed);
		if (!a && b == nmoments)
			bad += !agrees(TICKS) || p.moment.other ||
			       !mon.lives_known;
		done();
	}
	is_int(bad, 0, "%d random runs: what a span allocated", RUNS * 3);
	ok(sure > RUNS / 10 && sure < RUNS * 3,
	   "of some it is known for sure what is left: %u", sure);
}

/* ------------------------------------------------------------- the times -- */

/* What a row has at moment i. */
static struct time_counts
row_at(const struct time_row *row, unsigned i)
{
	struct time_counts n = { 0 };
	size_t k;

	for (k = 0; k < row->n && row->change[k].moment <= i; k++)
		n = row->change[k].count;
	return n;
}

static bool
rows_agree(const struct only *o, const struct time_row *row)
{
	struct time_counts want, got;
	unsigned i;

	for (i = 0; i < nmoments; i++) {
		want = counts(o, ends[i]);
		got = row_at(row, i);
		if (!same(&want, &got))
			return false;
	}
	return true;
}

/* All rows of p->time, of one thread if that isn't negative. */
static bool
times_agree(int thread)
{
	struct time_counts want;
	struct only o = { -1, thread, -1 };
	size_t i, k;

	if (!p.time.known || p.time.n != nmoments)
		return false;
	for (i = 0; i < nmoments; i++) {
		want = counts(&o, ends[i]);
		if (!same(&want, &p.time.total[i]))
			return false;
	}
	for (i = 0; i < p.nsites; i++) {
		o.site = number(&p.sites[i]);
		if (!rows_agree(&o, &p.time.sites[i]))
			return false;
	}
	o.site = -1;
	for (i = 0; i < p.nthreads; i++) {
		for (k = 0; strcmp(thread_names[k], p.all_threads[i].name); k++)
			;
		o.thread = (int)k;
		if (!rows_agree(&o, &p.time.threads[i]))
			return false;
	}
	return !p.time.threads[p.nthreads].n;
}

static void
times(void)
{
	static const char *const name = "b";
	static const struct profile_filter none;
	static const struct profile_filter one = { .thread = { &name, 1 } };
	static const struct profile_when end;
	unsigned i, bad = 0;

	for (i = 0; i < RUNS; i++) {
		random_run();
		lose_threads = i % 2;
		bad += run(&end, &none) || !times_agree(-1) || p.moment.note ||
		       !p.time.rss || p.time.rss[0] != 4096;
		done();
		bad += run(&end, &one) || !times_agree(1);
		done();
	}
	is_int(bad, 0, "%d random runs: rows over time, with filters", RUNS);
}

/* -------------------------------------------------------------- refusals -- */

/* What is said when w is asked of the data that fill() makes. */
static const char *
said(const char *at, const char *from, const char *to)
{
	static const struct profile_filter none;
	const struct profile_when w = { at, from, to };
	static char text[sizeof(e.text)];

	if (!run(&w, &none))
		snprintf(e.text, sizeof(e.text), "%s", p.moment.note);
	memcpy(text, e.text, sizeof(text));
	done();
	return text;
}

static void
refusals(void)
{
	random_run();
	ok(strstr(said("301", NULL, NULL),
		  "--at=301: the run ended 300.000 s after its start"),
	   "after the end");
	ok(strstr(said("12q", NULL, NULL), "--at=12q: no moment;"), "a unit");
	ok(strstr(said("-1", NULL, NULL), "--at=-1: no moment;"), "negative");
	ok(strstr(said("0x1", NULL, NULL), "no moment;"), "hexadecimal");
	ok(strstr(said("nan", NULL, NULL), "no moment;"), "not a number");
	ok(strstr(said("mark:a", NULL, NULL), "the program set no marks"),
	   "no marks");
	ok(strstr(said(NULL, "20", "10"), "the second moment is before"),
	   "the wrong way round");
	ok(strstr(said("10", "10", "20"), "don't go together"), "both");
	is_str(said("100%", NULL, NULL), "at the end, 300.000 s", "100%%");
	is_str(said("5m", NULL, NULL), "at the end, 300.000 s", "minutes");
	is_str(said("0", NULL, NULL), "at 0 s", "the start");
	is_str(said("999999999ns", NULL, NULL),
	       "at 0 s (the start, the last moment before 0.999999 s)",
	       "before the first moment");
}

int
main(void)
{
	unsigned i;

	modules[1] = (struct mon_module){ .path = "app",
					  .flags = MONOUT_M_EXE,
					  .end = 0x1000 };
	nodes[0].parent = MON_MISSING;
	for (i = 1; i <= SITES; i++)
		nodes[i] = (struct mon_node){ 0, 1, i };
	moments();
	peaks();
	spans();
	times();
	refusals();
	return done_testing();
}
