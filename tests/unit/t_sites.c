/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor's calling-context trie and bins. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/base/arena.c"
#include "monitor/base/own_mappings.c"
#include "monitor/counts/bins.c"
#include "monitor/chain/common.c"
#include "monitor/chain/sites.c"
#include "monitor/chain/cached_frames.c"
#include "tests/tap.h"
#include "tests/unit/nofold.h"
#include "tests/unit/noimage.h"

/* How many words the trie reads. */
static unsigned long looks;
#undef LOAD_ACQ
#define LOAD_ACQ(p) (looks++, __atomic_load_n(p, __ATOMIC_ACQUIRE))
#include "monitor/chain/trie.c"

#define LIMIT 64
#define SPOTS 200

static struct mmi_thread *
thread_new(void)
{
	struct mmi_thread *t = calloc(1, sizeof(*t));

	t->limit = t->depth = LIMIT;
	t->pub = mmi_image_pub();
	t->chain = calloc(LIMIT + 2, sizeof(*t->chain));
	t->fresh = calloc(LIMIT + 2, sizeof(*t->fresh));
	t->frame_room = SPOTS;
	t->frames = calloc(SPOTS, sizeof(*t->frames));
	t->odds = calloc(SPOTS, sizeof(*t->odds));
	t->paths = calloc(MMI_FRAMES_PATHS, sizeof(*t->paths));
	t->last = calloc(LIMIT + 2, sizeof(*t->last));
	mmi_frames_clear(t);
	return t;
}

/* The node of a call path, which is given innermost first; counts it. */
static uint32_t
intern(struct mmi_thread *t, const uint64_t *chain, unsigned n, unsigned why)
{
	uint32_t node;

	memcpy(t->chain, chain, n * sizeof(*chain));
	t->nchain = n;
	t->why = why;
	node = mmi_sites_node_of(t, NULL);
	if (node)
		mmi_sites_count(t, node);
	t->last_node = node;
	return node;
}

/* Does the node give the call path outwards, below `why' if not 0? */
static int
leads(uint32_t i, const uint64_t *chain, unsigned n, uint64_t why)
{
	for (unsigned k = 0; k <= n; k++) {
		uint64_t key = k < n ? chain[k] : why;

		if (!key)
			break;
		if (!i || mmi_sites_node(i)->item.key != key)
			return 0;
		i = mmi_sites_node(i)->item.parent;
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

	ok(s && leads(s, abc, 3, 0), "a chain is found again from its node");
	is_int(mmi_sites_node(s)->depth, 3, "which knows its depth");
	is_int(intern(t, abc, 3, 0), s, "the same chain is the same node");
	is_int(intern(u, abc, 3, 0), s, "in another thread, too");
	ok(intern(t, ab, 2, 0) != s, "a shorter one is another");
	ok(leads(intern(t, abd, 3, 0), abd, 3, 0), "and a branch");
	is_int(intern(t, abc, 3, 0), s, "and back");
	ok(leads(intern(t, b, 1, 0), b, 1, 0),
	   "the inner part alone is another");
	is_int(mmi_sites_nodes(), 5, "chains share nodes");
	is_int(t->pub->count.chains, 6, "chains are counted");
	is_int(t->pub->count.frames, 15, "and their frames");
	/* abc abc ab abd abc b: 0 + 3 + 2 + 2 + 2 + 0. */
	is_int(t->pub->count.same, 9, "and those that are as before");
	is_int(t->pub->count.deepest, 3, "and the deepest");
	s = intern(t, abc, 3, MONOUT_PC_CUT);
	ok(leads(s, abc, 3, MONOUT_PC_CUT),
	   "a chain that was cut hangs below its reason");
	is_int(t->pub->count.frames, 18, "which isn't a frame");
	is_int(mmi_sites_node(s)->depth, 3, "nor counted as depth");
	is_int(t->shortened, 0, "none was shortened");
}

/* Caches n frames, innermost first, below a frame or NULL. */
static struct mmi_frame *
cached(struct mmi_thread *t, struct mmi_frame *below, const uint64_t *key,
       unsigned n, unsigned why)
{
	for (unsigned i = 0; i < n; i++)
		t->fresh[i] = (struct mmi_fresh){
			.key = key[i],
			.sp = 0x8000 - 64 * (n - i) - (below ? 0x1000 : 0),
		};
	return mmi_frames_add(t, below, n, why);
}

static void
cached_frames(void)
{
	static const uint64_t abc[] = { 30, 20, 10 }, d[] = { 40 };
	static const uint64_t abcd[] = { 40, 30, 20, 10 };
	static const uint64_t other[] = { 30 | 3ull << MMI_KEY_SHIFT, 20, 10 };
	struct mmi_thread *t = thread_new(), *u = thread_new();
	struct mmi_frame *s = cached(t, NULL, abc, 3, 0), *more;
	uint32_t node = mmi_sites_node_of(t, s);

	ok(leads(node, abc, 3, 0), "cached frames lead to the chain's node");
	ok(s->node == node && t->frames[s->parent].node &&
		   t->frames[t->frames[s->parent].parent].node,
	   "all of them have one");
	more = cached(t, s, d, 1, 0);
	ok(leads(mmi_sites_node_of(t, more), abcd, 4, 0), "one more frame");
	s->node = 77;
	is_int(mmi_sites_node_of(t, s), 77, "a node isn't looked for twice");
	ok(leads(mmi_sites_node_of(u, cached(u, NULL, other, 3, 0)), other, 3,
		 0),
	   "the address of a module that took another's place is another");
	u = thread_new();
	is_int(mmi_sites_node_of(u, cached(u, NULL, abc, 3, 0)), node,
	       "another thread's cached frames lead to the same node");
}

static void
spots_stopped(void)
{
	static const uint64_t ba[] = { 2222, 1111 };
	struct mmi_thread *t = thread_new();
	struct mmi_frame *s = cached(t, NULL, ba, 2, MONOUT_PC_STOPPED);

	ok(leads(mmi_sites_node_of(t, s), ba, 2, MONOUT_PC_STOPPED),
	   "cached frames of a walk that stopped hang below the reason");
}

/*
 * Without memory a call path has its innermost frame only; later it is whole.
 */
static void
refused(void)
{
	static const uint64_t known[] = { 101 }, new[] = { 303, 202, 101 };
	static const uint64_t other[] = { 404, 202, 101 };
	struct mmi_thread *t = thread_new();
	unsigned whole = 0, shortened = 0, bare = 0;
	uint64_t chain[] = { 5, 202, 101 };

	intern(t, known, 1, 0);
	intern(t, known, 1, MONOUT_PC_NONE);
	intern(t, other, 1, MONOUT_PC_NONE);
	mmi_arena_limit(mmi_arena_used() * 8 / 7 - 8);
	ok(mmi_arena_tight(), "memory is tight");
	ok(leads(intern(t, new, 3, 0), new, 1, MONOUT_PC_NONE),
	   "the innermost frame alone");
	is_int(t->shortened, t->last_node, "is known as shortened");
	ok(leads(intern(t, known, 1, 0), known, 1, 0),
	   "a chain that is known is whole");
	mmi_arena_limit(mmi_arena_used());
	/* Until the chunk is full. */
	for (uint64_t i = 0; i < 3000; i++) {
		uint32_t node;

		chain[0] = 100000 + i;
		node = intern(t, chain, 3, 0);
		whole += node && leads(node, chain, 3, 0);
		shortened += node && leads(node, chain, 1, MONOUT_PC_NONE);
		bare += node &&
			mmi_sites_node(node)->item.key == MONOUT_PC_NONE;
	}
	is_int(whole, 0, "no memory: no chain is whole");
	ok(shortened > 0 && shortened + bare == 3000 && bare > 0,
	   "%u innermost frames, and not even that in %u", shortened, bare);
	mmi_arena_limit(0);
	ok(leads(intern(t, new, 3, 0), new, 3, 0),
	   "with memory the chain is whole");
}

/* Enough call paths to grow the hash by two levels; all are found again. */
static void
many(void)
{
	enum { N = 90000 };
	struct mmi_thread *t = thread_new();
	uint32_t *node = calloc(N, sizeof(*node));
	unsigned bad = 0;

	for (int round = 0; round < 2; round++)
		for (uint64_t i = 0; i < N; i++) {
			uint64_t chain[] = { 1000 + i, 2000 + i % 300, 3000 };
			uint32_t s = intern(t, chain, 3, 0);

			if (round == 0)
				node[i] = s;
			bad += s != node[i] || !leads(s, chain, 3, 0);
		}
	is_int(bad, 0, "%d chains, each with its own node", N);
	ok(nodes.top >= 2, "the hash has grown (%u levels)", nodes.top + 1);
	free(node);
}

/* The same call paths in several threads at a time get the same nodes. */
#define CHAINS 30000u

static void *
worker(void *arg)
{
	struct mmi_thread *t = thread_new();
	size_t bad = 0;

	(void)arg;
	for (uint64_t i = 0; i < CHAINS; i++) {
		uint64_t chain[] = { 500000 + i, 600000 + i % 77, 700000 };

		bad += !leads(intern(t, chain, 3, 0), chain, 3, 0);
	}
	return (void *)bad;
}

static void
threads(void)
{
	uint32_t before = mmi_sites_nodes();
	size_t bad = 0;
	pthread_t id[4];
	void *one;

	for (int i = 0; i < 4; i++)
		pthread_create(&id[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++) {
		pthread_join(id[i], &one);
		bad += (size_t)one;
	}
	is_int(bad, 0, "four threads make the same chains");
	for (uint32_t i = before + 1; i <= mmi_sites_nodes(); i++)
		bad += mmi_sites_node(i)->item.key &&
		       mmi_sites_node(i)->item.parent >= i;
	is_int(bad, 0, "no node has a number below its parent's");
	for (uint32_t i = before + 1; i <= mmi_sites_nodes(); i++) {
		const struct mmi_item *n = &mmi_sites_node(i)->item;

		bad += n->key && mmi_trie_find(&nodes, n->parent, n->key) != i;
	}
	is_int(bad, 0, "nor is there another for the same");
	ok(mmi_sites_nodes() - before < CHAINS + 1000,
	   "and share them (%u nodes for %u)", mmi_sites_nodes() - before,
	   CHAINS + 78);
}

/* Its own empty table. */
#define TABLE(name) \
	static void *name##_dir[64]; \
	static uint64_t name##_first[1u << MMI_TRIE_SHIFT(0)]; \
	static struct mmi_trie name = { \
		.items = { .chunk = name##_dir, \
			   .chunks = 64, \
			   .shift = 10, \
			   .size = sizeof(struct mmi_item), \
			   .used = 1 }, \
		.level = { name##_first }, \
		.batch = 1, \
	}

/* The thread that moves a table's items has stopped in the middle. */
static void
held_up(void)
{
	TABLE(table);
	struct mmi_batch b = { 0 };
	uint32_t bad = 0;
	bool made;

	for (uint64_t k = 1; k < 40000; k++) {
		bad += !mmi_trie_intern(&table, &b, 7, k, true, false, &made) ||
		       !made;
		if (table.top == 1 && table.bottom == 1)
			table.bottom = 0;
	}
	for (uint64_t k = 1; k < 40000; k++)
		bad += mmi_trie_find(&table, 7, k) != k;
	is_int(bad, 0, "what a thread had begun to move, another moves");
}

/* A table that can't grow without memory, and then can. */
static void
full(void)
{
	TABLE(table);
	static uint32_t is[6001];
	struct mmi_batch b = { 0 };
	unsigned long most = 0;
	uint32_t n = 0, bad = 0;
	bool made;

	/* Enough for items, but not for twice as many slots. */
	mmi_arena_limit(mmi_arena_used() + (5 << 14));
	for (uint64_t k = 1; k <= 6000; k++) {
		is[k] = mmi_trie_intern(&table, &b, 7, k, true, false, &made);
		n += is[k] != 0;
		bad += made != (is[k] != 0);
	}
	ok(table.top == 0 && n > 3072 && n <= 4096,
	   "a table that can't grow has %u items in 4,096 slots", n);
	for (uint64_t k = 1; k <= 6000; k++)
		bad += mmi_trie_find(&table, 7, k) != is[k];
	is_int(bad, 0, "which are found, and no others");
	for (uint64_t k = 10001; k <= 12000; k++) {
		looks = 0;
		bad += mmi_trie_find(&table, 7, k) != 0;
		most = looks > most ? looks : most;
	}
	ok(!bad && most <= 520, "what isn't there costs %lu loads at most",
	   most);
	mmi_arena_limit(0);
	for (uint64_t k = 1; k <= 6000; k++)
		bad += !mmi_trie_intern(&table, &b, 7, k, true, false, &made) ||
		       made != !is[k];
	ok(!bad && table.top > 0, "with memory it takes the others, too");
}

/* Frames in common, compared with a plain search. */
static void
common(void)
{
	struct mmi_thread *t = thread_new();
	uint64_t chain[12], before[12], frames = 0, same = 0;
	unsigned n, nbefore = 0;

	srandom(3);
	for (int i = 0; i < 20000; i++) {
		n = 1 + (unsigned)random() % 12;
		for (unsigned k = 0; k < n; k++)
			chain[k] = 900000 + (uint64_t)random() % 3;
		for (unsigned k = 1; k <= n && k <= nbefore; k++, same++)
			if (chain[n - k] != before[nbefore - k])
				break;
		intern(t, chain, n, 0);
		memcpy(before, chain, sizeof(chain));
		nbefore = n;
		frames += n;
	}
	is_int(t->pub->count.frames, frames, "frames of 20,000 random chains");
	is_int(t->pub->count.same, same,
	       "and those in common with the one before");
}

static void
bins_test(void)
{
	static struct mmi_bins b;
	uint64_t allocs = 0, bytes = 0, frees = 0, freed = 0, used = 0;
	unsigned more = 0;

	mmi_bins_add(&b, 0, 1, 0);
	mmi_bins_add(&b, 1024, 2, 1);
	mmi_bins_add(&b, 1025, 1, 0);
	ok(b.allocs[0] == 1 && b.allocs[1024] == 2 && b.frees[1024] == 1,
	   "sizes from 0 to 1024 have bins of their own");
	for (uint64_t s = 2000; s < 2000 + 60000; s++)
		mmi_bins_add(&b, s * 8, 1, 0);
	for (uint64_t s = 2000; s < 2000 + 60000; s += 2)
		mmi_bins_add(&b, s * 8, 0, 1);
	for (unsigned i = 0; i < MMI_BINS; i++) {
		allocs += b.other[i].allocs;
		bytes += b.other[i].allocs * b.other[i].size;
		frees += b.other[i].frees;
		freed += b.other[i].frees * b.other[i].size;
		used += b.other[i].size != 0;
		more += b.other[i].frees > b.other[i].allocs;
	}
	is_int(allocs + b.big_allocs, 60001,
	       "every allocation above is in a bin or in the rest");
	is_int(bytes + b.big_bytes, 1025 + 8 * (60000ull * 2000 + 1799970000),
	       "and its bytes");
	is_int(frees + b.big_frees, 30000, "and every free");
	is_int(freed + b.big_freed, 8 * (30000ull * 2000 + 899970000),
	       "and its bytes");
	ok(b.big_allocs > 0 && used <= MMI_BINS && !more,
	   "the table is full, and no bin has more frees than allocations");
	ok(b.big_frees <= b.big_allocs && b.big_freed <= b.big_bytes,
	   "nor has the rest");
}

/* The bins of the run and the sums of the end are added. */
static void
bins_any(void)
{
	static struct mmi_bins b;
	uint64_t sum = 0;

	mmi_bins_add(&mmi_shared.bins[0], 40, 3, 1);
	mmi_bins_add(&mmi_shared.bins[0], 4000, 5, 4);
	mmi_bins_add(&b, 40, 10, 10);
	mmi_bins_sum(&b);
	ok(b.allocs[40] == 13 && b.frees[40] == 11, "a small size adds up");
	for (unsigned i = 0; i < MMI_BINS; i++)
		if (b.other[i].size == 4000)
			sum += 10 * b.other[i].allocs + b.other[i].frees;
	is_int(sum, 54, "and a larger one");
	mmi_bins_clear(0);
	memset(&b, 0, sizeof(b));
	mmi_bins_sum(&b);
	for (unsigned i = 0; i <= MONOUT_BIN_MAX; i++)
		sum -= b.allocs[i] + b.frees[i];
	for (unsigned i = 0; i < MMI_BINS; i++)
		sum -= b.other[i].allocs + b.other[i].frees;
	is_int(sum, 54, "a fork starts at zero");
}

/* The place of a size, or MMI_BINS. */
static unsigned
bin_place(const struct mmi_bins *b, uint64_t size)
{
	unsigned i;

	for (i = 0; i < MMI_BINS && b->other[i].size != size; i++)
		;
	return i;
}

/*
 * A size without a place in the run has no place at the end, even if the sizes
 * that took the places count nothing any more.
 */
static void
bins_places(void)
{
	struct mmi_bins *run = &mmi_shared.bins[0];
	uint64_t size, refused = 0;
	unsigned i, moved = 0, had = 0;
	static struct mmi_bins b;

	for (size = 2000; size < 30000; size++)
		mmi_bins_add(run, size, 1, 0);
	for (size = 2000; size < 30000 && !refused; size++)
		if (bin_place(run, size) == MMI_BINS)
			refused = size;
	mmi_bins_clear(0);
	mmi_bins_add(run, refused, 5, 0);
	is_int(run->big_allocs, 5, "a size without a place, after a reset");
	memset(&b, 0, sizeof(b));
	mmi_bins_sum(&b);
	mmi_bins_add(&b, refused, 2, 0);
	ok(bin_place(&b, refused) == MMI_BINS && b.big_allocs == 7,
	   "it has none at the end");
	for (i = 0; i < MMI_BINS; i++) {
		had += run->other[i].size != 0;
		moved += run->other[i].size != b.other[i].size;
	}
	ok(had > MMI_BINS / 2 && !moved, "nor has any of %u moved", had);
	memset(run, 0, sizeof(*run));
}

/* How many frames are left below MONOUT_PC_LIMIT; -1: another call path. */
static int
inner(uint32_t node, const uint64_t *chain, unsigned most)
{
	for (unsigned n = 0; n <= most; n++)
		if (leads(node, chain, n, MONOUT_PC_LIMIT))
			return (int)n;
	return -1;
}

/* With very many nodes, call paths get shorter; known call paths stay whole. */
static void
limited(void)
{
	static const uint64_t known[] = { 7006, 7005, 7004, 7003, 7002, 7001 };
	struct mmi_thread *t = thread_new();
	unsigned count[5] = { 0 }, last = 4, bad = 0;
	uint64_t chain[6];
	uint32_t node;

	intern(t, known, 6, 0);
	mmi_sites_limit = mmi_sites_nodes() / 3 * 4 + 4000;
	while (mmi_sites_nodes() < room_for_whole()) {
		static uint64_t k = 5000000;

		for (unsigned j = 0; j < 6; j++)
			chain[j] = k++;
		bad += !leads(intern(t, chain, 6, 0), chain, 6, 0);
	}
	/* The last call path may have reached the limit in its middle. */
	ok(bad <= 1, "chains are whole up to the limit");
	for (uint64_t i = 0; i < 20000; i++) {
		int n;

		for (unsigned j = 0; j < 6; j++)
			chain[j] = 10000000 + 10 * i + j;
		node = intern(t, chain, 6, 0);
		n = inner(node, chain, 4);
		bad += n < 0 || (unsigned)n > last;
		last = n < 0 ? last : (unsigned)n;
		if (n >= 0)
			count[n]++;
	}
	ok(bad <= 1 && count[4] && !count[3] && count[2] && count[1] &&
		   count[0],
	   "then four frames of %u, two of %u, one of %u, none of %u", count[4],
	   count[2], count[1], count[0]);
	ok(mmi_sites_nodes() <= mmi_sites_limit + 1, "%u nodes, of %u",
	   mmi_sites_nodes(), mmi_sites_limit);
	ok(leads(intern(t, known, 6, 0), known, 6, 0),
	   "a chain that is known is whole");
	is_int(t->shortened, 0, "none was shortened for want of memory");
	node = mmi_sites_node_of(t, cached(t, NULL, chain, 6, 0));
	is_int(inner(node, chain, 4), 0, "cached frames lead to the same");
	mmi_sites_limit = UINT32_MAX;
}

int
main(void)
{
	mmi_sites_limit = UINT32_MAX;
	small();
	cached_frames();
	spots_stopped();
	refused();
	many();
	threads();
	held_up();
	full();
	common();
	limited();
	bins_test();
	bins_any();
	bins_places();
	return done_testing();
}
