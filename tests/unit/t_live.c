/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The monitor's live map and arrays. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/live.h"

#define PAGE 4096u
#define PLACES 512u

/* From now on allocations fail; off: they succeed. */
static void
refuse(bool on)
{
	mmi_arena_limit(on ? mmi_arena_used() : 0);
	if (!on)
		return;
	self.pool_left = 0;
	memset(self.bucket, 0, sizeof(self.bucket));
}

static void
entries(void)
{
	uint32_t cell = (1u << 26) - 1;
	uint64_t e = mmi_live_entry(cell, MMI_LIVE_TIMED, TAIL);

	is_int(mmi_live_cell(e), cell, "the largest cell");
	is_int(mmi_live_tail(e), TAIL, "with the largest tail");
	ok(e >> MMI_LIVE_OFF_SHIFT == 0, "leaves the place free");
	is_int(mmi_live_cell(mmi_live_entry(5, 0, TAIL)), 5,
	       "a cell beside a tail of ones");
}

static void
put_take(void)
{
	uintptr_t p = 0x7f0012345670, odd = p + 8;

	is_int(take(p), 0, "an empty map has no block");
	is_int(put(p, 100, entry_of(7)), 0, "a block is put");
	is_int(put(odd, 1, entry_of(8)), 0, "its neighbour 8 bytes on, too");
	is_int(take(p), entry_of(7), "and taken");
	is_int(take(p), 0, "once");
	is_int(take(odd), entry_of(8), "the neighbour is still there");
	put(p, 10, entry_of(1));
	is_int(put(p, 20, entry_of(2)), entry_of(1),
	       "a block that is put again gives the first one back");
	is_int(take(p), entry_of(2), "and is the second one then");
	is_int(take(p), 0, "and no other");
	is_int(put((uintptr_t)1 << 50, 1, entry_of(1)), ~0ull,
	       "an address beyond 47 bits is refused");
	is_int(take((uintptr_t)1 << 50), 0, "and isn't found");
	put(0x10, 1, entry_of(3));
	is_int(take(0x10), entry_of(3), "the lowest");
	put(0x7ffffffffff8, 1, entry_of(4));
	is_int(take(0x7ffffffffff8), entry_of(4), "the highest");
}

/*
 * The first pages are flat at once, later ones only if their blocks are small.
 */
static void
first_pages(void)
{
	uintptr_t page = 0x670000000000;

	put(page, 1000, entry_of(1));
	is_int(word_shift(*mmi_live_page(page)), SHIFT_FLAT,
	       "one of the first pages is flat");
	put(page + PAGE, 1025, entry_of(1));
	ok(word_shift(*mmi_live_page(page + PAGE)) < SHIFT_FLAT,
	   "but not for a large block");
	nflat = FLAT_FIRST;
	put(page + 2 * PAGE, 41, entry_of(1));
	ok(word_shift(*mmi_live_page(page + 2 * PAGE)) < SHIFT_FLAT,
	   "a later one isn't");
	put(page + 4 * PAGE, 40, entry_of(1));
	ok(word_shift(*mmi_live_page(page + 4 * PAGE)) < SHIFT_FLAT,
	   "nor for a small block, with nothing live");
	mmi_shared.heap.live = 4 << 20;
	put(page + 5 * PAGE, 41, entry_of(1));
	ok(word_shift(*mmi_live_page(page + 5 * PAGE)) < SHIFT_FLAT,
	   "nor for a larger one, with more");
	put(page + 3 * PAGE, 40, entry_of(1));
	is_int(word_shift(*mmi_live_page(page + 3 * PAGE)), SHIFT_FLAT,
	       "but for a small one");
}

/* Wide entries: returned ones are taken again, and not mixed up. */
static void
wide_entries(void)
{
	uint64_t e = mmi_live_entry(1, 0, MMI_LIVE_TAIL(1024u, 3)), f = ~0ull;
	uint32_t used, i, k;

	is_int(mmi_live_entry((1u << 17) - 1, 0, MMI_LIVE_TAIL(1023u, 15)),
	       MMI_LIVE_WIDE - 1, "the largest entry that isn't wide");
	f &= MMI_LIVE_ENTRY;
	i = mmi_live_wide_take(e);
	k = mmi_live_wide_take(f);
	ok(i >= MMI_LIVE_WIDE && k >= MMI_LIVE_WIDE && i != k, "two are wide");
	is_int(mmi_live_wide(i), e, "the first is as it was");
	is_int(mmi_live_wide(k), (int64_t)f, "so is the largest");
	used = LOAD(&wides.used);
	is_int(mmi_live_wide_give(i), e, "given back");
	is_int(mmi_live_wide(i), 0, "it isn't an entry any more");
	is_int(mmi_live_wide_take(f), i, "its place is taken again");
	is_int(LOAD(&wides.used), used, "and no other");
	mmi_live_wide_give(i);
	mmi_live_wide_give(k);
}

/* Maps i to a place of a page, in another order than the hash. */
static unsigned
shuffled(unsigned i, unsigned odd)
{
	return i * odd % PLACES;
}

/*
 * All places of a page, one after another: it grows from the first to the last.
 */
static void
full_pages(void)
{
	static const unsigned odds[] = { 1, 3, 69, 255, 511, 173, 37 };
	static const uint64_t sizes[] = { 8, 64, 65, 512, 513, 100000 };
	unsigned wrong = 0, grown[SHIFT_FLAT + 1] = { 0 };
	uintptr_t page = 0x610000000000;

	for (unsigned s = 0; s < 6; s++)
		for (unsigned o = 0; o < 7; o++, page += PAGE) {
			for (unsigned i = 0; i < PLACES; i++) {
				unsigned k = shuffled(i, odds[o]);

				wrong += put(page + 8 * k, sizes[s],
					     entry_of(k + 1)) != 0;
				grown[word_shift(*mmi_live_page(page))] = 1;
			}
			for (unsigned i = 0; i < PLACES; i++)
				wrong += take(page + 8 * i) != entry_of(i + 1);
			for (unsigned i = 0; i < PLACES; i++)
				wrong += take(page + 8 * i) != 0;
		}
	is_int(wrong, 0, "all 512 places of a page, in seven orders");
	for (unsigned i = SHIFT_MIN; i <= SHIFT_MAX; i++)
		ok(grown[i], "a bucket of %u", 1u << i);
	ok(grown[SHIFT_FLAT], "and flat arrays");
}

/* Random puts, puts over and takes against a plain table. */
static void
random_blocks(unsigned pages, unsigned density, unsigned ops)
{
	static uint64_t want[64 * PLACES];
	uintptr_t base = 0x600000000000 + ((uintptr_t)density << 30);
	unsigned wrong = 0, over = 0, cell = 1;

	memset(want, 0, sizeof(want));
	srandom(density);
	for (unsigned i = 0; i < ops; i++) {
		unsigned r = (unsigned)random(), k = r % (pages * PLACES);
		uintptr_t a = base + 8ull * k;

		if (r >> 20 & 15 && (r >> 24) % 128 >= density) {
			wrong += take(a) != want[k];
			want[k] = 0;
			continue;
		}
		/* Few are put over others. */
		if (want[k] && r >> 20 & 7)
			continue;
		over += want[k] != 0;
		cell = cell % 60000000 + 1;
		wrong += put(a, r % 3000, entry_of(cell)) != want[k];
		want[k] = entry_of(cell);
	}
	for (unsigned k = 0; k < pages * PLACES; k++) {
		wrong += take(base + 8ull * k) != want[k];
		wrong += take(base + 8ull * k) != 0;
	}
	is_int(wrong, 0, "%u random operations on %u pages, %u put over others",
	       ops, pages, over);
}

/*
 * Memory is refused just when a page needs more room: its blocks stay, and the
 * refused block goes in later.
 */
static void
refused(uintptr_t page)
{
	unsigned wrong = 0, no = 0, kept = 0;

	refuse(true);
	is_int(put(page, 8, entry_of(1)), ~0ull, "no memory for a first block");
	is_int(take(page), 0, "which isn't there");
	refuse(false);
	for (unsigned i = 0; i < PLACES; i++) {
		uintptr_t a = page + 8 * shuffled(i, 37);

		refuse(true);
		if (put(a, 1000, entry_of(i + 1)) == ~0ull) {
			no++;
			for (unsigned k = 0; k < i; k++, kept++) {
				uintptr_t b = page + 8 * shuffled(k, 37);

				wrong += put(b, 8, entry_of(k + 2)) !=
					 entry_of(k + 1);
				wrong += take(b) != entry_of(k + 2);
				wrong += put(b, 8, entry_of(k + 1)) != 0;
			}
			wrong += take(a) != 0;
			wrong += put(a, 1000, entry_of(i + 1)) != ~0ull;
			refuse(false);
			wrong += put(a, 1000, entry_of(i + 1)) != 0;
		}
		refuse(false);
	}
	for (unsigned i = 0; i < PLACES; i++)
		wrong += take(page + 8 * shuffled(i, 37)) != entry_of(i + 1);
	ok(no >= 8 && kept > 300, "growth was refused %u times", no);
	is_int(wrong, 0, "the blocks before are there, all the same");
}

/* Without a thread, a block is put only where its page has room. */
static void
no_thread(void)
{
	uintptr_t page = 0x630000000000;
	uint64_t was;
	bool ok;

	mmi_live_put(NULL, at(page), 8, entry_of(1), &ok);
	ok(!ok, "a page without a bucket gets none");
	put(page, 8, entry_of(1));
	was = mmi_live_take(at(page));
	mmi_live_put(NULL, at(page), 0, was, &ok);
	ok(ok, "a block that was taken is put back as it was");
	is_int(take(page), entry_of(1), "and found");
}

static void
forks(void)
{
	uintptr_t p = 0x555500001000, q = p + PAGE;

	put(p, 50, entry_of(5));
	put(q, 60, entry_of(6));
	mmi_live_fork();
	is_int(take(p), entry_of(5), "after a fork blocks are there");
	/* Another thread was growing q's page. */
	*mmi_live_page(q) |= LOCKED;
	pages_moving = 1;
	mmi_live_fork();
	is_int(take(q), 0, "a page that was being moved is forgotten");
	is_int(put(q, 60, entry_of(7)), 0, "and goes on from nothing");
	is_int(take(q), entry_of(7), "as others do");
	is_int(pages_moving, 0, "nobody is moving it");
}

/*
 * Acts as a handler that has interrupted the growth of a page, in a program
 * with one thread: it uses the page as it is, or grows the page itself.
 */
static void
disturbed(void)
{
	uintptr_t p = 0x660000000000;
	uint64_t *page, word;

	for (unsigned i = 0; i < 16; i++)
		put(p + 16 * i, 64, entry_of(i + 1));
	page = mmi_live_page(p);
	word = *page;
	is_int(word_shift(word), 4, "a full bucket of 16");
	self.nested = true;
	*page = word | LOCKED;
	is_int(take(p), entry_of(1), "taken from a page that is being moved");
	is_int(*page, (int64_t)(word | LOCKED | DISTURBED), "which is told so");
	*page = word | LOCKED;
	is_int(put(p, 64, entry_of(1)), 0, "put where there is room");
	is_int(*page, (int64_t)(word | LOCKED | DISTURBED), "is told, too");
	*page = word | LOCKED;
	refuse(true);
	is_int(put(p + 16 * 20, 64, entry_of(21)), ~0ll, "no room, no memory");
	is_int(*page, (int64_t)(word | LOCKED | DISTURBED), "leaves it locked");
	refuse(false);
	is_int(put(p + 16 * 20, 64, entry_of(21)), 0,
	       "with memory it is grown");
	ok(!(*page & LOCKED) && word_shift(*page) > 4, "and no longer locked");
	is_int(MMI_LIVE_BUCKET(word)[5], -1, "nothing is left in the old one");
	ok(page_grow_alone(&self, page, word),
	   "who was interrupted finds it done");
	for (unsigned i = 0; i < 16; i++)
		word += take(p + 16 * i) == entry_of(i + 1);
	is_int(word & 31, 16, "and all blocks are there");
	self.nested = false;
}

#define WORKERS 4u

/*
 * Blocks on pages that all workers share; each worker has every fourth place.
 */
static void *
worker(void *arg)
{
	static uint32_t random_state[WORKERS];
	unsigned me = (unsigned)(size_t)arg;
	uint32_t *r = &random_state[me];
	uintptr_t base = 0x640000000000;
	size_t wrong = 0;
	struct mmi_thread *t = calloc(1, sizeof(*t));
	uint32_t *want = calloc(64 * PLACES, sizeof(*want));
	bool ok;

	for (unsigned i = 0; i < 1000000; i++) {
		unsigned k;

		*r = *r * 1664525u + 1013904223u + me;
		k = (*r >> 8) % (i / 16000 + 1) * PLACES +
		    (*r >> 20) % PLACES / WORKERS * WORKERS + me;
		if (want[k]) {
			wrong += (mmi_live_take(at(base + 8ull * k)) &
				  ALL_OF_IT) != entry_of(want[k]);
			want[k] = 0;
			continue;
		}
		want[k] = i + 1;
		wrong += mmi_live_put(t, at(base + 8ull * k), *r % 1000,
				      entry_of(i + 1), &ok) != 0 ||
			 !ok;
	}
	for (unsigned k = 0; k < 64 * PLACES; k++)
		if (k % WORKERS == me)
			wrong += (mmi_live_take(at(base + 8ull * k)) &
				  ALL_OF_IT) !=
				 (want[k] ? entry_of(want[k]) : 0);
	free(want);
	return (void *)wrong;
}

static void
threads(void)
{
	pthread_t id[WORKERS];
	size_t wrong = 0;
	void *one;

	for (size_t i = 0; i < WORKERS; i++)
		pthread_create(&id[i], NULL, worker, (void *)i);
	for (size_t i = 0; i < WORKERS; i++) {
		pthread_join(id[i], &one);
		wrong += (size_t)one;
	}
	is_int(wrong, 0,
	       "%u threads on pages that they share, while these grow",
	       WORKERS);
	is_int(pages_moving, 0, "no page is left locked");
}

static void
arrays(void)
{
	static void *directory[4];
	struct mmi_array a = { .chunk = directory,
			       .chunks = 4,
			       .shift = 3,
			       .size = 24,
			       .used = 1 };
	uint32_t i = 0, last = 0;
	unsigned char *p, *first = NULL;
	int n = 0, zero = 1;

	while ((p = mmi_array_add(&a, &i))) {
		if (!first)
			first = p;
		for (int k = 0; k < 24; k++)
			zero &= p[k] == 0;
		memset(p, 0xff, 24);
		last = i;
		n++;
	}
	is_int(n, 31, "an array hands out what its directory holds");
	is_int(last, 31, "up to the last index");
	ok(zero, "zeroed");
	ok(mmi_array_at(&a, 1) == first, "an item stays where it was");
}

/* A fork while another thread adds: the child may lack the parent's chunk. */
static void
array_fork(void)
{
	static void *directory[2];
	static uint64_t parents[8];
	struct mmi_array a = { .chunk = directory,
			       .chunks = 2,
			       .shift = 3,
			       .size = 8,
			       .used = 8 };
	uint32_t i = 0;
	void *p;

	directory[1] = parents; /* made, but no index of it is taken */
	mmi_array_skip(&a);
	p = mmi_array_add(&a, &i);
	ok(p && p != parents, "after a fork a new chunk is a new one");
	is_int(i, 8, "... with the same indices");
	mmi_array_skip(&a);
	ok(!mmi_array_add(&a, &i), "a full directory stays full");
}

static void
limits(void)
{
	uint64_t used = mmi_arena_used();
	void *p;

	mmi_arena_limit(used + 100000);
	is_int(mmi_arena_limited(), used + 100000, "a limit");
	ok(!mmi_arena_map(100001), "more isn't to be had");
	is_int(mmi_arena_used(), used, "nor counted");
	p = mmi_arena_map(100000);
	ok(p && mmi_arena_used() == used + 100000, "what is left is");
	ok(!mmi_arena_commit(1), "then not one byte");
	ok(mmi_arena_tight(), "and memory is tight");
	mmi_arena_unmap(p, 100000);
	is_int(mmi_arena_used(), used, "what is given back is left again");
	mmi_arena_limit(8 * used);
	ok(!mmi_arena_tight(), "it isn't tight");
	mmi_arena_limit(0);
	is_int(mmi_arena_limited(), 0, "no limit");
}

int
main(void)
{
	entries();
	put_take();
	first_pages();
	wide_entries();
	full_pages();
	random_blocks(1, 20, 250000);
	random_blocks(8, 64, 250000);
	random_blocks(64, 100, 500000);
	refused(0x620000000000);
	no_thread();
	forks();
	disturbed();
	threads();
	refused(0x621000000000);
	random_blocks(4, 50, 250000);
	arrays();
	array_fork();
	limits();
	return done_testing();
}
