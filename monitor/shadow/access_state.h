/* SPDX-License-Identifier: MIT */
/*
 * What instrumented code finds of its thread: struct memmon_access_state.
 *
 * At first, and forever if there is no shadow, all threads use one struct,
 * whose counts go to a small array that no code reads.  With the first access
 * that finds an outdated word, a thread gets the one in its struct mmi_thread.
 */
#ifndef MEMMON_ACCESS_STATE_H
#define MEMMON_ACCESS_STATE_H

#include "monitor/base/sampling.h"
#include "monitor/base/thread.h"

/* In a word: its counts; if not 0, the granule was touched; and the guard. */
#define MMI_WORD_WRITES ((1ull << MEMMON_WRITES_BITS) - 1)
#define MMI_WORD_ALL ((1ull << MEMMON_STAMP_SHIFT) - (1ull << MEMMON_ALL_SHIFT))
#define MMI_WORD_COUNTS (MMI_WORD_ALL | MMI_WORD_WRITES)
#define MMI_WORD_OVERFLOW (1ull << MEMMON_OVERFLOW_SHIFT)
#define MMI_WORD_TOUCHED (MMI_WORD_COUNTS | MMI_WORD_OVERFLOW)
#define MMI_WORD_FIRST (1ull << MEMMON_FIRST_SHIFT)
#define MMI_WORD_SHARED (1ull << MEMMON_SHARED_SHIFT)
#define MMI_WORD_OWN (1ull << MEMMON_OWN_SHIFT)
#define MMI_WORD_GUARD \
	((1ull << MEMMON_STAMP_SHIFT) - (1ull << MEMMON_GUARD_SHIFT))
#define MMI_WORD_WHOSE (MMI_WORD_SHARED | ~0ull << MEMMON_TAG_SHIFT)
#define MMI_WORD_NOW (~0ull << MEMMON_STAMP_SHIFT)
/*
 * The most reads and writes together, and the most writes, that a word may be
 * set to.  Numbers with more than MEMMON_ALL_BITS bits reach into the guard, so
 * the next access moves them.  An access that read the word before may still be
 * added.
 */
#define MMI_WORD_MOST ((1u << (MEMMON_STAMP_SHIFT - MEMMON_ALL_SHIFT - 1)) - 1)
#define MMI_WORD_MOST_WRITES ((1u << (MEMMON_WRITES_BITS - 1)) - 1)

static inline uint32_t
mmi_word_all(uint64_t v)
{
	return (v & MMI_WORD_ALL) >> MEMMON_ALL_SHIFT;
}

static inline uint32_t
mmi_word_writes(uint64_t v)
{
	return v & MMI_WORD_WRITES;
}

/* If several threads write to the word, some counts may be missing. */
static inline uint32_t
mmi_word_reads(uint64_t v)
{
	uint32_t all = mmi_word_all(v), writes = mmi_word_writes(v);

	return LIKELY(all >= writes) ? all - writes : 0;
}

/* A word with these counts. */
static inline uint64_t
mmi_word_counts(uint64_t reads, uint64_t writes)
{
	return reads * MEMMON_READ + writes * MEMMON_WRITE;
}

static inline uint32_t
mmi_word_stamp(uint64_t v)
{
	return v >> MEMMON_STAMP_SHIFT & ((1u << MEMMON_STAMP_BITS) - 1);
}

static inline uint32_t
mmi_word_tag(uint64_t v)
{
	return (uint32_t)(v >> MEMMON_TAG_SHIFT);
}

/*
 * _open: the shadow exists, so threads may get their own state.  _close: it
 * doesn't exist any more.
 */
void mmi_state_open(uint64_t *cells); /* ctx: init */
void mmi_state_close(void);	      /* ctx: fork */

/* A thread starts with its struct, or leaves it.  ctx: hook. */
void mmi_state_enter(struct mmi_thread *t);
void mmi_state_leave(void);

/*
 * _quiet: from here on the accesses of the allocator itself aren't counted;
 * _loud: they are counted again.  Needed if the allocator calls functions of
 * wrap.h.  ctx: hook.
 */
struct memmon_access_state *mmi_state_quiet(void);
void mmi_state_loud(struct memmon_access_state *was);

/* Words used instead of the shadow, which always has more. */
#define MMI_STATE_DUMMIES 512u

/* Are its words the shadow's?  A thread that has just begun has none. */
static inline bool
mmi_state_is_open(const struct memmon_access_state *h)
{
	uint64_t *cells = LOAD(&h->cells);

	return cells && cells[-1] >= MMI_STATE_DUMMIES;
}

/* The struct that all threads share. */
extern HIDDEN struct memmon_access_state mmi_state_nobody;

/*
 * All blocks that are recorded have addresses below this one (abi.h).
 * _to: sets it for all threads.  ctx: any.
 */
static inline uint64_t
mmi_state_limit(void)
{
	return LOAD(&mmi_state_nobody.limit);
}
void mmi_state_limit_to(uint64_t address);

/*
 * Atomic: while blocks are sampled, are accesses counted where the word is 0,
 * too?  _end: no longer, in all threads.  ctx of that: any.
 */
extern HIDDEN bool mmi_state_zeros;
void mmi_state_zeros_end(void);

/* True: a block whose word is 0 is no sample.  ctx: any. */
static inline bool
mmi_state_skips(void)
{
	return mmi_sample_on() && !LOAD(&mmi_state_zeros);
}

/* The present epoch, as far as the clock (clock.h) has moved.  ctx: any. */
extern uint32_t mmi_clock_now;
static inline uint32_t
mmi_clock_epoch(void)
{
	return LOAD(&mmi_clock_now);
}

/* The clock has moved: tell all threads.  ctx: any. */
void mmi_state_tick(uint32_t epoch);

/*
 * How many words the busiest thread has renewed since the last call.  ctx: the
 * clock's thread.
 */
uint64_t mmi_state_renewed(void);

/* A word that this thread touches or makes now, without counts. */
static inline uint64_t
mmi_state_word(const struct mmi_thread *t)
{
	return LOAD(&t->access_state.now);
}

#endif
