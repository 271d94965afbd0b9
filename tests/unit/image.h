/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hand-made image, for t_image.c and t_image_bad.c. */
#ifndef MEMMON_UNIT_IMAGE_H
#define MEMMON_UNIT_IMAGE_H

#include "reduce/base/err.h"
#include "reduce/monout/mon.h"
#include "reduce/image/open.h"
#include "reduce/image/image.h"
#include "tests/monimage.h"
#include "tests/tap.h"

static struct mon m;
static struct err e;
static struct monimage f;

/* A cell of a thread (from 1), a node and a size. */
static inline struct monimg_cell *
cell(uint32_t number, uint64_t thread, uint32_t node, uint64_t size,
     uint64_t allocs, uint64_t frees)
{
	struct monimg_cell *c = monimage_cell(&f, number);

	c->key = thread << MONIMG_SIZE_BITS | size;
	c->parent = node | 5u << MONIMG_NODE_BITS;
	c->allocs = allocs;
	c->frees = frees;
	return c;
}

/* A module at 0x1000, and another one there after it is gone; four nodes. */
static inline void
start(void)
{
	struct monimg_module exe = {
		.flags = MONOUT_M_EXE,
		.start = 0x1000,
		.end = 0x3000,
		.bias = 0x1000,
		.buildid_length = 3,
		.buildid = { 1, 2, 3 },
	};
	struct monimg_module lib = { .flags = MONOUT_M_GONE,
				     .start = 0x8000,
				     .end = 0x9000 };

	monimage_init(&f, 160);
	f.h->pid = 4711;
	f.h->ppid = 1;
	f.h->start = 1700000000000000000u;
	f.h->mono = 1000;
	f.h->depth = 64;
	f.h->timing = 32;
	f.h->own = 123456;
	monimage_text(&f, &f.h->program, "/bin/x", 6);
	monimage_text(&f, &f.h->command, "x\0y", 4);
	monimage_text(&f, &f.h->memmon, "0.9", 3);
	monimage_module(&f, exe, "/bin/x");
	monimage_module(&f, lib, "/lib/old");
	lib.gen = 1;
	lib.flags = 0;
	lib.bias = 0x8000;
	monimage_module(&f, lib, "/lib/new");
	/* Children before their parents, one twice. */
	monimage_node(&f, 4, 2, 1ull << MONIMG_KEY_BITS | 0x8010);
	monimage_node(&f, 3, 2, 0x1200);
	monimage_node(&f, 2, 1, 0x1100);
	monimage_node(&f, 3, 2, 0x1200);
	monimage_node(&f, 1, 0, MONOUT_PC_STOPPED);
}

static inline bool
load(void)
{
	return !open_memory(&m, "f", f.p, monimage_size(&f), &e);
}

static inline void
finish(void)
{
	mon_fini(&m);
	monimage_fini(&f);
}

static inline uint64_t
bin_of(uint64_t size, bool frees)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < m.nbins; i++) {
		if (m.bins[i].size == size)
			n += frees ? m.bins[i].frees : m.bins[i].allocs;
	}
	return n;
}

static inline void
make_cells(void)
{
	struct monimg_fate *x;
	struct monimg_lives *l;
	struct monimg_cell *c;
	uint64_t fate;

	/* Two threads and two sizes of one node; one cell of old times. */
	c = cell(20, 1, 3, 24, 100, 40);
	c->epoch = 7;
	c->held = 50;
	c->near = 30;
	c->temps = 20;
	c = cell(21, 2, 3, 24, 10, 25);
	c->epoch = 6;
	c->held = 1000;
	x = monimage_fate(&f, c);
	x->by_others = 20;
	x->reallocs = 3;
	x->moved = 2;
	x->copied = 48;
	x->longest = 2;
	x->timed = 2;
	x->few[0] = 100;
	x->few[1] = 1;
	fate = c->fate;
	c = cell(22, 1, 3, 5000, 4, 1);
	x = monimage_fate(&f, c);
	x->timed = 1;
	l = monimage_lives(&f, x);
	l->sum = 32 * 70000;
	l->weight = l->bin[16] = 32;
	l->min = l->max = 70000;
	cell(2, 1, 3, 8, 9, 9);		    /* before the first batch */
	cell(16, 1, 3, 8, 9, 9);	    /* before the fork */
	c = cell(600, 1, 2, 300, 2, 0);	    /* another slot */
	c->fate = fate;			    /* it counts in another cell */
	cell(601, 1, 77, 16, 6, 5);	    /* no such node */
	cell(602, 1, 4, 0, 1, 1);	    /* a block of no bytes */
	cell(603, 1, 4, 70, 0, 0);	    /* nothing yet */
	cell(604, 1, 4, 70, 5, 5)->key = 0; /* never used */
	f.global->cells_first = 20;
}

static inline void
make_rest(void)
{
	struct monimg_pub *t;
	struct monimg_row *r;

	f.global->live = 17000;
	f.global->peak = 20000;
	f.global->peak_at = 6000;
	f.global->peaks = 7;
	f.global->spread = 1;
	f.global->lost_allocs = 2;
	f.global->lost_bytes = 200;
	f.global->nthreads[0] = 3;
	t = monimage_pub(&f);
	*t = (struct monimg_pub){
		.taken = 1,
		.seq = 110,
		.seq_first = 7,
		.delta = -5,
		.done = { 1, 1000, 40, 400, 3 },
		.handlers = { 2, 32, 1, 16, 0 },
		.chains = 50,
		.frames = 400,
		.same = 300,
		.deepest = 12,
		.lost = 1,
		.lost_bytes = 10,
		.tid = 4711,
		.seen = 9000,
		.name = "main",
	};
	t = monimage_pub(&f);
	*t = (struct monimg_pub){
		.taken = 1,
		.seq = 5,
		.done = { 0, 50, 4, 40, 5 },
		.chains = 5,
		.deepest = 13,
		.cut = 4,
		.stopped = 3,
		.tid = 4712,
		.seen = 12000,
		.off_frees = 1,
		.off_freed = 24,
		.off_unseen = 9,
		.name = "0123456789abcdef",
	};
	t = monimage_pub(&f); /* without a thread, but it has counted */
	t->chains = 1;
	t = monimage_pub(&f);
	*t = (struct monimg_pub){ .chains = 1000, .tid = 1 };
	r = &f.global->row[0][3];
	*r = (struct monimg_row){
		.state = 2,
		.name = "old",
		.threads = 9,
		.done = { 7, 70, 6, 60, 0 },
	};
	f.global->row[0][4].state = 1;
}

#endif
