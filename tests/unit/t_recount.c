/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites, bins and threads as sums of a few cells, by hand. */
#include "reduce/estimate/recount.h"
#include "tests/tap.h"

#include <stdlib.h>

/*
 * Site 0: 3 blocks of 10 bytes by thread 1, 1 of them freed, and 2 by thread 2;
 * 1 of 5000.  Site 1: 4 of any size of class 0, and 1 of 10.
 */
static struct mon_cell cells[] = {
	{ .site = 0,
	  .thread = 1,
	  .size = 10,
	  .allocs = 3,
	  .bytes = 30,
	  .frees = 1,
	  .freed = 10,
	  .peak_blocks = 3,
	  .peak_bytes = 30,
	  .made = 2,
	  .live = 1,
	  .held = 4 },
	{ .site = 0,
	  .thread = 2,
	  .size = 10,
	  .allocs = 2,
	  .bytes = 20,
	  .peak_blocks = -1,
	  .peak_bytes = -10,
	  .made = 1,
	  .held = -1 },
	{ .site = 0, .thread = 1, .size = 5000, .allocs = 1, .bytes = 5000 },
	{ .site = 1,
	  .size = 0,
	  .any = true,
	  .allocs = 4,
	  .bytes = 44,
	  .frees = 4,
	  .freed = 44 },
	{ .site = 1,
	  .thread = 2,
	  .size = 10,
	  .allocs = 1,
	  .bytes = 10,
	  .peak_blocks = -1,
	  .peak_bytes = -10 },
};

static struct mon_site sites[2];
static struct mon_thread threads[2];

static void
start(struct mon *m)
{
	static const struct mon_site site = { .node = 7,
					      .reallocs = 1,
					      .peak_blocks = 9,
					      .count = { .allocs = { 99 },
							 .peak = 8 } };
	static const struct mon_thread thread = {
		.allocs = 99, .bytes = 98, .frees = 97, .var = { 9, 9, 9, 9, 9 }
	};

	sites[0] = sites[1] = site;
	threads[0] = threads[1] = thread;
	*m = (struct mon){ .sites = sites,
			   .nsites = 2,
			   .cells = cells,
			   .ncells = 5,
			   .threads = threads,
			   .nthreads = 2 };
}

static void
test_sites(void)
{
	struct mon m;

	start(&m);
	ok(!recount_sites(&m, true), "not all of the peak is told");
	is_int(sites[0].count.allocs[MONOUT_SMALL], 5, "small ones");
	is_int(sites[0].count.bytes[MONOUT_SMALL], 50, "their bytes");
	is_int(sites[0].count.frees[MONOUT_SMALL], 1, "freed ones");
	is_int(sites[0].count.freed[MONOUT_SMALL], 10, "their bytes");
	is_int(sites[0].count.allocs[MONOUT_XLARGE], 1, "large ones");
	is_int(sites[0].peak_blocks, 2, "blocks at the peak");
	is_int(sites[0].count.peak, 20, "bytes at the peak");
	ok(sites[0].count.var[PROFILE_E_ALLOCS] == 3, "variance of blocks");
	ok(sites[0].count.var[PROFILE_E_BYTES] == 300, "of bytes");
	ok(sites[0].count.var[PROFILE_E_PEAK] == 300, "of the peak");
	is_int(sites[0].node, 7, "the chain stays");
	is_int(sites[0].reallocs, 1, "so do reallocations");
	is_int(sites[1].count.allocs[0], 5, "of any size, by class");
	is_int(sites[1].peak_blocks, 0, "less than nothing at the peak");
	is_int(sites[1].count.peak, 0, "is nothing");
	recount_sums(&m);
	is_int(m.sums.allocs, 11, "all blocks");
	is_int(m.sums.bytes, 5104, "all bytes");
	is_int(m.sums.freed, 54, "all freed");
	is_int(m.sums.reallocs, 2, "all reallocations");
	is_int(m.peak_bytes, 20, "all at the peak");
	start(&m);
	ok(recount_sites(&m, false), "without the peak");
	is_int(sites[1].peak_blocks, 9, "its blocks stay");
	is_int(sites[1].count.peak, 8, "its bytes stay");
	is_int(sites[1].count.allocs[0], 5, "not the others");
}

static void
test_bins(void)
{
	struct account unsized[PROFILE_NCLASS] = { { 0 } };
	struct mon m;

	start(&m);
	(void)recount_sites(&m, true);
	recount_sums(&m);
	recount_bins(&m, false, unsized);
	is_int(m.nbins, 2, "each size once");
	is_int(m.bins[0].size, 10, "in order");
	is_int(m.bins[0].allocs, 6, "of all sites");
	is_int(m.bins[0].frees, 1, "what was freed");
	ok(m.bins[0].var[PROFILE_E_ALLOCS] == 3, "its variance");
	is_int(m.bins[1].size, 5000, "a large one, too");
	is_int(unsized[0].allocs, 4, "of any size");
	is_int(unsized[0].freed, 44, "and freed");
	is_int(m.total[MONOUT_T_BIG_ALLOCS], 0, "nothing else");
	is_int(m.bin_sums.bytes, 5104, "all bytes are in it");
	/* Only bins that exist. */
	m.nbins = 1;
	recount_bins(&m, true, NULL);
	is_int(m.nbins, 1, "no more");
	is_int(m.bins[0].allocs, 6, "anew");
	is_int(m.total[MONOUT_T_BIG_ALLOCS], 5, "the others are big");
	is_int(m.total[MONOUT_T_BIG_BYTES], 5044, "in bytes");
	recount_classes(&m, unsized);
	is_int(m.nbins, 0, "no sizes, no bins");
	is_int(unsized[0].allocs, 4 + 10, "classes are added");
	is_int(m.total[MONOUT_T_BIG_ALLOCS], 1, "the largest is big");
	free(m.bins);
}

static void
test_threads(void)
{
	struct mon m;

	start(&m);
	recount_threads(&m, true);
	is_int(threads[0].allocs, 4, "blocks of a thread");
	is_int(threads[0].bytes, 5030, "their bytes");
	is_int(threads[1].bytes, 30, "of another");
	is_int(threads[0].frees, 97, "who frees isn't known");
	ok(threads[0].var[PROFILE_E_BYTES] == 200, "variance of bytes");
	ok(threads[0].var[PROFILE_E_KEPT] == 0, "none of what is kept");
	start(&m);
	recount_threads(&m, false);
	is_int(threads[0].allocs, 99, "only variances");
	ok(threads[1].var[PROFILE_E_ALLOCS] == 1, "... are counted");
}

int
main(void)
{
	test_sites();
	test_bins();
	test_threads();
	return done_testing();
}
