/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call graph, cycles and counts: by hand; and random graphs, compared with a
 * slow computation straight from the definitions in profile.h.
 */
#include "reduce/model/counts.h"
#include "reduce/model/life.h"
#include "tests/tap.h"
#include "tests/unit/graph.h"

static struct graph g;
static struct err e;

static void
is_counts(const struct counts *c, uint64_t allocs, uint64_t bytes,
	  uint64_t kept, const char *what)
{
	is_int(c->allocs[0], allocs, "%s: allocs", what);
	is_int(c->bytes[0], bytes, "%s: bytes", what);
	is_int(c->bytes[0] - c->freed[0], kept, "%s: kept", what);
}

/* The paper's: A main, B red (half of it freed), C blue, D make. */
static void
diamond(void)
{
	graph_init(&g, 4);
	graph_add(&g, "ABD", 204, 5019, 19);
	graph_add(&g, "ACD", 204, 4981, 4981);
	is_int(graph_run(&g, &e), 0, "diamond");
	is_int(g.p.narcs, 4, "four arcs");
	is_int(g.p.ncycles, 0, "no cycle");
	is_counts(&g.p.total, 10000, 2040000, 5000 * 204, "all");
	is_counts(&graph_func(&g, 'A')->total, 10000, 2040000, 5000 * 204, "A");
	is_counts(&graph_func(&g, 'A')->self, 0, 0, 0, "A itself");
	is_counts(&graph_func(&g, 'D')->self, 10000, 2040000, 5000 * 204,
		  "D itself");
	is_counts(&graph_arc(&g, 'A', 'B')->count, 5019, 5019 * 204, 5000 * 204,
		  "A to B");
	is_counts(&graph_arc(&g, 'C', 'D')->count, 4981, 4981 * 204, 0,
		  "C to D");
	is_int(graph_func(&g, 'D')->calls, 10000, "calls of D");
	is_int(graph_func(&g, 'A')->calls, 0, "calls of A");
	is_int(graph_func(&g, 'A')->outcalls, 10000, "calls by A");
	is_int(graph_func(&g, 'B')->outcalls, 5019, "calls by B");
	is_int(graph_func(&g, 'A')->order, 0, "A is first");
	is_int(graph_func(&g, 'B')->order, 1, "B is second");
	is_int(graph_func(&g, 'C')->order, 1, "C too");
	is_int(graph_func(&g, 'D')->order, 2, "D is last");
	graph_fini(&g);
}

/* main, F, G, F, G and one block of ten bytes. */
static void
mutual(void)
{
	struct cycle *c;

	graph_init(&g, 8);
	graph_add(&g, "AFGFG", 10, 1, 0);
	is_int(graph_run(&g, &e), 0, "mutual recursion");
	is_int(g.p.ncycles, 1, "one cycle");
	c = &g.p.cycles[0];
	is_int(c->number, 1, "its number");
	is_int(c->nmembers, 2, "its members");
	is_counts(&c->total, 1, 10, 10, "the cycle, once");
	is_counts(&c->self, 1, 10, 10, "the cycle itself");
	is_int(c->calls, 1, "calls from outside");
	is_int(c->internal, 3, "calls inside");
	is_int(c->ncallers, 1, "one caller");
	is_int(c->ncallees, 0, "no callee");
	ok(c->callers[0].other == graph_func(&g, 'A'), "it is A");
	is_counts(&c->callers[0].count, 1, 10, 10, "from A");
	is_int(c->callers[0].calls, 1, "calls from A");
	is_counts(&graph_func(&g, 'F')->total, 1, 10, 10, "F, once");
	is_counts(&graph_func(&g, 'G')->total, 1, 10, 10, "G, once");
	is_counts(&graph_arc(&g, 'F', 'G')->count, 1, 10, 10, "F to G, once");
	is_int(graph_arc(&g, 'F', 'G')->calls, 2, "F to G, two calls");
	is_int(graph_arc(&g, 'G', 'F')->calls, 1, "G to F, one call");
	is_int(graph_func(&g, 'F')->calls, 2, "calls of F");
	is_int(graph_func(&g, 'G')->calls, 2, "calls of G");
	is_int(graph_func(&g, 'F')->cycle, 1, "F is in it");
	is_int(graph_func(&g, 'A')->cycle, 0, "A isn't");
	graph_fini(&g);
}

static void
recursion(void)
{
	graph_init(&g, 3);
	graph_add(&g, "ABBBC", 8, 5, 2);
	graph_add(&g, "ABC", 8, 1, 0);
	graph_add(&g, "ABB", 8, 1, 1);
	is_int(graph_run(&g, &e), 0, "self recursion");
	is_int(g.p.ncycles, 0, "is no cycle");
	is_counts(&graph_func(&g, 'B')->total, 7, 56, 32, "B, once each");
	is_int(graph_func(&g, 'B')->calls, 7, "calls of B");
	is_int(graph_func(&g, 'B')->recursive, 11, "and recursive ones");
	is_int(graph_func(&g, 'B')->outcalls, 6, "calls by B");
	is_counts(&graph_arc(&g, 'B', 'B')->count, 6, 48, 24, "B to B");
	is_counts(&graph_arc(&g, 'A', 'B')->count, 7, 56, 32, "A to B");
	graph_fini(&g);
}

/* Two cycles; the one with more bytes is the first. */
static void
cycles(void)
{
	graph_init(&g, 6);
	graph_add(&g, "ABCBCD", 1, 3, 0);
	graph_add(&g, "ADEDE", 100, 2, 0);
	graph_add(&g, "A", 1, 1, 0);
	is_int(graph_run(&g, &e), 0, "two cycles");
	is_int(g.p.ncycles, 2, "two");
	is_int(graph_func(&g, 'D')->cycle, 1, "the larger is 1");
	is_int(graph_func(&g, 'B')->cycle, 2, "the smaller is 2");
	is_counts(&g.p.cycles[0].total, 5, 203, 203, "cycle 1");
	is_counts(&g.p.cycles[1].total, 3, 3, 3, "cycle 2");
	is_int(g.p.cycles[0].ncallers, 2, "callers of cycle 1");
	is_int(g.p.cycles[1].ncallees, 1, "callees of cycle 2");
	is_counts(&g.p.cycles[1].callees[0].count, 3, 3, 3, "what it calls");
	graph_fini(&g);
}

/*
 * Counts at the peak add up like bytes; lives and reallocs belong to the last
 * function.
 */
static void
peaks_and_lives(void)
{
	static const struct life one = { .temps = 1, .near = 2, .longest = 7 };
	static const struct life two = { .temps = 10,
					 .near = 20,
					 .longest = 3 };
	struct site *s;

	graph_init(&g, 4);
	s = graph_add(&g, "ABCBC", 10, 9, 0);
	s->count.peak = 70;
	s->peak_blocks = 7;
	s->reallocs = 3;
	s->life = &one;
	s = graph_add(&g, "AC", 10, 9, 9);
	s->count.peak = 30;
	s->peak_blocks = 3;
	s->reallocs = 2;
	s->life = &two;
	s = graph_add(&g, "", 10, 1, 1);
	s->count.peak = 5;
	s->peak_blocks = 1;
	s->life = &one;
	is_int(graph_run(&g, &e), 0, "peaks and lives");
	is_int(g.p.total.peak, 105, "peak of all");
	is_int(g.p.peak_blocks, 11, "its blocks");
	is_int(g.p.life.temps, 12, "temps of all");
	is_int(g.p.life.longest, 7, "longest of all");
	is_int(graph_func(&g, 'A')->total.peak, 100, "peak below A");
	is_int(graph_func(&g, 'A')->self.peak, 0, "none is its own");
	is_int(graph_func(&g, 'B')->total.peak, 70, "below B, once");
	is_int(graph_func(&g, 'C')->total.peak, 100, "below C, once");
	is_int(graph_func(&g, 'C')->self.peak, 100, "all its own");
	is_int(graph_arc(&g, 'B', 'C')->count.peak, 70, "B to C, once");
	is_int(graph_arc(&g, 'A', 'C')->count.peak, 30, "A to C");
	is_int(g.p.cycles[0].total.peak, 100, "the cycle's");
	is_int(g.p.cycles[0].callers[0].count.peak, 100, "into the cycle");
	is_int(graph_func(&g, 'C')->life.temps, 11, "temps of C");
	is_int(graph_func(&g, 'C')->life.longest, 7, "longest of C");
	is_int(graph_func(&g, 'C')->reallocs, 5, "reallocs of C");
	is_int(graph_func(&g, 'B')->life.near, 0, "B has no life of its own");
	is_int(graph_func(&g, 'A')->reallocs, 0, "nor A reallocs");
	graph_fini(&g);
}

/* A call path a hundred thousand deep, and counts that don't fit. */
static void
limits(void)
{
	enum { DEPTH = 100000 };
	static struct frame frames[DEPTH];
	size_t i;

	graph_init(&g, 2);
	for (i = 0; i < DEPTH; i++)
		frames[i] = (struct frame){
			.parent = i ? &frames[i - 1] : NULL,
			.func = &g.funcs[i % 2],
			.depth = (unsigned)i + 1,
		};
	g.priv.frames = frames;
	g.priv.nframes = DEPTH;
	g.p.nsites = 1;
	g.sites[0].leaf = &frames[DEPTH - 1];
	g.sites[0].count.allocs[0] = 1;
	g.sites[0].count.bytes[0] = 16;
	is_int(graph_run(&g, &e), 0, "a deep chain");
	is_int(g.p.cycles[0].internal, DEPTH - 1, "its calls");
	is_counts(&graph_func(&g, 'A')->total, 1, 16, 16, "counted once");
	graph_fini(&g);

	graph_init(&g, 2);
	graph_add(&g, "ABBB", 0, UINT64_MAX / 2 + 1, 0);
	is_int(graph_run(&g, &e), -1, "calls beyond 64 bits");
	ok(strstr(e.text, "64 bits"), "the error says so: %s", e.text);
	graph_fini(&g);

	graph_init(&g, 0);
	is_int(graph_run(&g, &e), 0, "nothing at all");
	graph_fini(&g);
}

/* ------------------------------------------------------------ at random -- */

static uint64_t state = 88172645463325252u;

static unsigned
at_random(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % below;
}

/* How many frames of the leaf's call path match? */
static uint64_t
occurrences(const struct frame *leaf,
	    bool (*match)(const struct frame *f, const void *what),
	    const void *what)
{
	uint64_t n = 0;

	for (; leaf; leaf = leaf->parent)
		n += match(leaf, what);
	return n;
}

static bool
match_func(const struct frame *f, const void *what)
{
	return f->func == what;
}

static bool
match_arc(const struct frame *f, const void *what)
{
	const struct arc *a = what;

	return f->func == a->callee && f->parent &&
	       f->parent->func == a->caller;
}

static bool
match_cycle(const struct frame *f, const void *what)
{
	return f->func->cycle == ((const struct cycle *)what)->number;
}

struct way {
	const struct func *other;
	unsigned cycle;
	bool in;
};

static bool
match_way(const struct frame *f, const void *what)
{
	const struct way *w = what;
	const struct func *from, *to;

	if (!f->parent)
		return false;
	from = w->in ? w->other : f->parent->func;
	to = w->in ? f->func : w->other;
	return f->parent->func == from && f->func == to &&
	       (w->in ? to : from)->cycle == w->cycle;
}

/* Are count and calls as defined? */
static bool
agrees(bool (*match)(const struct frame *f, const void *what), const void *what,
       const struct counts *count, const uint64_t *calls)
{
	struct counts want = { 0 };
	uint64_t n, all = 0;
	size_t i;

	for (i = 0; i < g.p.nsites; i++) {
		n = occurrences(g.sites[i].leaf, match, what);
		if (n)
			counts_add(&want, &g.sites[i].count);
		all += n * g.sites[i].count.allocs[0];
	}
	return !memcmp(&want, count, sizeof(want)) && (!calls || all == *calls);
}

/* Is g reachable from f over arcs? */
static void
reach(bool to[GRAPH_FUNCS][GRAPH_FUNCS])
{
	size_t n = g.p.nfuncs, i, j, k;

	memset(to, 0, sizeof(bool[GRAPH_FUNCS][GRAPH_FUNCS]));
	for (i = 0; i < g.p.narcs; i++)
		to[g.p.arcs[i]->caller - g.funcs]
		  [g.p.arcs[i]->callee - g.funcs] = true;
	for (k = 0; k < n; k++) {
		for (i = 0; i < n; i++) {
			for (j = 0; j < n; j++)
				to[i][j] |= to[i][k] && to[k][j];
		}
	}
}

static bool
cycles_agree(void)
{
	bool to[GRAPH_FUNCS][GRAPH_FUNCS], same, together;
	size_t n = g.p.nfuncs, i, j;

	reach(to);
	for (i = 0; i < n; i++) {
		for (j = 0; j < n; j++) {
			if (i == j)
				continue;
			same = to[i][j] && to[j][i];
			together = g.funcs[i].cycle &&
				   g.funcs[i].cycle == g.funcs[j].cycle;
			if (same != together)
				return false;
			if (to[i][j] && !same &&
			    g.funcs[i].order >= g.funcs[j].order)
				return false;
		}
	}
	return true;
}

static bool
carcs_agree(const struct cycle *c, const struct carc *v, size_t n, bool in)
{
	struct way w = { .cycle = c->number, .in = in };
	size_t i;

	for (i = 0; i < n; i++) {
		w.other = v[i].other;
		if (!agrees(match_way, &w, &v[i].count, &v[i].calls))
			return false;
	}
	return true;
}

/* Are the lives, reallocs and blocks of functions those of their sites? */
static bool
lives_agree(void)
{
	static struct life want[GRAPH_FUNCS + 1], all;
	uint64_t reallocs[GRAPH_FUNCS + 1] = { 0 }, blocks = 0;
	const struct site *s;
	size_t i, f;

	memset(want, 0, sizeof(want));
	memset(&all, 0, sizeof(all));
	for (i = 0; i < g.p.nsites; i++) {
		s = &g.sites[i];
		f = s->leaf ? (size_t)(s->leaf->func - g.funcs) : GRAPH_FUNCS;
		reallocs[f] += s->reallocs;
		blocks += s->peak_blocks;
		if (s->life) {
			life_add(&want[f], s->life);
			life_add(&all, s->life);
		}
	}
	for (i = 0; i < g.p.nfuncs; i++) {
		if (memcmp(&g.funcs[i].life, &want[i], sizeof(want[i])) != 0 ||
		    g.funcs[i].reallocs != reallocs[i])
			return false;
	}
	return !memcmp(&g.p.life, &all, sizeof(all)) &&
	       g.p.peak_blocks == blocks;
}

static bool
all_agrees(void)
{
	const struct func *f;
	const struct arc *a;
	const struct cycle *c;
	struct counts self = { 0 };
	uint64_t calls, other;
	size_t i, k;

	for (i = 0; i < g.p.nfuncs; i++) {
		f = &g.funcs[i];
		counts_add(&self, &f->self);
		for (calls = other = k = 0; k < f->ncallers; k++)
			*(f->callers[k]->caller == f ? &other : &calls) +=
				f->callers[k]->calls;
		if (!agrees(match_func, f, &f->total, NULL) ||
		    f->calls != calls || f->recursive != other)
			return false;
	}
	for (i = 0; i < g.p.narcs; i++) {
		a = g.p.arcs[i];
		if (!agrees(match_arc, a, &a->count, &a->calls))
			return false;
	}
	for (c = g.p.cycles; c < g.p.cycles + g.p.ncycles; c++) {
		if (!agrees(match_cycle, c, &c->total, NULL) ||
		    !carcs_agree(c, c->callers, c->ncallers, true) ||
		    !carcs_agree(c, c->callees, c->ncallees, false))
			return false;
	}
	return !memcmp(&self, &g.p.total, sizeof(self)) && cycles_agree() &&
	       lives_agree();
}

/* Adds to a site: a part of the peak, reallocs, perhaps a life. */
static void
add_after(struct site *s, struct life *x)
{
	uint64_t blocks = at_random((unsigned)s->count.allocs[0] + 1);

	s->peak_blocks = blocks;
	s->count.peak = s->count.bytes[0] / s->count.allocs[0] * blocks;
	s->reallocs = at_random(5);
	if (at_random(3))
		return;
	memset(x, 0, sizeof(*x));
	x->temps = at_random(5);
	x->near = x->temps + at_random(5);
	x->timed = at_random(2);
	x->weight = x->timed * 5;
	x->sum = x->timed * 5000;
	x->min = x->max = x->timed * (1 + at_random(8));
	x->bin[life_bin(x->min)] = x->weight;
	s->life = x;
}

static void
random_graphs(void)
{
	enum { GRAPHS = 3000 };
	char chain[16];
	static struct life lives[GRAPH_SITES];
	unsigned i, k, n, nfuncs, bad = 0, ncycles = 0;
	uint64_t allocs, peak = 0;
	struct site *s;

	for (i = 0; i < GRAPHS; i++) {
		nfuncs = 1 + at_random(10);
		graph_init(&g, nfuncs);
		for (n = at_random(12); n; n--) {
			for (k = 0; k < 1 + at_random(14); k++)
				chain[k] = (char)('A' + at_random(nfuncs));
			chain[k] = '\0';
			allocs = 1 + at_random(9);
			s = graph_add(&g, chain, at_random(32), allocs,
				      at_random((unsigned)allocs + 1));
			add_after(s, &lives[s - g.sites]);
		}
		if (graph_run(&g, &e) || !all_agrees())
			bad++;
		ncycles += g.p.ncycles > 0;
		peak += g.p.total.peak;
		graph_fini(&g);
	}
	is_int(bad, 0, "%d random graphs agree with the definitions", GRAPHS);
	ok(ncycles > GRAPHS / 10, "%u of them have cycles", ncycles);
	ok(peak > GRAPHS, "they have a peak");
}

int
main(void)
{
	diamond();
	mutual();
	recursion();
	cycles();
	peaks_and_lives();
	limits();
	random_graphs();
	return done_testing();
}
