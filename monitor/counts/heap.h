/* SPDX-License-Identifier: MIT */
/* Live bytes and their peak. */
#ifndef MEMMON_HEAP_H
#define MEMMON_HEAP_H

#include <sys/single_threaded.h>

#include "monitor/base/thread.h"

#define MMI_HEAP_SPREAD ((int64_t)32 << 10)

/* Slow paths of the functions below.  ctx: hook. */
void mmi_heap_peak_ends(void);
void mmi_heap_spread(void);

/* Add the thread's difference to the process's count.  ctx: hook. */
void mmi_heap_flush(struct mmi_thread *t);

/* A peak that grows by a thousandth gets a new time for its end. */
static inline void
mmi_heap_freshen(uint64_t now)
{
	if (UNLIKELY(now - LOAD(&mmi_shared.heap.timed) > now >> 10))
		STORE(&mmi_shared.heap.fresh, 1);
}

/*
 * *p becomes `now' if that is more.  A handler or another thread may be first.
 */
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

/*
 * `now' bytes are live: is that a peak?  The inline variant calls no function.
 */
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
 * Memory is about to shrink, and no count of it has changed yet: if it has
 * grown to a new peak, the peak is now.  ctx: hook.
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
 * `size' bytes more are live.  A new peak is in `live' only, until the first
 * thread that frees something reports it.  ctx: hook.
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

/* mmi_heap_shrink() in two steps: does it only count?  Then count. */
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

/* `size' bytes fewer are live; call mmi_heap_top() before.  ctx: hook. */
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
	uint64_t slack;	  /* `peak' may be wrong by this much */
	uint64_t peaks;	  /* how many there were, as in mmi_cell.epoch */
	uint64_t peak_at; /* when memory first shrank after it, ns on the
			   * monotonic clock; 0: not since */
};
void mmi_heap_read(struct mmi_heap_state *s); /* ctx: any */

/*
 * mmi_heap_high() returns the peak since the last snapshot, at least the bytes
 * live now.  mmi_heap_snapshot() begins a new snapshot, which each cell notices
 * at its next change; returns its number.  ctx: slow, one thread at a time.
 */
uint64_t mmi_heap_high(uint64_t live);
uint64_t mmi_heap_snapshot(void);

/* Nothing is live and nothing was.  ctx: fork. */
void mmi_heap_fork(void);

/*
 * The same for an epoch of control.h: before this call no thread of that epoch
 * adds its difference, and after it no thread of another epoch ever does.  ctx:
 * any, one thread at a time.
 */
void mmi_heap_reset(uint32_t epoch);

#endif
