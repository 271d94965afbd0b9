/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor's calling-context trie and bins. */
#include <stdlib.h>
#include <string.h>

#include "monitor/arena.c"
#include "monitor/bins.c"
#include "monitor/sites.c"
#include "tests/tap.h"

#define LIMIT 64

static struct mmi_thread *
thread_new(void)
{
	struct mmi_thread *t = calloc(1, sizeof(*t));

	t->limit = LIMIT;
	t->chain = calloc(LIMIT + 2, sizeof(*t->chain));
	t->prev_key = calloc(LIMIT + 2, sizeof(*t->prev_key));
	t->prev_node = calloc(LIMIT + 2, sizeof(*t->prev_node));
	return t;
}

/* The site of a chain that is given innermost first. */
static uint32_t
intern(struct mmi_thread *t, const uint64_t *chain, unsigned n, unsigned why)
{
	memcpy(t->chain, chain, n * sizeof(*chain));
	return mmi_sites_intern(t, n, why);
}

/* Follow a site's node outwards: does it give the chain? */
static int
leads(uint32_t site, const uint64_t *chain, unsigned n)
{
	uint32_t i = mmi_sites_at(site)->node;

	for (unsigned k = 0; k < n; k++) {
		const struct mmi_node *node = mmi_sites_node(i);

		if (!i || node->key != chain[k])
			return 0;
		i = node->parent;
	}
	return i == 0;
}

static void
small(void)
{
	static const uint64_t abc[] = { 30, 20, 10 }, ab[] = { 20, 10 },
			      abd[] = { 40, 20, 10 }, b[] = { 20 };
	struct mmi_thread *t = thread_new(), *u = thread_new();
	uint32_t s = intern(t, abc, 3, 0);

	ok(s && leads(s, abc, 3), "a chain is found again from its site");
	is_int(intern(t, abc, 3, 0), s, "the same chain is the same site");
	is_int(intern(u, abc, 3, 0), s, "in another thread, too");
	ok(intern(t, ab, 2, 0) != s, "a shorter one is another");
	ok(leads(intern(t, abd, 3, 0), abd, 3), "and a branch");
	is_int(intern(t, abc, 3, 0), s, "and back");
	ok(leads(intern(t, b, 1, 0), b, 1), "the inner part alone is another");
	is_int(mmi_sites_nodes(), 5, "chains share nodes");
	is_int(t->count.frames, 15, "frames are counted");
	/* abc abc ab abd abc b: 0 + 3 + 2 + 2 + 2 + 0. */
	is_int(t->count.same, 9, "and those that are as before");
	is_int(t->count.deepest, 3, "and the deepest");
	s = intern(t, abc, 3, MONOUT_PC_CUT);
	is_int(mmi_sites_node(
		       mmi_sites_node(
			       mmi_sites_node(
				       mmi_sites_node(mmi_sites_at(s)->node)
					       ->parent)
				       ->parent)
			       ->parent)
		       ->key,
	       MONOUT_PC_CUT, "a chain that was cut hangs below its reason");
	is_int(t->count.frames, 18, "which isn't a frame");
}

/* Enough chains to grow the hash by two levels; compare with what was put. */
static void
many(void)
{
	enum { N = 90000 };
	struct mmi_thread *t = thread_new();
	uint32_t *site = calloc(N, sizeof(*site));
	unsigned bad = 0;

	for (int round = 0; round < 2; round++)
		for (uint64_t i = 0; i < N; i++) {
			uint64_t chain[] = { 1000 + i, 2000 + i % 300, 3000 };
			uint32_t s = intern(t, chain, 3, 0);

			if (round == 0)
				site[i] = s;
			bad += s != site[i] || !leads(s, chain, 3);
		}
	is_int(bad, 0, "%d chains, each with its own site", N);
	ok(LOAD(&top) >= 2, "the hash has grown (%u levels)", top + 1);
	free(site);
}

static void
bins_test(void)
{
	struct mmi_thread *t = thread_new();
	uint64_t allocs = 0, frees = 0, used = 0;

	mmi_bins_alloc(t, 0);
	mmi_bins_alloc(t, 1024);
	mmi_bins_alloc(t, 1025);
	mmi_bins_free(t, 1024);
	ok(t->allocs[0] == 1 && t->allocs[1024] == 1 && t->frees[1024] == 1,
	   "sizes from 0 to 1024 are the thread's");
	for (uint64_t s = 2000; s < 2000 + 60000; s++)
		mmi_bins_alloc(t, s * 8);
	for (uint64_t s = 2000; s < 2000 + 60000; s += 2)
		mmi_bins_free(t, s * 8);
	for (unsigned i = 0; i < MMI_BINS; i++) {
		const struct mmi_bin *b = mmi_bins_at(i);

		allocs += b->allocs;
		frees += b->frees;
		used += b->size != 0;
		if (b->frees > b->allocs)
			used = UINT64_MAX;
	}
	is_int(allocs + t->count.big_allocs, 60001,
	       "every allocation above is in a bin or in the rest");
	is_int(frees + t->count.big_frees, 30000, "and every free");
	ok(t->count.big_allocs > 0 && used <= MMI_BINS,
	   "the table is full, and no bin has more frees than allocations");
	ok(t->count.big_frees * 2 < t->count.big_allocs + 60000 &&
		   t->count.big_freed < t->count.big_bytes,
	   "nor has the rest");
	mmi_bins_fork();
	allocs = 0;
	for (unsigned i = 0; i < MMI_BINS; i++)
		allocs += mmi_bins_at(i)->allocs;
	is_int(allocs, 0, "a fork starts at zero");
}

int
main(void)
{
	small();
	many();
	bins_test();
	done_testing();
}
