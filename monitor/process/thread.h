/* SPDX-License-Identifier: MIT */
/* Who records: one struct mmi_thread for each thread that has events. */
#ifndef MEMMON_THREAD_H
#define MEMMON_THREAD_H

#include "monitor/file/image.h"

/* The thread's own struct; NULL: none yet. */
extern TLS struct mmi_thread *mmi_thread_me;

/* Stands in mmi_thread_me when the thread is ending: its events borrow. */
extern struct mmi_thread mmi_thread_ended;

/* mmi_thread_enter() and leave() where it isn't as simple as usual. */
struct mmi_thread *mmi_thread_enter_slow(uintptr_t sp);
struct mmi_thread *mmi_thread_enter_on_slow(uintptr_t sp);
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

	if (UNLIKELY(!t || (t->busy | LOAD(&t->attention)) || !mmi_owner.mine))
		return mmi_thread_enter_slow(sp);
	t->busy = sp;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return t;
}

/* The same; NULL also while recording is off. */
static inline struct mmi_thread *
mmi_thread_enter_on(void)
{
	uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
	struct mmi_thread *t = mmi_thread_me;

	if (UNLIKELY(!t || (t->busy | LOAD(&t->attention)) || !mmi_owner.mine))
		return mmi_thread_enter_on_slow(sp);
	t->busy = sp;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return t;
}

static inline void
mmi_thread_leave(struct mmi_thread *t)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (UNLIKELY(t->lent))
		mmi_thread_leave_slow(t);
	else
		t->busy = 0;
}

/* The thread's own struct, or NULL when it has none (yet).  ctx: any. */
static inline struct mmi_thread *
mmi_thread_self(void)
{
	return mmi_thread_me == &mmi_thread_ended ? NULL : mmi_thread_me;
}

extern TLS int mmi_thread_own_doing; /* how deep they are nested */

/*
 * Between the two, what this thread allocates is the monitor's own doing and
 * isn't recorded and comes from memory of its own.  They nest.  ctx: init,
 * exit.
 */
void mmi_thread_internal_begin(void);
void mmi_thread_internal_end(void);
static inline bool
mmi_thread_internal(void) /* ctx: hook */
{
	return UNLIKELY(mmi_thread_own_doing != 0);
}

/*
 * From now on no thread gets a struct, so nothing is recorded.  ctx: init,
 * before there is a second thread.
 */
void mmi_thread_stop(void);
bool mmi_thread_stopped(void); /* ctx: any */

/*
 * Whose events alone are recorded: of the thread whose mmi_thread_own_doing it
 * is.  NULL: of all.  See renew.h.
 */
extern HIDDEN const int *mmi_thread_alone;

/* Is this thread one of the others?  ctx: any. */
static inline bool
mmi_thread_frozen(void)
{
	const int *alone = LOAD_ACQ(&mmi_thread_alone);

	return UNLIKELY(alone != NULL) && alone != &mmi_thread_own_doing;
}

/* Make the key whose destructor tells that a thread ends.  ctx: init. */
void mmi_thread_init(void);

/* Look up the owner's name for its counts.  ctx: slow. */
void mmi_thread_name(struct mmi_thread *t);

/* Frames that a chain may have, for structs made from now on.  ctx: init. */
void mmi_thread_limit(unsigned depth);
unsigned mmi_thread_depth(void);

/*
 * All counts go into the image that was just made; moved: cells have done so,
 * whose addresses spots know.  ctx: init, slow.
 */
void mmi_thread_share(bool moved);

/* Only the calling thread is left; all counts to zero.  ctx: fork. */
void mmi_thread_fork(void);

/* All structs, to sum their counts: start with NULL.  ctx: any. */
const struct mmi_thread *mmi_thread_next(const struct mmi_thread *t);

/* What the thread had till now isn't its own any more.  ctx: hook. */
void mmi_thread_ordain(struct mmi_thread *t);

#endif
