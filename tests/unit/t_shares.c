/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shares: the blocks of sites by size, and the part of them that a type's live
 * blocks take.  The shares of a site always add up to the site.
 */
#include "reduce/model/stages.h"
#include "reduce/model/counts.h"
#include "reduce/types/shares.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* SITES sites, each with cells of SIZES sizes, by two threads. */
enum { SITES = 40, SIZES = 5, CELLS = SITES * SIZES * 2 };

static struct mon mon;
static struct profile_priv priv; /* nothing is suppressed */
static struct profile profile = { .priv = &priv };
static struct shares shares;

static uint64_t
random_below(uint64_t n)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x % n;
}

/* ------------------------------------------------------------ by hand -- */

static struct mon_site site[2];
static struct bin bin[4];

static void
start(struct mon_cell *cells, size_t n)
{
	shares_fini(&shares);
	mon = (struct mon){ .sites = site, .nsites = 2 };
	profile = (struct profile){ .bins = bin, .priv = &priv };
	mon.cells = cells;
	mon.ncells = n;
	mon.cells_known = cells != NULL;
}

static void
is_share(const char *name, size_t i, uint64_t size, uint64_t allocs,
	 uint64_t bytes, uint64_t frees)
{
	const struct share *f = &shares.v[i];

	ok(i < shares.n && f->size == size && f->any == !size &&
		   f->allocs == allocs && f->bytes == bytes &&
		   f->frees == frees,
	   "%s", name);
}

/* Site 0 has two sizes, one of them from two threads; site 1 has no cells. */
static void
test_cells(void)
{
	struct mon_cell cells[] = {
		{ .thread = 1, .size = 24, .allocs = 2, .bytes = 48 },
		{ .thread = 2, .size = 24, .allocs = 3, .bytes = 72 },
		{ .size = 100, .allocs = 1, .bytes = 100 },
	};
	uint64_t least, largest;

	cells[0].frees = 1;
	cells[0].freed = 24;
	/* A thread's part alone may be below 0. */
	cells[0].peak_blocks = -1;
	cells[0].peak_bytes = -24;
	cells[1].peak_blocks = 4;
	cells[1].peak_bytes = 96;
	start(cells, 3);
	shares_make(&shares, &mon, &profile);
	is_int(shares.n, 2, "threads together");
	is_share("the first size", 0, 24, 5, 120, 1);
	is_share("the second", 1, 100, 1, 100, 0);
	is_int(shares.v[0].peak_blocks, 3, "the peak");
	is_int(shares.v[0].peak, 72, "its bytes");
	shares_range(&shares, 0, &least, &largest);
	ok(least == 24 && largest == 100, "least and largest");
	shares_range(&shares, 1, &least, &largest);
	ok(!least && !largest, "of none");
	cells[0].any = true;
	start(cells, 3);
	shares_make(&shares, &mon, &profile);
	shares_range(&shares, 0, &least, &largest);
	ok(!least && !largest, "the sizes of a class aren't known");
}

static void
take(uint64_t blocks, uint64_t bytes, uint64_t size)
{
	struct share as = { .type = 7,
			    .confidence = PROFILE_VTABLE,
			    .mark = '=' };

	shares_take(&shares, blocks, bytes, size, &as);
}

/* Without cells a size is known only if the counts allow no other. */
static void
test_classes(void)
{
	site[0].count = (struct counts){ .allocs = { 4, 1, 2 },
					 .bytes = { 96, 40, 1000 },
					 .peak = 7 };
	bin[0].size = 8;
	bin[1].size = 24;
	bin[2].size = 40;
	bin[3].size = 600;
	start(NULL, 0);
	profile.nbins = 4;
	shares_make(&shares, &mon, &profile);
	is_int(shares.n, 3, "a share a class");
	is_share("all of the largest size", 0, 24, 4, 96, 0);
	is_share("one block", 1, 40, 1, 40, 0);
	is_share("sizes not known", 2, 0, 2, 1000, 0);
	ok(shares.v[0].peak == 7 && !shares.v[1].peak && !shares.v[2].peak,
	   "the peak is the site's");
	take(1, 24, 24);
	ok(!shares.v[0].peak_known && !shares.v[3].peak_known,
	   "whose it was isn't known then");
	profile.incomplete = true;
	shares_fini(&shares);
	shares_make(&shares, &mon, &profile);
	is_share("then there may be other sizes", 0, 0, 4, 96, 0);
	memset(site, 0, sizeof(site));
}

static void
test_take(void)
{
	struct mon_cell cells[] = {
		{ .size = 24, .allocs = 10, .bytes = 240 },
		{ .size = 48, .allocs = 4, .bytes = 192 },
	};

	cells[0].frees = 6;
	cells[0].freed = 144;
	cells[0].peak_blocks = 5;
	cells[0].peak_bytes = 120;
	start(cells, 2);
	shares_make(&shares, &mon, &profile);
	take(3, 72, 24);
	is_int(shares.n, 3, "some of a size");
	is_share("what is left", 0, 24, 7, 168, 6);
	is_share("what was taken", 2, 24, 3, 72, 0);
	ok(!shares.v[0].peak_known && !shares.v[2].peak_known,
	   "whose was the peak?");
	take(5, 120, 24);
	take(6, 120, 24);
	is_int(shares.n, 3, "not more than there are");
	take(4, 192, 48);
	is_share("all of a size", 1, 48, 0, 0, 0);
	is_share("as one", 3, 48, 4, 192, 0);
	ok(shares.v[3].peak_known, "it had none of the peak");

	start(cells, 2);
	shares_make(&shares, &mon, &profile);
	take(8, 288, 0);
	is_int(shares.n, 4, "all that live");
	is_share("of the first", 2, 24, 4, 96, 0);
	is_share("of the second", 3, 48, 4, 192, 0);

	start(cells, 2);
	shares_make(&shares, &mon, &profile);
	take(3, 96, 0);
	is_share("sizes that can't be told", 0, 0, 11, 336, 6);
	is_share("none left apart", 1, 48, 0, 0, 0);
	is_share("nor of these", 2, 0, 3, 96, 0);

	start(cells, 1);
	shares_make(&shares, &mon, &profile);
	shares_set(&shares, 0, 7, PROFILE_VARIABLE);
	is_int(shares.v[0].mark, '~', "a guess");
	take(1, 24, 24);
	ok(shares.v[0].peak_known && shares.v[0].peak_blocks == 5 &&
		   !shares.v[1].peak_known,
	   "of one type, the peak stays with the guess");
	take(2, 47, 24);
	is_int(shares.n, 2, "bytes that aren't theirs");

	cells[0].peak_blocks = 8;
	cells[0].peak_bytes = 192;
	start(cells, 1);
	shares_make(&shares, &mon, &profile);
	shares_set(&shares, 0, 7, PROFILE_VARIABLE);
	take(2, 48, 24);
	ok(shares.v[0].peak_known, "so much is left of it");
	take(1, 24, 24);
	ok(!shares.v[0].peak_known, "but not of fewer blocks");
}

/* ------------------------------------------------------------ at random -- */

static struct mon_cell many[CELLS];
static struct mon_site sites[SITES];

static bool
adds_up(void)
{
	struct share sum[SITES] = { 0 }, was[SITES] = { 0 };
	size_t i;

	for (i = 0; i < shares.n; i++) {
		const struct share *f = &shares.v[i];
		struct share *s = &sum[f->site];

		if (f->frees > f->allocs || f->freed > f->bytes ||
		    (!f->any && f->bytes != f->allocs * f->size))
			return false;
		s->allocs += f->allocs;
		s->bytes += f->bytes;
		s->frees += f->frees;
		s->freed += f->freed;
		s->peak += f->peak;
	}
	for (i = 0; i < mon.ncells; i++) {
		struct share *s = &was[many[i].site];

		s->allocs += many[i].allocs;
		s->bytes += many[i].bytes;
		s->frees += many[i].frees;
		s->freed += many[i].freed;
		s->peak += (uint64_t)many[i].peak_bytes;
	}
	return !memcmp(sum, was, sizeof(sum));
}

static void
test_random(void)
{
	struct share as = { .type = 1, .mark = '=' };
	size_t n = 0, i, bad = 0, taken = 0;

	for (i = 0; i < CELLS; i++) {
		struct mon_cell *c = &many[i];

		c->site = (uint32_t)(i / SIZES / 2);
		c->size = 8 * (i / 2 % SIZES + 1);
		c->thread = i % 2 + 1;
		c->allocs = random_below(20);
		c->frees = random_below(c->allocs + 1);
		c->bytes = c->allocs * c->size;
		c->freed = c->frees * c->size;
		c->peak_blocks = (int64_t)random_below(c->allocs + 1);
		c->peak_bytes = c->peak_blocks * (int64_t)c->size;
	}
	shares_fini(&shares);
	mon = (struct mon){ .sites = sites, .nsites = SITES };
	mon.cells = many;
	mon.ncells = CELLS;
	mon.cells_known = true;
	shares_make(&shares, &mon, &profile);
	ok(adds_up(), "%d sites", SITES);
	for (n = 0; n < 2000; n++) {
		uint64_t blocks = random_below(12), size;
		size_t before = shares.n;

		size = random_below(2) ? 8 * (random_below(SIZES) + 1) : 0;
		as.site = (uint32_t)random_below(SITES);
		shares_take(&shares, blocks,
			    size ? blocks * size : random_below(300), size,
			    &as);
		taken += shares.n > before;
		bad += !adds_up();
	}
	ok(taken > 100, "%zu times something was taken", taken);
	is_int(bad, 0, "they always add up");
}

int
main(void)
{
	test_cells();
	test_classes();
	test_take();
	test_random();
	shares_fini(&shares);
	return done_testing();
}
