/* SPDX-License-Identifier: MIT */
/* The live map: address of a block -> entry. */
#include "monitor/counts/live.h"

#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/image/image.h"

#define LEAF_SIZE sizeof(struct mmi_live_leaf)
#define ROOT_SHIFT (MMI_LIVE_LEAF_BITS + MMI_LIVE_PAGE_BITS)

#define LEAF_PAGES (LEAF_SIZE / ARCH_PAGE)

/*
 * LOCKED in a page's word: a thread is moving the entries to a larger bucket.
 * Where there are several, it blocks all signals meanwhile and does nothing
 * else, so the others wait; they can't be its own handlers.  A thread that is
 * alone copies them; then only a handler of its own can meet LOCKED, which goes
 * on with the old bucket and sets DISTURBED: they have to be copied again.
 */
#define LOCKED MMI_LIVE_LOCKED
#define DISTURBED (1ull << 61)

/* Sizes of buckets: 2, 4, 8 ... 512 entries. */
#define SHIFT_MIN 1u
#define SHIFT_LINE 3u
#define SHIFT_MAX 9u

/* Stands in all places of a bucket that was left for a larger one. */
#define MOVED UINT64_MAX

/* Places that are looked at in one go: a cache line. */
#define LINE 8u

/*
 * How long to wait for a page, in ns: until its holder must be dead.  A fork of
 * a process with much memory may keep it from going on for seconds.
 */
#define PATIENCE 20000000000u
#define TIMES (1u << 30) /* should the clock stand still */

struct mmi_live_leaf *mmi_live_root[1u << MMI_LIVE_ROOT_BITS];
uint32_t *mmi_live_touched[1u << MMI_LIVE_ROOT_BITS];
static int pages_moving; /* pages that are LOCKED */

static uint64_t
word_make(const uint64_t *bucket, unsigned shift)
{
	if (shift < SHIFT_LINE)
		return (uint64_t)bucket | MMI_LIVE_SMALL |
		       (uint64_t)shift << 48;
	return (uint64_t)bucket | (uint64_t)(32 + SHIFT_LINE - shift) << 48;
}

/* The bucket's size: 2^that. */
static unsigned
word_shift(uint64_t word)
{
	unsigned n = MMI_LIVE_N(word);

	return word & MMI_LIVE_SMALL ? n : 32 + SHIFT_LINE - n;
}

/* mmi_live_page(); makes the leaf when it isn't there. */
static COLD uint64_t *
page_make(uintptr_t a)
{
	size_t i = a >> ROOT_SHIFT;
	size_t bits = LEAF_PAGES / 8;
	struct mmi_live_leaf *l, *none = NULL;
	uint32_t *b, *nobits = NULL;

	if (a >> ARCH_ADDR_BITS)
		return NULL;
	b = mmi_arena_map(bits);
	if (!b)
		return NULL;
	if (!CAS(&mmi_live_touched[i], &nobits, b))
		mmi_arena_unmap(b, bits);
	l = mmi_arena_reserve(LEAF_SIZE);
	if (!l)
		return NULL;
	/* A huge page would cost 2 MiB for a few blocks. */
	ARCH_SYS(SYS_madvise, l, LEAF_SIZE, MADV_NOHUGEPAGE, 0, 0, 0);
	if (!CAS(&mmi_live_root[i], &none, l))
		mmi_arena_unreserve(l, LEAF_SIZE);
	return mmi_live_page(a);
}

/* A page gets its first bucket: account for its word's memory. */
static bool
page_touch(uintptr_t a)
{
	uint32_t *b = LOAD(&mmi_live_touched[a >> ROOT_SHIFT]);
	size_t i =
		(a >> MMI_LIVE_PAGE_BITS & ((1u << MMI_LIVE_LEAF_BITS) - 1)) *
		8 / ARCH_PAGE;
	uint32_t bit = 1u << (i & 31);

	if (LOAD(&b[i / 32]) & bit)
		return true;
	if (!mmi_arena_touch(ARCH_PAGE))
		return false;
	__atomic_fetch_or(&b[i / 32], bit, __ATOMIC_RELAXED);
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

/*
 * A bucket that was left.  Another thread may still be looking at it, so only
 * one that is alone, and not in a handler, uses it again.
 */
static void
bucket_give(struct mmi_thread *t, uint64_t *b, unsigned shift)
{
	if (!__libc_single_threaded || t->nested)
		return;
	b[0] = (uint64_t)t->bucket[shift];
	t->bucket[shift] = b;
}

/* Put an entry into a bucket that nobody else sees, whose word is *word. */
static bool
bucket_fill(uint64_t *word, uint64_t entry)
{
	unsigned shift = word_shift(*word);
	unsigned n = shift < SHIFT_LINE ? 1u << shift : LINE;
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
		first ^= LINE;
	}
	return false;
}

/* A new bucket's word, with n entries put into it; 0: they don't fit. */
static uint64_t
bucket_copy(uint64_t *to, unsigned shift, const uint64_t *from, unsigned n)
{
	uint64_t word = word_make(to, shift);

	for (unsigned i = 0; i < n; i++)
		if (from[i] && !bucket_fill(&word, from[i]))
			return 0;
	return word;
}

/*
 * With the page locked: its new word, or the old one when there is no memory.
 */
static uint64_t
page_move(struct mmi_thread *t, uint64_t word)
{
	uint64_t all[1u << SHIFT_MAX], *old = MMI_LIVE_BUCKET(word), *new;
	uint64_t made;
	unsigned shift = word_shift(word), n = 1u << shift, want = shift + 1;

	for (unsigned i = 0; i < n; i++)
		all[i] = SWAP(&old[i], MOVED);
	for (; want <= SHIFT_MAX && (new = bucket_take(t, want)); want++) {
		made = bucket_copy(new, want, all, n);
		if (made) {
			bucket_give(t, old, shift);
			return made;
		}
		bucket_give(t, new, want);
	}
	for (unsigned i = 0; i < n; i++)
		STORE_REL(&old[i], all[i]);
	return word;
}

/* Room for a first block of this many bytes, and for others like it. */
static uint64_t
page_first(struct mmi_thread *t, uint64_t size)
{
	unsigned shift = size <= 64 ? 4 : size <= 512 ? 2 : 1;
	uint64_t *b = bucket_take(t, shift);

	return b ? word_make(b, shift) : 0;
}

/* A larger bucket with the entries of `word', which stay; 0: no memory. */
static uint64_t
page_copy(struct mmi_thread *t, uint64_t word)
{
	uint64_t *old = MMI_LIVE_BUCKET(word), *new, made;
	unsigned shift = word_shift(word), want = shift + 1;

	for (; want <= SHIFT_MAX && (new = bucket_take(t, want)); want++) {
		made = bucket_copy(new, want, old, 1u << shift);
		if (made)
			return made;
		bucket_give(t, new, want);
	}
	return 0;
}

/*
 * The bucket's entries stand in another one now.  Who was interrupted while he
 * was looking at it finds nothing here.
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

/* page_grow_alone() of a page without a bucket. */
static bool
page_first_alone(struct mmi_thread *t, uint64_t *page, uint64_t size)
{
	uint64_t new = page_first(t, size);

	if (new && !arch_cas_local(page, 0, new))
		bucket_give(t, MMI_LIVE_BUCKET(new), word_shift(new));
	return new != 0;
}

/*
 * page_grow() of a program with one thread.  A handler that finds the page
 * locked does it in the place of what it interrupted, which will see that the
 * page has another bucket.
 */
static bool
page_grow_alone(struct mmi_thread *t, uint64_t *page, uint64_t word)
{
	uint64_t locked = word | LOCKED, seen = LOAD(page), before = seen, new;

	for (;; seen = LOAD(page)) {
		if ((seen & ~(LOCKED | DISTURBED)) != word)
			return true;
		if (!arch_cas_local(page, seen, locked))
			continue;
		new = page_copy(t, word);
		if (!new)
			break;
		if (arch_cas_local(page, locked, new)) {
			bucket_leave(t, word);
			return true;
		}
		bucket_give(t, MMI_LIVE_BUCKET(new), word_shift(new));
	}
	/* As it was; what this handler interrupted has to copy anew. */
	if (before & LOCKED)
		before |= DISTURBED;
	do {
		seen = LOAD(page);
		if ((seen & ~(LOCKED | DISTURBED)) != word)
			return true;
	} while (!arch_cas_local(page, seen, before));
	return false;
}

/*
 * Give the page of address a more room than `word' says.  False: there is no
 * memory.
 */
static COLD bool
page_grow(struct mmi_thread *t, uintptr_t a, uint64_t *page, uint64_t word,
	  uint64_t size)
{
	uint64_t all = ~(1ull << (SIGBUS - 1)), was, old = word, new = ~word;
	bool masked;

	if (!word && !page_touch(a))
		return false;
	if (__libc_single_threaded)
		return word ? page_grow_alone(t, page, word)
			    : page_first_alone(t, page, size);
	masked = ARCH_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &all, &was, 8, 0,
			  0) == 0;
	FETCH_ADD(&pages_moving, 1);
	if (CAS(page, &old, word | LOCKED)) {
		new = word ? page_move(t, word) : page_first(t, size);
		STORE_REL(page, new);
	}
	FETCH_ADD(&pages_moving, -1);
	if (masked)
		ARCH_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &was, 0, 8, 0, 0);
	return new != word;
}

/* The page's word, once it isn't locked; LOCKED: it stays so. */
static COLD uint64_t
page_wait(const uint64_t *page)
{
	uint64_t word, since = 0, now;

	/* The holder didn't come along. */
	if (!mmi_memory.mine)
		mmi_process_forked();
	for (unsigned n = 1; n < TIMES; n++) {
		word = LOAD_ACQ(page);
		if (!(word & LOCKED))
			return word;
		arch_pause();
		if (n % 1024)
			continue;
		ARCH_SYS(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
		now = mmi_process_clock(CLOCK_MONOTONIC);
		if (!since)
			since = now;
		else if (now - since > PATIENCE)
			break;
	}
	return LOCKED;
}

/* In a line: the block's place or NULL, and a free one in *empty or NULL. */
static uint64_t *
line_find(uint64_t *b, uint64_t off, uint64_t **empty)
{
	unsigned none, same = mmi_live_look(b, off, &none);

	*empty = none ? b + __builtin_ctz(none) / 2 : NULL;
	return same ? b + __builtin_ctz(same) / 2 : NULL;
}

/* The same in a bucket that is less than a line. */
static uint64_t *
small_find(uint64_t *b, unsigned n, uint64_t off, uint64_t **empty)
{
	*empty = NULL;
	for (unsigned i = 0; i < n; i++) {
		uint64_t v = LOAD(&b[i]);

		if (v >> MMI_LIVE_OFF_SHIFT == off)
			return &b[i];
		if (!v && !*empty)
			*empty = &b[i];
	}
	return NULL;
}

/*
 * Where the block is, or NULL and where it could be.  An entry is in its second
 * line only if the first had no place when it was made.
 */
static uint64_t *
bucket_find(uint64_t word, uint64_t off, uint64_t **empty)
{
	uint64_t *b = MMI_LIVE_BUCKET(word), *same, *first;
	unsigned n = MMI_LIVE_N(word);
	size_t line;

	if (word & MMI_LIVE_SMALL)
		return small_find(b, 1u << n, off, empty);
	line = mmi_live_line(off, n);
	same = line_find(b + line, off, &first);
	*empty = first;
	if (same || n == 32)
		return same;
	same = line_find(b + (line ^ LINE), off, empty);
	if (first)
		*empty = first;
	return same;
}

/* The page's word; LOCKED: it stays so. */
static inline uint64_t
page_word(uint64_t *page)
{
	uint64_t word = LOAD_ACQ(page);

	if (LIKELY(!(word & LOCKED)))
		return word;
	if (!__libc_single_threaded)
		return page_wait(page);
	while (word & LOCKED && !arch_cas_local(page, word, word | DISTURBED))
		word = LOAD(page);
	return word & ~(LOCKED | DISTURBED);
}

/* Is the word still what page_word() gave? */
static inline bool
page_is(const uint64_t *page, uint64_t word)
{
	return (LOAD_ACQ(page) & ~(LOCKED | DISTURBED)) == word;
}

/* The same block stands there: what became of it wasn't seen. */
static COLD bool
put_over(uint64_t *same, uint64_t entry, uint64_t *was)
{
	*was = LOAD(same);
	return *was >> MMI_LIVE_OFF_SHIFT == entry >> MMI_LIVE_OFF_SHIFT &&
	       mmi_live_cas(same, *was, entry);
}

/* If the place isn't in the entry's line, say so first.  False: try anew. */
static bool
spills(uint64_t *page, uint64_t word, uint64_t entry, const uint64_t *place)
{
	size_t i = (size_t)(place - MMI_LIVE_BUCKET(word));

	if (word & (MMI_LIVE_SMALL | MMI_LIVE_SPILLED) ||
	    (i & ~(size_t)(LINE - 1)) ==
		    mmi_live_line(entry >> MMI_LIVE_OFF_SHIFT,
				  MMI_LIVE_N(word)))
		return true;
	/* On a newer bucket it does no harm. */
	__atomic_fetch_or(page, MMI_LIVE_SPILLED, __ATOMIC_ACQ_REL);
	return false;
}

uint64_t
mmi_live_put_slow(struct mmi_thread *t, const void *p, uint64_t size,
		  uint64_t entry, bool *ok)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *page = mmi_live_page(a), *same, *empty, word, was;

	*ok = true;
	entry |= MMI_LIVE_OFF(a) << MMI_LIVE_OFF_SHIFT;
	if (!page && !(page = page_make(a)))
		goto fail;
	while (!((word = page_word(page)) & LOCKED)) {
		if (word) {
			same = bucket_find(word, MMI_LIVE_OFF(a), &empty);
			if (same) {
				if (put_over(same, entry, &was))
					return was;
				continue;
			}
			if (empty && spills(page, word, entry, empty) &&
			    mmi_live_cas(empty, 0, entry))
				return 0;
			if (empty || !page_is(page, word))
				continue;
		}
		if (!t || !page_grow(t, a, page, word, size))
			break;
	}
fail:
	*ok = false;
	return 0;
}

uint64_t
mmi_live_take_slow(const void *p)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *page = mmi_live_page(a), *same, *empty, word, v;

	if (!page)
		return 0;
	for (;;) {
		word = page_word(page);
		if (!word || word & LOCKED)
			return 0;
		same = bucket_find(word, MMI_LIVE_OFF(a), &empty);
		if (same) {
			v = LOAD(same);
			if (v >> MMI_LIVE_OFF_SHIFT == MMI_LIVE_OFF(a) &&
			    mmi_live_cas(same, v, 0))
				return v;
		} else if (page_is(page, word)) {
			return 0;
		}
	}
}

#ifdef MEMMON_ACCESS
COLD uint64_t
mmi_live_put_odd(struct mmi_thread *t, const void *p, uint64_t size,
		 uint64_t entry, bool *ok)
{
	if (!mmi_shadow_had(p))
		return mmi_live_put_map(t, p, size, entry, ok);
	*ok = true;
	return mmi_shadow_put(p, entry);
}

COLD uint64_t
mmi_live_take_odd(const void *p)
{
	return mmi_live_take_map(p);
}
#endif

/* A page that another thread was moving: its blocks are forgotten. */
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
		for (size_t i = 0; i < 1u << MMI_LIVE_ROOT_BITS; i++)
			if (mmi_live_root[i])
				leaf_unlock(mmi_live_root[i]);
	pages_moving = 0;
}
