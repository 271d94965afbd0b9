/* SPDX-License-Identifier: MIT */
/* The rare calls of instrumented code. */
#include "monitor/access/slow_path.h"

#include <sys/single_threaded.h>

#include "monitor/access/first.h"
#include "monitor/access/inline.h"
#include "monitor/access/span.h"
#include "monitor/shadow/clock.h"
#include "monitor/shadow/overflow.h"
#include "monitor/shadow/shadow.h"
#include "monitor/thread/enter.h"

#define STATE __link_with_lmemmon_access_v6

static unsigned ways;

unsigned
mmi_access_ways(void)
{
	return LOAD(&ways);
}

EXPORT void
__memmon_way(unsigned bit)
{
	__atomic_fetch_or(&ways, bit, __ATOMIC_RELAXED);
	mmi_shadow_needed();
	mmi_clock_start();
}

/* Granules behind one that are handled together with it. */
#define AHEAD 32u

/*
 * Granule i, of word *v, is about to be touched again, in a later step.  Marks
 * the granules behind it, too, if the same is known about them.  May also mark
 * granules behind the block's end that are in no other block.
 */
static void
first_keep(uint64_t i, uint64_t *v)
{
	const uint64_t *blocks = mmi_shadow.blocks, end = i + AHEAD;
	uint64_t *c = mmi_shadow.cells, w;
	uint32_t epoch = mmi_word_stamp(*v);

	/* Other threads may count there. */
	if (mmi_access_first(i, v) == i || !__libc_single_threaded)
		return;
	for (i++; i < end; i++) {
		w = c[i];
		if (w & MMI_WORD_FIRST || !(w & MMI_WORD_TOUCHED) ||
		    mmi_word_stamp(w) < epoch ||
		    LOAD(&blocks[i]) & MMI_SHADOW_START)
			break;
		STORE(&c[i], w | MMI_WORD_FIRST);
	}
}

/*
 * Large blocks start with words that are 0.  When the first of some neighbours
 * is touched, all of them are set up, as not yet touched.
 */
#define NEIGHBOURS 64u

static void
neighbours(uint64_t i, uint64_t now)
{
	uint64_t *c = &mmi_shadow.cells[i & ~(uint64_t)(NEIGHBOURS - 1)], zero;

	for (unsigned k = 0; k < NEIGHBOURS; k++) {
		zero = LOAD(&c[k]);
		if (!zero)
			mmi_shadow_replace(&c[k], &zero, now);
	}
}

/* Gives the thread its struct if possible, and starts the clock. */
static COLD void
prepare(void)
{
	struct mmi_thread *t;

	if (STATE == &mmi_state_nobody && !mmi_thread_internal()) {
		t = mmi_thread_enter();
		if (t)
			mmi_thread_leave(t);
	}
	mmi_clock_start();
}

/* Moves counts that are too large for granule i's word. */
static COLD void
move_counts(uint64_t i, uint64_t *cell)
{
	uint64_t v = LOAD(cell), was = v;

	/* Only the thread that takes them out of the word adds them to the
	 * array. */
	if (v & MMI_WORD_GUARD &&
	    mmi_shadow_replace(cell, &was,
			       (v & ~MMI_WORD_COUNTS) | MMI_WORD_OVERFLOW))
		mmi_overflow_add(i, mmi_word_reads(v), mmi_word_writes(v));
}

/*
 * Calls prepare() and move_counts(), whose code uses vector registers: these
 * may contain the program's values.
 */
static COLD void
seldom(uint64_t i, uint64_t *cell)
{
	struct arch_vectors vectors;

	arch_vectors_save(&vectors);
	prepare();
	move_counts(i, cell);
	arch_vectors_restore(&vectors);
}

static uint64_t
now_here(void)
{
	if (UNLIKELY(STATE == &mmi_state_nobody))
		return (uint64_t)mmi_clock_epoch() << MEMMON_STAMP_SHIFT;
	return LOAD(&STATE->now);
}

/* Number of tries: other threads may change the word meanwhile. */
#define TRIES 4u

void
mmi_access_slow(uint64_t *cell)
{
	uint64_t i = (uint64_t)(cell - mmi_shadow.cells), now, was, v;

	/* The word isn't one of the shadow's, so it isn't recorded; or it is in
	 * no sample, and a thread without a struct has counted in it. */
	if (UNLIKELY(!mmi_shadow.cells || i >= MMI_SHADOW_GRANULES) ||
	    (mmi_state_skips() && !(LOAD(cell) & MMI_WORD_NOW))) {
		STORE(cell, 0);
		return;
	}
	if (UNLIKELY(STATE == &mmi_state_nobody || !LOAD(&mmi_clock_started) ||
		     LOAD(cell) & MMI_WORD_GUARD))
		seldom(i, cell);
	STATE->renewed++;
	now = now_here();
	for (unsigned k = 0; k < TRIES; k++) {
		was = v = LOAD(cell);
		if (v & MMI_WORD_TOUCHED) {
			if (mmi_word_tag(v) &&
			    mmi_word_tag(v) != mmi_word_tag(now))
				v |= MMI_WORD_SHARED;
			if (mmi_word_stamp(v) != mmi_word_stamp(now) &&
			    !(v & MMI_WORD_FIRST))
				first_keep(i, &v);
		} else if (!v) {
			neighbours(i, now);
			was = v = LOAD(cell);
		}
		if (mmi_shadow_replace(cell, &was, (v & ~MMI_WORD_NOW) | now))
			return;
	}
}

EXPORT void
__memmon_touch(uint64_t *cell)
{
	if (UNLIKELY(!(LOAD(&ways) & MONOUT_W_PLUGIN)))
		__atomic_fetch_or(&ways, MONOUT_W_PLUGIN, __ATOMIC_RELAXED);
	mmi_access_slow(cell);
}

EXPORT void
__memmon_range(const void *p, size_t size, uint32_t reads, uint32_t writes)
{
	uintptr_t a = (uintptr_t)p;

	if (LIKELY(size))
		mmi_access_span(a >> MEMMON_GRANULE_SHIFT,
				(a + size - 1) >> MEMMON_GRANULE_SHIFT,
				mmi_word_counts(reads, writes));
}

/* dense() in the rarer cases: more than two granules ... */
static COLD void
dense_slow(uintptr_t a, size_t n, uint64_t add, unsigned shift)
{
	size_t each = 16u >> shift, some = (16 - (a & 15)) >> shift, all;

	if (some < each && some < n) {
		mmi_access_add(a, some * add);
		a = (a | 15) + 1;
		n -= some;
	}
	all = n / each;
	if (all && !(a & 15)) {
		mmi_access_span(a >> MEMMON_GRANULE_SHIFT,
				(a >> MEMMON_GRANULE_SHIFT) + all - 1,
				each * add);
		a += 16 * all;
		n -= each * all;
	}
	if (n)
		mmi_access_add(a, n * add);
}

/*
 * Counts n adjacent accesses of 2^shift bytes, aligned to their size: adds
 * `add' to the granule's word for each.
 */
static inline __attribute__((always_inline)) void
dense(uintptr_t a, size_t n, uint64_t add, unsigned shift)
{
	struct memmon_access_state *h = STATE;
	uint64_t *cell = mmi_access_cell(h, a);
	size_t some = (16 - (a & 15)) >> shift;

	if (UNLIKELY(!mmi_access_fits(cell, &h->now)) ||
	    UNLIKELY(n - 1 >= 16)) {
		if (n)
			dense_slow(a, n, add, shift);
		return;
	}
	if (n > some) {
		if (UNLIKELY(!mmi_access_fits(cell + 1, &h->now)) ||
		    UNLIKELY(n - some > 16u >> shift) ||
		    UNLIKELY(cell == &h->cells[h->cells[-1]])) {
			dense_slow(a, n, add, shift);
			return;
		}
		cell[1] += (n - some) * add;
		n = some;
	}
	cell[0] += n * add;
}

/* Sizes that divide 16, as bits; the largest `add' that fits 16 times. */
#define DENSE (1u << 1 | 1u << 2 | 1u << 4 | 1u << 8 | 1u << 16)
#define DENSE_MAX (MEMMON_ADD_MAX / 16)

/*
 * Counts n adjacent unaligned accesses of `size' bytes from a on.  An access
 * that crosses the end of a granule counts in the next one, too.  size: up to
 * 16, or a multiple of 16.
 */
static COLD void
across(uintptr_t a, size_t n, size_t size, uint64_t add)
{
	uintptr_t first = (a >> MEMMON_GRANULE_SHIFT) + 1;

	if (size <= 16) {
		uintptr_t last = (a + n * size - 1) >> MEMMON_GRANULE_SHIFT;

		if (first <= last)
			mmi_access_span(first, last, add);
		return;
	}
	for (; n > 1; n--) {
		a += size;
		mmi_access_add(a, add);
	}
}

EXPORT void
__memmon_loop(const void *first, ptrdiff_t stride, size_t n, size_t size,
	      uint32_t reads, uint32_t writes)
{
	uintptr_t a = (uintptr_t)first;
	uint64_t add = mmi_word_counts(reads, writes);

	if (UNLIKELY(!n || !size))
		return;
	if (stride < 0) {
		a += (n - 1) * (uintptr_t)stride;
		stride = -stride;
	}
	if (mmi_access_beyond(STATE, a))
		return;
	if (LIKELY(stride == (ptrdiff_t)size && size <= 16 &&
		   DENSE >> size & 1 && (reads | writes) <= DENSE_MAX)) {
		dense(a & ~(size - 1), n, add, (unsigned)__builtin_ctzl(size));
		if (UNLIKELY(a & (size - 1)))
			across(a, n, size, add);
		return;
	}
	/* Each granule counts once, and twice if one access ends and another
	 * begins in it. */
	if (stride == (ptrdiff_t)size && !(size & 15)) {
		mmi_access_span(a >> MEMMON_GRANULE_SHIFT,
				(a + n * size - 1) >> MEMMON_GRANULE_SHIFT,
				add);
		if (a & 15)
			across(a, n, size, add);
		return;
	}
	for (; n; n--, a += (uintptr_t)stride)
		mmi_access_span(a >> MEMMON_GRANULE_SHIFT,
				(a + size - 1) >> MEMMON_GRANULE_SHIFT, add);
}
