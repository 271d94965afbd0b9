/* SPDX-License-Identifier: MIT */
/* Who records: one struct mmi_thread for each thread that has events. */
#ifndef MEMMON_ENTER_H
#define MEMMON_ENTER_H

#include "monitor/base/thread.h"

/*
 * mmi_thread_enter() and leave() where it isn't as simple as usual; _called:
 * others have asked for attention, which is looked at once busy is set, so that
 * who asks sees either (mmi_thread_freeze()).
 */
struct mmi_thread *mmi_thread_enter_slow(uintptr_t sp);
struct mmi_thread *mmi_thread_enter_on_slow(uintptr_t sp);
struct mmi_thread *mmi_thread_enter_called(struct mmi_thread *t, uintptr_t sp);
struct mmi_thread *mmi_thread_enter_on_called(struct mmi_thread *t,
					      uintptr_t sp);
void mmi_thread_leave_slow(struct mmi_thread *t);

/*
 * The struct to record the present event with, marked busy: the thread's own,
 * or a borrowed one when the thread was interrupted in the middle of an event,
 * or is ending.  NULL when there is no memory for one.  Give it back with
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

/* Make the key whose destructor tells that a thread ends.  ctx: init. */
void mmi_thread_init(void);

/* Frames that a chain may have, for structs made from now on.  ctx: init. */
void mmi_thread_limit(unsigned depth);
unsigned mmi_thread_depth(void);

/*
 * All counts go into the image that was just made; moved: cells have done so,
 * whose addresses cached frames know.  ctx: init, slow.
 */
void mmi_thread_share(bool moved);

/* Only the calling thread is left; all counts to zero.  ctx: fork. */
void mmi_thread_fork(void);

#endif
