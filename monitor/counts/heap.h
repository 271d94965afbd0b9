/* SPDX-License-Identifier: MIT */
/* Live bytes and their peak. */
#ifndef MEMMON_HEAP_H
#define MEMMON_HEAP_H

#include <sys/single_threaded.h>

#include "monitor/base/thread.h"

#define MMI_HEAP_SPREAD ((int64_t)32 << 10)

/* Slow paths of what follows.  ctx: hook. */
void mmi_heap_peak_ends(void);
void mmi_heap_spread(void);

/* The thread's difference goes to the process's count.  ctx: hook. */
void mmi_heap_flush(struct mmi_thread *t);

/* The end of a peak is timed anew if it is larger by a thousandth. */
static inline void
mmi_heap_freshen(uint64_t now)
{
	if (UNLIKELY(now - LOAD(&mmi_shared.heap.timed) > now >> 10))
		STORE(&mmi_shared.heap.fresh, 1);
}

/* *p becomes `now' if that is more.  A handler or a thread may be quicker. */
static inline __attribute__((always_inline)) bool
mmi_heap_raise(uint64_t *p, uint64_t now)
{
	uint64_t old = LOAD(p);

	while ((int64_t)now > (int64_t)old) {
		if (LIKELY(__libc_single_threaded)) {
			if (LIKELY(arch_cas_local(p, old, now)))
				return true;
			old = LOAD(p);
		} else if (CAS(p, &old, now)) {
			return true;
		}
	}
	return false;
}

/* `now' bytes are live: is that a peak?  The same in line, calling nothing. */
void mmi_heap_peak(uint64_t now);

static inline __attribute__((always_inline)) void
mmi_heap_peak_here(uint64_t now)
{
	if (!mmi_heap_raise(&mmi_shared.heap.high, now) ||
	    !mmi_heap_raise(&mmi_shared.heap.peak, now))
		return;
	mmi_shared_add(&mmi_shared.heap.peaks, 1);
	mmi_heap_freshen(now);
}

/*
 * Memory is about to shrink, and no count of that has changed yet: if it has
 * grown to a new peak, that was it.  ctx: hook.
 */
static inline bool
mmi_heap_topped(void)
{
	return UNLIKELY((int64_t)LOAD(&mmi_shared.heap.live) >
			(int64_t)LOAD(&mmi_shared.heap.high));
}

static inline void
mmi_heap_top(void)
{
	if (mmi_heap_topped())
		mmi_heap_peak(LOAD(&mmi_shared.heap.live));
}

/*
 * `size' bytes more are live.  If that is a peak, the first who frees something
 * says so; till then it is in `live'.  ctx: hook.
 */
static inline void
mmi_heap_grow(struct mmi_thread *t, uint64_t size)
{
	if (LIKELY(__libc_single_threaded && !t->pub->delta)) {
		arch_add_local(&mmi_shared.heap.live, size);
		return;
	}
	if (UNLIKELY(!LOAD(&mmi_shared.heap.spread)))
		mmi_heap_spread();
	t->pub->delta += (int64_t)size;
	if (UNLIKELY(t->pub->delta >= MMI_HEAP_SPREAD))
		mmi_heap_flush(t);
}

/* mmi_heap_shrink() in two steps: will it only count?  Then count. */
static inline bool
mmi_heap_shrinks_only(const struct mmi_thread *t, uint64_t size)
{
	return LIKELY(!LOAD(&mmi_shared.heap.fresh)) &&
	       LIKELY(t->pub->delta > (int64_t)size - MMI_HEAP_SPREAD);
}

static inline void
mmi_heap_shrink_count(struct mmi_pub *pub, uint64_t size, bool alone)
{
	if (LIKELY(alone && !pub->delta))
		arch_add_local(&mmi_shared.heap.live, -size);
	else
		pub->delta -= (int64_t)size;
}

/* `size' bytes fewer, after mmi_heap_top().  ctx: hook. */
static inline void
mmi_heap_shrink(struct mmi_thread *t, uint64_t size)
{
	if (UNLIKELY(LOAD(&mmi_shared.heap.fresh)))
		mmi_heap_peak_ends();
	mmi_heap_shrink_count(t->pub, size, __libc_single_threaded);
	if (UNLIKELY(t->pub->delta <= -MMI_HEAP_SPREAD))
		mmi_heap_flush(t);
}

/* For the file. */
struct mmi_heap_state {
	uint64_t peak;	  /* bytes live at most */
	uint64_t slack;	  /* by so much `peak' may be wrong */
	uint64_t peaks;	  /* how many there were: mmi_cell.epoch has the
			   * same number */
	uint64_t peak_at; /* when memory first shrank after it, ns on the
			   * monotonic clock; 0: not since */
};
void mmi_heap_read(struct mmi_heap_state *s); /* ctx: any */

/*
 * A new snapshot: what was the peak since the one before, at least what is live
 * now?  And who changes something hears of it; returns its number.  ctx: slow,
 * one at a time.
 */
uint64_t mmi_heap_high(uint64_t live);
uint64_t mmi_heap_snapshot(void);

/* Nothing is live and nothing was.  ctx: fork. */
void mmi_heap_fork(void);

/*
 * The same for an epoch of control.h: until then no thread of it adds what it
 * has, and none of another ever does again.  ctx: any, one at a time.
 */
void mmi_heap_reset(uint32_t epoch);

#endif
