/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other times than the run's end, and the heap over time, on random runs.
 * Blocks come and go one by one.  From the snapshots' counts the stages must
 * compute what a walk over all blocks gives.
 */
#include "reduce/profile/bins.h"
#include "reduce/monout/cells.h"
#include "reduce/callgraph/callgraph.h"
#include "reduce/callgraph/filter.h"
#include "reduce/profile/parts.h"
#include "reduce/profile/when.h"
#include "tests/tap.h"
#include "tests/unit/when.h"

static struct profile p;
static struct profile_priv priv;
static struct err e;

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
	if (when_apply(&p, &mon, w, NULL, &e))
		return -1;
	times_begin(&p, &mon);
	status = filter_init(&t, &p, &mon, f, &e);
	if (status)
		return -1;
	funcs.filter = filter_is_on(&t) ? &t : NULL;
	chains_build(&p, &funcs, &used);
	filter_finish(&t);
	bins_make(&p, &mon);
	threads_make(&p, &mon);
	arcs_build(&p);
	times_make(&p, &mon);
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
	free(mon.snapshots);
	free(mon.changes);
	free(mon.bins);
	free(p.warnings);
	symbols_free(priv.symbols);
	arena_fini(&priv.arena);
}

/*
 * ------------------------------------------------------------ another time --
 */

static struct amounts
sums(const struct counts *c)
{
	return (struct amounts){ counts_sum(c->allocs), counts_sum(c->bytes),
				 counts_sum(c->frees), counts_sum(c->freed) };
}

static int
number(const struct site *s)
{
	return (int)s->leaf->func->addr - 1;
}

/* Do the tables show the blocks before tick t? */
static bool
agrees(unsigned t)
{
	struct amounts want, got;
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
snapshots(void)
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
		for (k = 0; k < nsnapshots && ends[k] <= t; k++)
			;
		t = k ? ends[k - 1] : 0;
		bad += run(&w, &none) || !agrees(t) || !p.snapshot.note ||
		       !p.snapshot.other || mon.lives_known ||
		       p.snapshot.at != t * 1000000000ull;
		/* Who had the peak, if the peak was before. */
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
		bad += run(&w, &none) || !agrees(TICKS) || p.snapshot.other ||
		       !mon.lives_known || !p.snapshot.note;
		done();
	}
	is_int(bad, 0, "%d random runs: all tables at another time", RUNS);
	ok(known > RUNS / 20 && unknown > RUNS / 20,
	   "with the peak before and behind it");
}

/* Only blocks that were live then. */
static void
peaks(void)
{
	static const struct profile_filter none;
	const struct profile_when w = { .at = "peak" };
	struct amounts want, got;
	unsigned i, k, bad = 0;
	struct only o;

	for (i = 0; i < RUNS; i++) {
		random_run();
		bad += run(&w, &none) || !p.snapshot.peak;
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

/* Blocks born at tick a or later and before b; and those that never died. */
static bool
span_agrees(unsigned a, unsigned b)
{
	uint64_t allocs = 0, bytes = 0, left = 0, kept = 0;
	struct amounts got = sums(&p.total);
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
	       got.bytes - got.freed <= kept &&
	       p.snapshot.kept_blocks >= left && p.snapshot.kept_bytes >= kept;
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
		a = at_random((unsigned)nsnapshots + 1);
		b = a + at_random((unsigned)(nsnapshots - a) + 1);
		snprintf(from, sizeof(from), "%u", a ? ends[a - 1] : 0);
		snprintf(to, sizeof(to), "%u", b ? ends[b - 1] : 0);
		if (run(&w, &none) ||
		    !span_agrees(a ? ends[a - 1] : 0, b ? ends[b - 1] : 0))
			bad++;
		sure += p.snapshot.other &&
			p.snapshot.kept_bytes ==
				counts_sum(p.total.bytes) -
					counts_sum(p.total.freed);
		if (!a && b == nsnapshots)
			bad += !agrees(TICKS) || p.snapshot.other ||
			       !mon.lives_known;
		done();
	}
	is_int(bad, 0, "%d random runs: what a span allocated", RUNS * 3);
	ok(sure > RUNS / 10 && sure < RUNS * 3,
	   "of some it is known for sure what is left: %u", sure);
}

/* ------------------------------------------------------------- the times -- */

/* The row's amounts at snapshot i. */
static struct amounts
row_at(const struct time_row *row, unsigned i)
{
	struct amounts n = { 0 };
	size_t k;

	for (k = 0; k < row->n && row->change[k].snapshot <= i; k++)
		n = row->change[k].count;
	return n;
}

static bool
rows_agree(const struct only *o, const struct time_row *row)
{
	struct amounts want, got;
	unsigned i;

	for (i = 0; i < nsnapshots; i++) {
		want = counts(o, ends[i]);
		got = row_at(row, i);
		if (!same(&want, &got))
			return false;
	}
	return true;
}

/* Checks all rows of p->time; only one thread's if `thread' isn't negative. */
static bool
times_agree(int thread)
{
	struct amounts want;
	struct only o = { -1, thread, -1 };
	size_t i, k;

	if (!p.time.known || p.time.n != nsnapshots)
		return false;
	for (i = 0; i < nsnapshots; i++) {
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
		bad += run(&end, &none) || !times_agree(-1) ||
		       p.snapshot.note || !p.time.rss || p.time.rss[0] != 4096;
		done();
		bad += run(&end, &one) || !times_agree(1);
		done();
	}
	is_int(bad, 0, "%d random runs: rows over time, with filters", RUNS);
}

/* -------------------------------------------------------------- refusals -- */

/* The message for w and the data of fill(). */
static const char *
said(const char *at, const char *from, const char *to)
{
	static const struct profile_filter none;
	const struct profile_when w = { .at = at, .from = from, .to = to };
	static char text[sizeof(e.text)];

	if (!run(&w, &none))
		snprintf(e.text, sizeof(e.text), "%s", p.snapshot.note);
	memcpy(text, e.text, sizeof(text));
	done();
	return text;
}

static void
refusals(void)
{
	random_run();
	ok(strstr(said("301", NULL, NULL),
		  "--at=301: the run lasted 300.000 s"),
	   "after the end");
	ok(strstr(said("12q", NULL, NULL), "--at=12q: not a time;"), "a unit");
	ok(strstr(said("-1", NULL, NULL), "--at=-1: not a time;"), "negative");
	ok(strstr(said("0x1", NULL, NULL), "not a time;"), "hexadecimal");
	ok(strstr(said("nan", NULL, NULL), "not a time;"), "not a number");
	ok(strstr(said("1e1", NULL, NULL), "not a time;"), "an exponent");
	ok(strstr(said("1K", NULL, NULL), "not a time;"), "bytes");
	ok(strstr(said("mark:a", NULL, NULL), "the program set no marks"),
	   "no marks");
	ok(strstr(said(NULL, "20", "10"), "the second time is before"),
	   "the wrong way round");
	ok(strstr(said("10", "10", "20"), "exclude each other"), "both");
	is_str(said("100%", NULL, NULL), "at the end, 300.000 s", "100%%");
	is_str(said("5m", NULL, NULL), "at the end, 300.000 s", "minutes");
	is_str(said("0", NULL, NULL), "at 0 s", "the start");
	is_str(said("999999999ns", NULL, NULL),
	       "at 0 s (the start, the last snapshot before 0.999999 s)",
	       "before the first snapshot");
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
	snapshots();
	peaks();
	spans();
	times();
	refusals();
	return done_testing();
}
