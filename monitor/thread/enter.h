/* SPDX-License-Identifier: MIT */
/* Which struct records: one struct mmi_thread for each thread with events. */
#ifndef MEMMON_ENTER_H
#define MEMMON_ENTER_H

#include "monitor/base/thread.h"

/*
 * The less usual cases of mmi_thread_enter() and leave().  _called: another
 * thread has asked for attention; `busy' is set before this is checked, so the
 * other thread sees that `busy' is set, or this thread sees the request
 * (mmi_thread_freeze()).
 */
struct mmi_thread *mmi_thread_enter_slow(uintptr_t sp);
struct mmi_thread *mmi_thread_enter_on_slow(uintptr_t sp);
struct mmi_thread *mmi_thread_enter_called(struct mmi_thread *t, uintptr_t sp);
struct mmi_thread *mmi_thread_enter_on_called(struct mmi_thread *t,
					      uintptr_t sp);
void mmi_thread_leave_slow(struct mmi_thread *t);

/*
 * The struct to record the present event with, marked busy: the thread's own
 * struct; or a borrowed one if the thread was interrupted in the middle of an
 * event, or is ending.  NULL: no memory for one.  Give it back with
 * mmi_thread_leave().  ctx: hook.
 */
static inline struct mmi_thread *
mmi_thread_enter(void)
{
	uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
	struct mmi_thread *t = mmi_thread_me;

	if (UNLIKELY(!t || t->busy || !mmi_memory.mine))
		return mmi_thread_enter_slow(sp);
	t->busy = sp;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (UNLIKELY(LOAD(&t->attention)))
		return mmi_thread_enter_called(t, sp);
	return t;
}

/* The same; NULL also while recording is off. */
static inline struct mmi_thread *
mmi_thread_enter_on(void)
{
	uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
	struct mmi_thread *t = mmi_thread_me;

	if (UNLIKELY(!t || t->busy || !mmi_memory.mine))
		return mmi_thread_enter_on_slow(sp);
	t->busy = sp;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (UNLIKELY(LOAD(&t->attention)))
		return mmi_thread_enter_on_called(t, sp);
	return t;
}

static inline void
mmi_thread_leave(struct mmi_thread *t)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (UNLIKELY(t->nested))
		mmi_thread_leave_slow(t);
	else
		t->busy = 0;
}

/* This thread ends.  Defined in costs/costs.c.  ctx: hook. */
void mmi_thread_costs_end(void);

/* Make the key whose destructor runs when a thread ends.  ctx: init. */
void mmi_thread_init(void);

/* Most frames of a call path, for structs made from now on.  ctx: init. */
void mmi_thread_limit(unsigned depth);
unsigned mmi_thread_depth(void);

/*
 * Move all counts to the image that was just made.  moved: the cells have
 * moved, too, and cached frames know their addresses.  ctx: init, slow.
 */
void mmi_thread_share(bool moved);

/* Only the calling thread is left; set all counts to 0.  ctx: fork. */
void mmi_thread_fork(void);

#endif
