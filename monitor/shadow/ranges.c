/* SPDX-License-Identifier: MIT */
/* Records of ranges: counted, then added to the words. */
#include "monitor/shadow/ranges.h"

#include <sys/single_threaded.h>

#include "monitor/base/arch.h"
#include "monitor/base/wait.h"
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/clock.h"
#include "monitor/shadow/overflow.h"
#include "monitor/shadow/shadow.h"

/* How long to wait for threads that are adding. */
#define PATIENCE (1000 * MMI_WAIT_MS)

enum { READS, WRITES, KINDS };

/* The record of a card; all 0: no range began or ended in it. */
struct ends {
	uint64_t began, ended; /* reads, and above PART_SHIFT writes */
	uint32_t first, last;  /* epochs of the ranges that began here */
	/* Of the thread that began ranges here; 0: none. */
	uint32_t tag;
	uint32_t flags;
};
_Static_assert(sizeof(struct ends) == MMI_RANGES_BYTES, "size");

/* Flags: several threads' ranges began here; more counts are in overflow.h. */
#define SHARED 1u
#define MORE_BEGAN 2u
#define MORE_ENDED 4u

/* Keys in overflow.h: with the card's first granule. */
#define KEY_BEGAN (1ull << 58)
#define KEY_ENDED (1ull << 59)

#define PART_SHIFT 32
#define READS_OF(counts) ((counts) & ((1ull << PART_SHIFT) - 1))
#define WRITES_OF(counts) ((counts) >> PART_SHIFT)

/* When a count has grown this large, it is moved to overflow.h. */
#define MUCH (1u << 31)
#define MUCH_OF_ANY ((uint64_t)MUCH << PART_SHIFT | MUCH)

uint32_t mmi_ranges_any;
static uint32_t held; /* atomic */

/* Cards of a region. */
#define PER_REGION (MMI_SHADOW_REGION / MMI_RANGES_CARD)

/* May the card's region have a record that isn't 0?  It is never cleared. */
static inline uint8_t *
region_of(uint64_t card)
{
	return &mmi_shadow.ranged[card / PER_REGION % MMI_SHADOW_REGIONS];
}

static struct ends *
ends_at(uint64_t card)
{
	return (struct ends *)(void *)mmi_shadow.ends + card;
}

/* One instruction, so that a signal handler's addition isn't lost. */
static inline void
add_to(uint64_t *to, uint64_t n, bool alone)
{
	if (alone)
		arch_add_local(to, n);
	else
		FETCH_ADD(to, n);
}

/* Move out counts that have grown too large. */
static COLD void
move_out(struct ends *e, uint64_t *counts, uint64_t key, uint32_t flag)
{
	uint64_t i = (uint64_t)(e - ends_at(0)) * MMI_RANGES_CARD;
	uint64_t n = SWAP(counts, 0);

	__atomic_fetch_or(&e->flags, flag, __ATOMIC_RELAXED);
	mmi_overflow_add(i | key, READS_OF(n), WRITES_OF(n));
}

/* Note that a thread's range begins in this epoch. */
static inline void
note(struct ends *e, uint32_t tag, uint32_t epoch)
{
	uint32_t none = 0;

	if (UNLIKELY(LOAD(&e->tag) != tag) && !CAS(&e->tag, &none, tag) &&
	    none != tag)
		__atomic_fetch_or(&e->flags, SHARED, __ATOMIC_RELAXED);
	none = 0;
	if (UNLIKELY(!LOAD(&e->first)))
		(void)CAS(&e->first, &none, epoch);
	if (UNLIKELY(LOAD(&e->last) != epoch))
		STORE(&e->last, epoch);
}

/* The first range that begins or ends in a card's region. */
static COLD void
begin(uint64_t card)
{
	mmi_clock_start();
	STORE(region_of(card), 1);
	STORE_REL(&mmi_ranges_any, 1);
}

/*
 * A signal handler, which adds in `frame', interrupted this thread while it was
 * adding: the frame in which it was adding.  0: there is none; or a handler has
 * left it by siglongjmp(3).
 */
static inline uintptr_t
frame_of(const struct mmi_thread *t, uintptr_t frame)
{
	return UNLIKELY(t->in_range > frame) ? t->in_range : 0;
}

/*
 * Make other threads wait for this one; false: this thread must wait for them.
 */
static inline bool
enter(struct mmi_thread *t, uintptr_t frame, uintptr_t was, bool alone)
{
	if (alone) {
		STORE(&t->in_range, frame);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		return true;
	}
	__atomic_store_n(&t->in_range, frame, __ATOMIC_SEQ_CST);
	if (LIKELY(!__atomic_load_n(&held, __ATOMIC_SEQ_CST)))
		return true;
	STORE_REL(&t->in_range, was);
	return false;
}

bool
mmi_ranges_add(uint64_t first, uint64_t last, uint32_t reads, uint32_t writes)
{
	struct ends *b = ends_at(first), *e = ends_at(last);
	struct mmi_thread *t = mmi_thread_self() ? mmi_thread_me : NULL;
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0), was;
	const uint64_t n = (uint64_t)writes << PART_SHIFT | reads;
	bool alone = __libc_single_threaded;
	uint64_t now;

	if (UNLIKELY(!t) || UNLIKELY((reads | writes) >= MUCH))
		return false;
	now = mmi_state_word(t);
	was = frame_of(t, frame);
	if (UNLIKELY(!mmi_word_tag(now)) ||
	    UNLIKELY(!enter(t, frame, was, alone)))
		return false;
	if (UNLIKELY(!LOAD(region_of(first))))
		begin(first);
	if (UNLIKELY(!LOAD(region_of(last))))
		begin(last);
	note(b, mmi_word_tag(now), mmi_word_stamp(now));
	add_to(&b->began, n, alone);
	add_to(&e->ended, n, alone);
	if (UNLIKELY(LOAD(&b->began) & MUCH_OF_ANY))
		move_out(b, &b->began, KEY_BEGAN, MORE_BEGAN);
	if (UNLIKELY(LOAD(&e->ended) & MUCH_OF_ANY))
		move_out(e, &e->ended, KEY_ENDED, MORE_ENDED);
	STORE_REL(&t->in_range, was);
	return true;
}

/* All counts of a record. */
struct counts {
	uint64_t began[KINDS], ended[KINDS];
	uint32_t flags;
};

static struct counts
counts_of(const struct ends *e, uint64_t card, bool take)
{
	uint64_t began = LOAD(&e->began), ended = LOAD(&e->ended);
	struct counts c = {
		{ READS_OF(began), WRITES_OF(began) },
		{ READS_OF(ended), WRITES_OF(ended) },
		LOAD(&e->flags),
	};
	uint64_t i = card * MMI_RANGES_CARD, r, w;

	if (UNLIKELY(c.flags & MORE_BEGAN)) {
		mmi_overflow_read(i | KEY_BEGAN, take, &r, &w);
		c.began[READS] += r;
		c.began[WRITES] += w;
	}
	if (UNLIKELY(c.flags & MORE_ENDED)) {
		mmi_overflow_read(i | KEY_ENDED, take, &r, &w);
		c.ended[READS] += r;
		c.ended[WRITES] += w;
	}
	return c;
}

static bool
is_empty(const struct ends *e)
{
	const uint64_t *w = (const uint64_t *)(const void *)e;

	return !(w[0] | w[1] | w[2] | w[3]);
}

/* The next card from c on, before `end', whose record isn't empty; or `end'. */
static uint64_t
next_card(uint64_t c, uint64_t end)
{
	while (c < end) {
		if (!LOAD(region_of(c)))
			c = (c / PER_REGION + 1) * PER_REGION;
		else if (is_empty(ends_at(c)))
			c++;
		else
			return c;
	}
	return end;
}

/* The whole cards in n granules from i on. */
static void
cards_of(uint64_t i, uint64_t n, uint64_t *from, uint64_t *end)
{
	*from = (i + MMI_RANGES_CARD - 1) / MMI_RANGES_CARD;
	*end = (i + n) / MMI_RANGES_CARD;
}

/* How many ranges that began before these cards end in them. */
static void
from_before(uint64_t from, uint64_t end, uint64_t now[KINDS])
{
	int64_t sum[KINDS] = { 0, 0 }, least[KINDS] = { 0, 0 };

	for (uint64_t c = next_card(from, end); c < end;
	     c = next_card(c + 1, end)) {
		struct counts x = counts_of(ends_at(c), c, false);

		for (unsigned k = 0; k < KINDS; k++) {
			sum[k] += (int64_t)(x.began[k] - x.ended[k]);
			if (sum[k] < least[k])
				least[k] = sum[k];
		}
	}
	for (unsigned k = 0; k < KINDS; k++)
		now[k] = (uint64_t)-least[k];
}

/* The ranges that contain the current card. */
struct told {
	uint64_t now[KINDS]; /* accesses to each granule */
	uint32_t last, tag;
	bool shared;
};

/* A granule's word v with these accesses added. */
static uint64_t
word_with(const struct told *s, uint64_t i, uint64_t v)
{
	uint64_t reads = mmi_word_reads(v) + s->now[READS];
	uint64_t writes = mmi_word_writes(v) + s->now[WRITES];
	uint32_t last = s->last;

	if (s->shared || (v & MMI_WORD_TOUCHED && mmi_word_tag(v) &&
			  mmi_word_tag(v) != s->tag))
		v |= MMI_WORD_SHARED;
	if (v & MMI_WORD_TOUCHED && mmi_word_stamp(v) > last)
		last = mmi_word_stamp(v);
	if (reads + writes > MMI_WORD_MOST || writes > MMI_WORD_MOST_WRITES) {
		mmi_overflow_add(i, reads, writes);
		reads = writes = 0;
		v |= MMI_WORD_OVERFLOW;
	}
	v &= ~(MMI_WORD_NOW | MMI_WORD_COUNTS);
	return v | MMI_WORD_FIRST | mmi_word_counts(reads, writes) |
	       (uint64_t)last << MEMMON_STAMP_SHIFT |
	       (uint64_t)s->tag << MEMMON_TAG_SHIFT;
}

/* Add the accesses to the granules of cards c to `end' - 1. */
static void
tell(const struct told *s, uint64_t block, uint64_t c, uint64_t end)
{
	uint64_t *cells = mmi_shadow.cells, v;

	if (!s->now[READS] && !s->now[WRITES])
		return;
	for (uint64_t i = c * MMI_RANGES_CARD; i < end * MMI_RANGES_CARD; i++) {
		v = LOAD(&cells[i]);
		/* The time of the first access is stored with the block. */
		if (v & MMI_WORD_TOUCHED && !(v & MMI_WORD_FIRST))
			mmi_shadow_first(block + 1, mmi_word_stamp(v));
		STORE(&cells[i], word_with(s, i, v));
	}
}

COLD void
mmi_ranges_settle_slow(uint64_t block, uint64_t n)
{
	const struct ends none = { .tag = 0 };
	struct told s = { .last = mmi_clock_epoch() };
	uint64_t from, end, next;
	uint32_t first = 0;

	cards_of(block, n, &from, &end);
	next = next_card(from, end);
	if (next >= end)
		return;
	from_before(next, end, s.now);
	if (!s.now[READS] && !s.now[WRITES])
		s.last = 0;
	tell(&s, block, from, next);
	for (uint64_t c = next; c < end; c = next) {
		struct ends *e = ends_at(c);
		struct counts x = counts_of(e, c, true);

		for (unsigned k = 0; k < KINDS; k++)
			s.now[k] += x.began[k];
		if (e->tag) {
			s.shared |= (x.flags & SHARED) ||
				    (s.tag && s.tag != e->tag);
			s.tag = e->tag;
			s.last = e->last > s.last ? e->last : s.last;
			first = first && first < e->first ? first : e->first;
		}
		*e = none;
		tell(&s, block, c, c + 1);
		for (unsigned k = 0; k < KINDS; k++)
			s.now[k] -= x.ended[k];
		next = next_card(c + 1, end);
		tell(&s, block, c + 1, next);
	}
	if (first)
		mmi_shadow_first(block + 1, first);
}

COLD void
mmi_ranges_clear_slow(uint64_t i, uint64_t n)
{
	const struct ends none = { .tag = 0 };
	uint64_t end = (i + n + MMI_RANGES_CARD - 1) / MMI_RANGES_CARD;
	uint64_t c = i / MMI_RANGES_CARD;

	while ((c = next_card(c, end)) < end) {
		(void)counts_of(ends_at(c), c, true);
		*ends_at(c) = none;
	}
}

bool
mmi_ranges_hold(void)
{
	struct mmi_wait wait = { 0, 0 };
	const struct mmi_thread *t = NULL;

	if (mmi_thread_self() &&
	    frame_of(mmi_thread_me, (uintptr_t)__builtin_frame_address(0)))
		return false;
	__atomic_store_n(&held, 1, __ATOMIC_SEQ_CST);
	while ((t = mmi_thread_next(t)))
		while (t != mmi_thread_me &&
		       __atomic_load_n(&t->in_range, __ATOMIC_SEQ_CST))
			if (!mmi_wait_more(&wait, PATIENCE)) {
				mmi_ranges_release();
				return false;
			}
	return true;
}

void
mmi_ranges_release(void)
{
	STORE_REL(&held, 0);
}

void
mmi_ranges_fork(bool has)
{
	const struct mmi_thread *t = NULL;

	while ((t = mmi_thread_next(t)))
		STORE(&((struct mmi_thread *)t)->in_range, 0);
	held = 0;
	if (!has)
		mmi_ranges_any = 0;
}
