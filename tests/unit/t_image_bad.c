/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images that are odd, torn, foreign, truncated or damaged; and many cells. */
#include "tests/unit/image.h"

/* Parents in a circle, nodes that are their own parents, missing parents. */
static void
circles(void)
{
	size_t i, bad = 0;

	start();
	monimage_node(&f, 10, 11, 0x1300);
	monimage_node(&f, 11, 12, 0x1301);
	monimage_node(&f, 12, 10, 0x1302);
	monimage_node(&f, 13, 13, 0x1303);
	monimage_node(&f, 14, 99, 0x1304);
	monimage_node(&f, 15, 14, 0x1305);
	monimage_node(&f, 0, 14, 0x1306);
	for (i = 0; i < 6; i++)
		cell(20 + (uint32_t)i, 1, 10 + (uint32_t)i, 24, 1u << i, 0);
	ok(load(), "parents in a circle");
	is_int(m.nsites, 6, "each has its site");
	is_int(m.sums.allocs, 63, "with all blocks");
	for (i = 1; i < m.nnodes; i++)
		bad += m.nodes[i].parent >= i;
	is_int(bad, 0, "callers come first");
	is_int(m.tally[MON_NODES].items, 11,
	       "every node once, and one for what "
	       "isn't known");
	ok(m.nwarning && strstr(m.warning[0], "63 allocations"),
	   "which is told");
	ok(!m.incomplete, "totals are right");
	finish();
}

/* Blocks are freed, but the cells that allocated them are missing. */
static void
alone(void)
{
	start();
	cell(20, 1, 3, 33, 5, 0);
	cell(21, 2, 3, 60, 0, 5);
	ok(load(), "frees of blocks whose cell is missing");
	is_int(m.sums.allocs, 5, "allocations");
	is_int(m.sums.frees, 2, "as many frees as there are bytes for");
	is_int(m.sums.freed, 120, "bytes freed");
	ok(m.incomplete, "the file is incomplete");
	finish();
}

/* Parts larger than the whole: the process was killed between two changes. */
static void
torn(void)
{
	struct monimg_fate *x;
	struct monimg_lives *l;
	struct monimg_cell *c;
	struct life life;

	start();
	c = cell(20, 1, 3, 24, 5, 2);
	c->near = 3;
	c->temps = 4;
	x = monimage_fate(&f, c);
	x->by_others = 9;
	x->copied = 7;
	x->timed = 3;
	l = monimage_lives(&f, x);
	l->bin[5] = l->weight = 2;
	l->sum = 1000;
	l->min = 70;
	l->max = 20;
	cell(21, 1, 2, 24, 3, 4);
	ok(load(), "parts larger than the whole");
	life_get(&m.lives, m.sites[1].life, &life);
	ok(life.near == 2 && life.temps == 2 && life.by_others == 2,
	   "are as large as that");
	ok(!life.copied, "no bytes of no blocks");
	ok(life.timed == 2 && life.min == 32 && life.max == 32 &&
		   life.sum == 64,
	   "lifetimes as their bins have them");
	is_int(m.sums.frees, 5, "frees of blocks that aren't there");
	ok(m.incomplete, "are told");
	mon_fini(&m);
	x->lives = 0;
	x->timed = 7;
	x->few[0] = x->few[1] = x->few[2] = x->few[3] = 9;
	ok(load(), "more times than there are places");
	life_get(&m.lives, m.sites[1].life, &life);
	is_int(life.weight, 4, "are those that there are");
	finish();
}

/* ---------------------------------------------------------------- damage -- */

static void
refused(const char *name, const char *text)
{
	bool loaded = load();

	ok(!loaded && strstr(e.text, text), "%s", name);
	if (loaded)
		mon_fini(&m);
	else if (!strstr(e.text, text))
		diag("%s", e.text);
	monimage_fini(&f);
	start();
}

static void
headers(void)
{
	size_t i, bad = 0;

	start();
	f.h->version = 99;
	refused("another version", "mpreduce of that version");
	f.h->order = __builtin_bswap32(MONOUT_ORDER);
	refused("another byte order", "other byte order");
	f.h->order = 7;
	refused("no order at all", "damaged");
	f.h->word = 4;
	refused("another width", "another width");
	f.h->slot = 4096;
	refused("other slots", "another build");
	f.h->pub_size--;
	refused("other structs", "another build");
	f.h->cell_size = 100000;
	refused("cells without end", "damaged");
	f.h->nslots = 0;
	refused("no slot at all", "damaged");
	f.h->kinds_at = UINT64_MAX - 8;
	refused("slots beyond all places", "damaged");
	f.h->cell_size = sizeof(struct monimg_cell) + 24;
	cell(20, 1, 3, 24, 5, 2);
	cell(21, 1, 3, 24, 5, 2);
	ok(load() && m.sums.allocs == 10, "cells that have more in them");
	mon_fini(&m);
	f.h->used = 1000;
	ok(load(), "more slots than are there");
	mon_fini(&m);
	for (i = 8; i < sizeof(struct monimg_header); i++) {
		if (!open_memory(&m, "f", f.p, i, &e)) {
			mon_fini(&m);
			bad++;
		} else if (i >= 16 && !strstr(e.text, "in the header")) {
			bad++;
		}
	}
	is_int(bad, 0, "each cut of the header is told");
	monimage_fini(&f);
}

/* Truncated at each slot: the file is read up to there, with a warning. */
static void
cuts(void)
{
	size_t at, bad = 0, whole;

	start();
	make_cells();
	make_rest();
	whole = monimage_size(&f);
	for (at = MONIMG_SLOT; at < whole; at += MONIMG_SLOT / 4) {
		if (open_memory(&m, "f", f.p, at, &e)) {
			bad++;
			continue;
		}
		bad += !m.incomplete || m.sums.allocs > 123;
		mon_fini(&m);
	}
	is_int(bad, 0, "cut anywhere: never whole, never more");
	monimage_fini(&f);
}

static uint64_t seed = 88172645463325252u;

static uint64_t
random_number(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Random words changed, most of them words that aren't 0: never a crash. */
static void
damaged(void)
{
	size_t n, i, k, at, bad = 0;
	unsigned char *copy;

	start();
	make_cells();
	make_rest();
	n = monimage_size(&f);
	copy = malloc(n);
	for (i = 0; i < 400; i++) {
		memcpy(copy, f.p, n);
		for (k = 0; k < 1 + i % 8;) {
			at = random_number() % (n / 8) * 8;
			if (i % 3 == 0)
				at %= sizeof(*f.h) / 8 * 8;
			if (i % 3 == 1 &&
			    !memcmp(copy + at, "\0\0\0\0\0\0\0", 8))
				continue;
			copy[at + random_number() % 8] =
				(unsigned char)random_number();
			k++;
		}
		if (open_memory(&m, "f", copy, n, &e))
			continue;
		bad += m.sums.frees > m.sums.allocs;
		mon_fini(&m);
	}
	is_int(bad, 0, "400 damaged ones");
	free(copy);
	monimage_fini(&f);
}

/* Cells at random, and their sums. */
static void
oracle(void)
{
	static uint64_t allocs[8][64], frees[8][64];
	uint64_t node, size, a, r, sum = 0, freed = 0;
	size_t i, k, wrong = 0;

	start();
	for (i = 1; i < 8; i++)
		monimage_node(&f, (uint32_t)i, (uint32_t)i - 1,
			      0x1000 + 16 * i);
	f.global->cells_first = 16;
	for (i = 16; i < 1500; i++) {
		node = 1 + random_number() % 7;
		size = random_number() % 64;
		a = random_number() % 1000;
		r = a ? random_number() % a : 0;
		cell((uint32_t)i, 1 + i % 5, (uint32_t)node, size * 40, a, r);
		allocs[node][size] += a;
		frees[node][size] += r;
		sum += a * size * 40;
		freed += r * size * 40;
	}
	ok(load(), "1500 cells");
	is_int(m.sums.bytes, sum, "their bytes");
	is_int(m.sums.freed, freed, "their bytes freed");
	for (i = 0; i < 64; i++) {
		for (a = r = 0, k = 0; k < 8; k++) {
			a += allocs[k][i];
			r += frees[k][i];
		}
		wrong += bin_of(i * 40, false) != a;
		wrong += bin_of(i * 40, true) != r;
	}
	is_int(wrong, 0, "each bin");
	for (k = 0; k < m.nsites; k++) {
		for (a = 0, i = 0; i < 64; i++)
			a += allocs[m.sites[k].node][i];
		wrong += counts_sum(m.sites[k].count.allocs) != a;
	}
	is_int(wrong, 0, "each site");
	is_int(m.nwarning, 0, "nothing amiss");
	finish();
}

int
main(void)
{
	circles();
	alone();
	torn();
	headers();
	cuts();
	damaged();
	oracle();
	return done_testing();
}
