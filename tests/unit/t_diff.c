/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a diff names the modules of two runs; and runs that are scaled. */
#include <stdlib.h>
#include <string.h>

#include "display/diff/diff.h"
#include "tests/tap.h"

static const char *const modules[][2] = {
	{ "libx.so", "libx.so" },
	{ "libx.so.1", "libx.so" },
	{ "libx.so.1.2.3", "libx.so" },
	{ "libx-1.2.so", "libx.so" },
	{ "libc-2.36.so", "libc.so" },
	{ "prog", "prog" },
	{ "my.sofa", "my.sofa" },
	{ "1.2.so", "1.2.so" },
	{ ".so", ".so" },
	{ "", "" },
};

static void
test_modules(void)
{
	char text[128];

	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
		snprintf(text, sizeof text, "%s", modules[i][0]);
		diff_module_plain(text);
		is_str(text, modules[i][1], "module %s", modules[i][0]);
	}
}

/* -------------------------------------------------------------- profiles -- */

enum { FUNCS = 6, FRAMES = 64, SITES = 24 };

/* A profile of a few functions. */
struct made {
	struct profile p;
	struct run run;
	struct func func[FUNCS], *funcs[FUNCS];
	struct frame frame[FRAMES];
	struct site site[SITES];
	size_t nframes;
};

static uint32_t seed = 1;

static uint32_t
any(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

/* Random call paths; the order of functions differs between profiles. */
static void
make(struct made *m, unsigned turn)
{
	static const char *const name[FUNCS] = { "a", "b", "c", "d", "e", "f" };

	memset(m, 0, sizeof *m);
	m->run = (struct run){ .path = "x", .program = "/bin/x" };
	m->p = (struct profile){ .runs = &m->run,
				 .nruns = 1,
				 .funcs = m->funcs,
				 .nfuncs = FUNCS,
				 .sites = m->site,
				 .tree = m->frame,
				 .peaks_known = true };
	for (unsigned i = 0; i < FUNCS; i++) {
		m->func[i] = (struct func){ .name = name[(i + turn) % FUNCS],
					    .module = "x",
					    .file = "x.c" };
		m->funcs[i] = &m->func[i];
	}
	while (m->p.nsites < SITES) {
		struct site *s = &m->site[m->p.nsites++];
		unsigned depth = any(4);
		uint64_t n = any(100);

		for (; depth && m->nframes < FRAMES; depth--) {
			struct frame *f = &m->frame[m->nframes++];

			*f = (struct frame){ .parent = s->leaf,
					     .func = &m->func[any(FUNCS)] };
			s->leaf = f;
		}
		s->count.allocs[0] = n;
		s->count.bytes[0] = n * any(30);
		s->count.frees[0] = any((uint32_t)n + 1);
		s->count.peak = any(1000);
		for (int k = 0; s->leaf && k < 1; k++) {
			struct counts *c = &s->leaf->func->self;

			c->allocs[0] += s->count.allocs[0];
			c->bytes[0] += s->count.bytes[0];
			c->frees[0] += s->count.frees[0];
			c->peak += s->count.peak;
		}
		m->p.total.allocs[0] += s->count.allocs[0];
		m->p.total.bytes[0] += s->count.bytes[0];
		m->p.total.frees[0] += s->count.frees[0];
		m->p.total.peak += s->count.peak;
	}
	m->p.ntree = m->nframes;
}

/* Does a table add up to the totals of both runs? */
static bool
adds_up(const struct diff *d, const struct diff_table *t)
{
	for (int run = 0; run < DIFF_NRUN; run++)
		for (int f = 0; f < DIFF_NFIGURE; f++) {
			uint64_t sum = 0;

			for (size_t i = 0; i < t->n; i++)
				sum += t->row[i].v[run][f];
			if (sum != d->total.v[run][f])
				return false;
		}
	return true;
}

/* Bytes of the sites with a function of that name on their call paths. */
static uint64_t
through(const struct profile *p, const char *name)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->nsites; i++)
		for (const struct frame *f = p->sites[i].leaf; f; f = f->parent)
			if (!strcmp(f->func->name, name)) {
				n += p->sites[i].count.bytes[0];
				break;
			}
	return n;
}

static bool
totals_right(const struct diff *d)
{
	for (size_t i = 0; i < d->nnames; i++)
		for (int run = 0; run < DIFF_NRUN; run++)
			if (d->funcs.row[i].total[run] !=
			    through(d->run[run], d->name[i].name))
				return false;
	return true;
}

/* Is b the same as a, with old and new exchanged? */
static bool
mirrors(const struct diff_table *a, const struct diff_table *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (memcmp(a->row[i].v[0], b->row[i].v[1],
			   sizeof a->row[i].v[0]) ||
		    memcmp(a->row[i].v[1], b->row[i].v[0],
			   sizeof a->row[i].v[0]) ||
		    a->row[i].in[0] != b->row[i].in[1])
			return false;
	return true;
}

static void
test_random(void)
{
	static struct made x, y;
	bool sums = true, totals = true, back = true, self = true, rows = true;

	for (unsigned turn = 0; turn < 200; turn++) {
		size_t depth = turn % 5;
		struct diff d, e;

		make(&x, turn);
		make(&y, turn / 7);
		diff_init(&d, &x.p, &y.p, depth, false, false);
		diff_init(&e, &y.p, &x.p, depth, false, false);
		sums &= adds_up(&d, &d.sites) && adds_up(&d, &d.funcs);
		totals &= totals_right(&d);
		back &= mirrors(&d.sites, &e.sites) &&
			mirrors(&d.funcs, &e.funcs);
		for (size_t i = 0; i < SITES; i++)
			rows &= d.sites.row[d.row_of[DIFF_OLD][i]].in[DIFF_OLD];
		diff_fini(&d);
		diff_fini(&e);
		diff_init(&d, &x.p, &x.p, depth, false, false);
		for (size_t i = 0; i < d.sites.n; i++)
			for (int f = 0; f < DIFF_NFIGURE; f++)
				self &= d.sites.row[i].v[0][f] ==
					d.sites.row[i].v[1][f];
		diff_fini(&d);
		diff_init(&d, &x.p, &y.p, depth, false, true);
		sums &= adds_up(&d, &d.sites) && adds_up(&d, &d.funcs) &&
			d.total.v[0][DIFF_BYTES] == d.total.v[1][DIFF_BYTES];
		diff_fini(&d);
	}
	ok(sums, "rows add up to the totals, scaled or not");
	ok(totals, "functions have what was allocated while they were there");
	ok(back, "the other way round it is the same with another sign");
	ok(self, "a run doesn't differ from itself");
	ok(rows, "sites know their rows");
}

int
main(void)
{
	test_modules();
	test_random();
	return done_testing();
}
