/* SPDX-License-Identifier: MIT */
/* Pages of the live map: made and enlarged. */
#include "monitor/counts/live_pages.h"

#include <sys/mman.h>

#include "monitor/base/arena.h"
#include "monitor/base/mask.h"
#include "monitor/base/table.h"

#define LEAF_SIZE sizeof(struct mmi_live_leaf)
#define ROOT_SHIFT (MMI_LIVE_LEAF_BITS + MMI_LIVE_PAGE_BITS)

/*
 * LOCKED in a page's word: a thread is moving the entries to a larger bucket.
 * If there are several threads, it blocks all signals and does nothing else, so
 * the others wait; its own handlers never do.  If there is one thread, it
 * copies the entries.  Then only its own handler can meet LOCKED: the handler
 * uses the old bucket and sets DISTURBED, and the entries are copied again.
 */
#define LOCKED MMI_LIVE_LOCKED
#define DISTURBED MMI_LIVE_DISTURBED

/* The word without the bits that may change while the bucket stays the same. */
#define PLAIN(word) ((word) & ~(LOCKED | DISTURBED | MMI_LIVE_SPILLED))

/* Sizes of buckets: 2, 4, 8 ... 64 entries.  Then the page is flat. */
#define SHIFT_MIN 1u
#define SHIFT_LINE 3u
#define SHIFT_MAX 6u
#define SHIFT_FLAT 7u
_Static_assert(sizeof(uint64_t) << SHIFT_FLAT ==
		       sizeof(uint32_t) * MMI_LIVE_PLACES,
	       "a flat array is as large as the next bucket");

/*
 * The first FLAT_FIRST pages are flat at once, except for large blocks.  Later
 * pages are flat if their first block is small, as long as flat arrays take no
 * more than a quarter of the live bytes.  An allocator may leave many pages
 * with only a few blocks each.
 */
#define FLAT_FIRST 512u
#define FLAT_FIRST_SIZE 1024u
#define FLAT_SIZE 40u

/* The value of all places of a bucket that was replaced by a larger one. */
#define MOVED UINT64_MAX

MMI_TABLE struct mmi_live_leaf *mmi_live_root[MMI_LIVE_ROOTS];
uint64_t mmi_live_groups[MMI_LIVE_GROUPS / 64];
static int pages_moving; /* pages that are LOCKED */
static uint32_t nflat;	 /* number of flat arrays, roughly */

/* Clear a flat array that no other thread sees. */
static void
flat_clear(uint32_t *flat)
{
	for (unsigned i = 0; i < MMI_LIVE_PLACES; i++) {
		mmi_live_flat_gone(flat[i]);
		flat[i] = 0;
	}
}

static bool
flat_fill(uint32_t *flat, const uint64_t *from, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint32_t v = from[i] ? mmi_live_flat_made(from[i]) : 0;

		if (!v && from[i]) {
			flat_clear(flat);
			return false;
		}
		if (v)
			flat[(from[i] >> MMI_LIVE_OFF_SHIFT) - 1] = v;
	}
	FETCH_ADD(&nflat, 1);
	return true;
}

static uint64_t
word_make(const uint64_t *bucket, unsigned shift)
{
	if (shift == SHIFT_FLAT)
		return (uint64_t)bucket | MMI_LIVE_FLAT;
	if (shift < SHIFT_LINE)
		return (uint64_t)bucket | MMI_LIVE_SMALL |
		       (uint64_t)shift << 48;
	return (uint64_t)bucket | (uint64_t)(32 + SHIFT_LINE - shift) << 48;
}

/* The bucket's size is 2^this. */
static unsigned
word_shift(uint64_t word)
{
	unsigned n = MMI_LIVE_N(word);

	return word & MMI_LIVE_FLAT	? SHIFT_FLAT
	       : word & MMI_LIVE_SMALL ? n
				       : 32 + SHIFT_LINE - n;
}

COLD uint64_t *
mmi_live_pages_make(uintptr_t a)
{
	size_t i = mmi_live_root_of(a);
	struct mmi_live_leaf *l, *none = NULL;

	if (a >> ARCH_ADDR_BITS)
		return NULL;
	l = mmi_arena_map_part(LEAF_SIZE, sizeof(l->touched));
	if (!l)
		return NULL;
	/* A huge page would take 2 MiB for a few blocks. */
	ARCH_SYS(SYS_madvise, l, LEAF_SIZE, MADV_NOHUGEPAGE, 0, 0, 0);
	if (CAS(&mmi_live_root[i], &none, l))
		__atomic_fetch_or(&mmi_live_groups[i / 64 / 64],
				  1ull << i / 64 % 64, __ATOMIC_RELEASE);
	else
		mmi_arena_unmap_part(l, LEAF_SIZE, sizeof(l->touched));
	return mmi_live_page(a);
}

/* A page gets its first bucket: count the memory of its word. */
static bool
page_touch(uintptr_t a)
{
	struct mmi_live_leaf *l = LOAD_ACQ(&mmi_live_root[mmi_live_root_of(a)]);
	size_t i =
		(a >> MMI_LIVE_PAGE_BITS & ((1u << MMI_LIVE_LEAF_BITS) - 1)) *
		8 / ARCH_PAGE_NOW;
	uint32_t bit = 1u << (i & 31);

	if (LOAD(&l->touched[i / 32]) & bit)
		return true;
	if (!mmi_arena_commit(ARCH_PAGE_NOW))
		return false;
	/* Another thread may have counted it already. */
	if (__atomic_fetch_or(&l->touched[i / 32], bit, __ATOMIC_RELAXED) & bit)
		mmi_arena_uncommit(ARCH_PAGE_NOW);
	return true;
}

static uint64_t *
bucket_take(struct mmi_thread *t, unsigned shift)
{
	size_t size = sizeof(uint64_t) << shift;
	uint64_t *b = t->bucket[shift];

	if (!b)
		return mmi_arena_take(t, size, size < 128 ? size : 128);
	t->bucket[shift] = (uint64_t *)b[0];
	for (unsigned i = 0; i < 1u << shift; i++)
		b[i] = 0;
	return b;
}

/* Keep a bucket that no other thread has seen. */
static void
bucket_unused(struct mmi_thread *t, uint64_t *b, unsigned shift)
{
	b[0] = (uint64_t)t->bucket[shift];
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->bucket[shift] = b;
}

/*
 * Keep a replaced bucket.  Another thread may still be reading it, so only a
 * program's single thread, outside a handler, reuses it.
 */
static void
bucket_give(struct mmi_thread *t, uint64_t *b, unsigned shift)
{
	if (!__libc_single_threaded || t->nested)
		return;
	bucket_unused(t, b, shift);
}

/* Put an entry into a bucket that no other thread sees; *word is its word. */
static bool
bucket_fill(uint64_t *word, uint64_t entry)
{
	unsigned shift = word_shift(*word);
	unsigned n = shift < SHIFT_LINE ? 1u << shift : MMI_LIVE_LINE;
	uint64_t *b = MMI_LIVE_BUCKET(*word);
	size_t first = 0;

	if (shift > SHIFT_LINE)
		first = mmi_live_line(entry >> MMI_LIVE_OFF_SHIFT,
				      MMI_LIVE_N(*word));
	for (unsigned k = 0; k < (shift > SHIFT_LINE ? 2u : 1u); k++) {
		for (unsigned i = 0; i < n; i++)
			if (!b[first + i]) {
				b[first + i] = entry;
				*word |= k ? MMI_LIVE_SPILLED : 0;
				return true;
			}
		first ^= MMI_LIVE_LINE;
	}
	return false;
}

/* A new bucket's word with n entries; 0: they don't fit. */
static uint64_t
bucket_copy(uint64_t *to, unsigned shift, const uint64_t *from, unsigned n)
{
	uint64_t word = word_make(to, shift);

	if (shift == SHIFT_FLAT)
		return flat_fill((uint32_t *)to, from, n) ? word : 0;
	for (unsigned i = 0; i < n; i++)
		if (from[i] && !bucket_fill(&word, from[i]))
			return 0;
	return word;
}

/*
 * Call it with the page locked.  Returns the new word; without memory the old
 * one.
 */
static uint64_t
page_move(struct mmi_thread *t, uint64_t word)
{
	uint64_t all[1u << SHIFT_MAX], *old = MMI_LIVE_BUCKET(word), *new;
	uint64_t made;
	unsigned shift = word_shift(word), n = 1u << shift, want = shift + 1;

	for (unsigned i = 0; i < n; i++)
		all[i] = SWAP(&old[i], MOVED);
	for (; want <= SHIFT_FLAT && (new = bucket_take(t, want)); want++) {
		made = bucket_copy(new, want, all, n);
		if (made) {
			bucket_give(t, old, shift);
			return made;
		}
		bucket_unused(t, new, want);
	}
	for (unsigned i = 0; i < n; i++)
		STORE_REL(&old[i], all[i]);
	return word;
}

static bool
flat_at_once(uint64_t size)
{
	const uint64_t one = sizeof(uint32_t) * MMI_LIVE_PLACES;
	int64_t live = (int64_t)LOAD(&mmi_shared.heap.live);
	uint32_t n = LOAD(&nflat);

	if (size > FLAT_FIRST_SIZE || mmi_arena_tight())
		return false;
	return n < FLAT_FIRST || (size <= FLAT_SIZE && live > 0 &&
				  (n - FLAT_FIRST) * one < (uint64_t)live / 4);
}

/* A first bucket for a block of this many bytes and others like it. */
static uint64_t
page_first(struct mmi_thread *t, uint64_t size)
{
	unsigned shift = size <= 64 ? 4 : size <= 512 ? 2 : 1;
	uint64_t *b = NULL;

	if (flat_at_once(size) && (b = bucket_take(t, SHIFT_FLAT))) {
		FETCH_ADD(&nflat, 1);
		shift = SHIFT_FLAT;
	}
	if (!b)
		b = bucket_take(t, shift);
	return b ? word_make(b, shift) : 0;
}

/* A larger bucket with copies of the entries of `word'; 0: no memory. */
static uint64_t
page_copy(struct mmi_thread *t, uint64_t word)
{
	uint64_t *old = MMI_LIVE_BUCKET(word), *new, made;
	unsigned shift = word_shift(word), want = shift + 1;

	for (; want <= SHIFT_FLAT && (new = bucket_take(t, want)); want++) {
		made = bucket_copy(new, want, old, 1u << shift);
		if (made)
			return made;
		bucket_unused(t, new, want);
	}
	return 0;
}

/* Keep a bucket that was made for a page that has got another one. */
static void
bucket_drop(struct mmi_thread *t, uint64_t word)
{
	if (word & MMI_LIVE_FLAT)
		flat_clear((uint32_t *)MMI_LIVE_BUCKET(word));
	bucket_unused(t, MMI_LIVE_BUCKET(word), word_shift(word));
}

/*
 * The bucket's entries are in another one now.  Code that was interrupted while
 * it searched this bucket finds nothing here.
 */
static void
bucket_leave(struct mmi_thread *t, uint64_t word)
{
	uint64_t *b = MMI_LIVE_BUCKET(word);
	unsigned shift = word_shift(word);

	for (unsigned i = 0; i < 1u << shift; i++)
		STORE(&b[i], MOVED);
	bucket_give(t, b, shift);
}

/* page_grow_alone() for a page without a bucket. */
static bool
page_first_alone(struct mmi_thread *t, uint64_t *page, uint64_t size)
{
	uint64_t new = page_first(t, size);

	if (new && !arch_cas_local(page, 0, new))
		bucket_drop(t, new);
	return new != 0;
}

/*
 * mmi_live_pages_grow() for a program with one thread.  A handler that finds
 * the page locked moves the entries itself; the code that it interrupted then
 * sees that the page has another bucket.
 */
static bool
page_grow_alone(struct mmi_thread *t, uint64_t *page, uint64_t word)
{
	uint64_t seen = LOAD(page), before = seen, locked, new;

	for (;; seen = LOAD(page)) {
		if (PLAIN(seen) != PLAIN(word))
			return true;
		locked = (seen & ~DISTURBED) | LOCKED;
		if (!arch_cas_local(page, seen, locked))
			continue;
		new = page_copy(t, word);
		if (!new)
			break;
		if (arch_cas_local(page, locked, new)) {
			bucket_leave(t, word);
			return true;
		}
		bucket_drop(t, new);
	}
	/* Restore the word; the code that this handler interrupted copies
	 * again. */
	if (before & LOCKED)
		before |= DISTURBED;
	do {
		seen = LOAD(page);
		if (PLAIN(seen) != PLAIN(word))
			return true;
		before |= seen & MMI_LIVE_SPILLED;
	} while (!arch_cas_local(page, seen, before));
	return false;
}

COLD bool
mmi_live_pages_grow(struct mmi_thread *t, uintptr_t a, uint64_t *page,
		    uint64_t word, uint64_t size)
{
	uint64_t old = word, new = ~word;
	struct mmi_mask mask;

	if (!word && !page_touch(a))
		return false;
	if (__libc_single_threaded)
		return word ? page_grow_alone(t, page, word)
			    : page_first_alone(t, page, size);
	mmi_mask_block(&mask, MMI_MASK_MOST);
	FETCH_ADD(&pages_moving, 1);
	if (CAS(page, &old, word | LOCKED)) {
		new = word ? page_move(t, word) : page_first(t, size);
		STORE_REL(page, new);
	}
	FETCH_ADD(&pages_moving, -1);
	mmi_mask_restore(&mask);
	return new != word;
}

/* Forget the blocks of pages that another thread was moving. */
static COLD void
leaf_unlock(struct mmi_live_leaf *l)
{
	for (size_t i = 0; i < 1u << MMI_LIVE_LEAF_BITS; i++)
		if (l->page[i] & LOCKED)
			l->page[i] = 0;
}

void
mmi_live_fork(void)
{
	if (pages_moving)
		for (size_t i = 0; i < MMI_LIVE_ROOTS; i++)
			if (mmi_live_root[i])
				leaf_unlock(mmi_live_root[i]);
	pages_moving = 0;
}
