/* SPDX-License-Identifier: MIT */
/* The totals of threads: for threads that have ended, rows by name. */
#ifndef MEMMON_ENDED_H
#define MEMMON_ENDED_H

#include "monitor/base/thread.h"

/*
 * Add *d to *to, and `allocs' more allocations.  Any number of threads at a
 * time.  ctx: hook.
 */
void mmi_ended_add(struct mmi_done *to, const struct mmi_done *d,
		   uint64_t allocs);

/*
 * Correct counts that were read while their threads ran: no bytes without
 * blocks, and no more frees of other threads' blocks than frees.  ctx: any.
 */
static inline void
mmi_ended_settle(struct mmi_done *d)
{
	if (!d->allocs)
		d->bytes = 0;
	if (!d->frees)
		d->freed = 0;
	if (d->of_others > d->frees)
		d->of_others = d->frees;
}

/*
 * Move the totals of t's owner to the row of its name, which counts `threads'
 * more threads; the owner's totals are 0 then.  ctx: hook (slow).
 */
void mmi_ended_hand_on(struct mmi_thread *t, uint64_t threads);

/* Set the totals of t's owner to 0.  ctx: hook. */
void mmi_ended_clear(struct mmi_thread *t);

/*
 * The totals of all threads since the start, or the last reset.  False: some of
 * them were just being moved.  ctx: any.
 */
bool mmi_ended_sum(struct mmi_done *sum);

/*
 * Between _moving and _moved, totals are in two places or in none; no signal
 * handler of this thread may run meanwhile.  ctx: slow.  _fork: no thread is
 * between the two now.  ctx: fork.
 */
void mmi_ended_moving(void);
void mmi_ended_moved(void);
void mmi_ended_fork(void);

/* Is the row in use, for threads of this name?  ctx: any. */
bool mmi_ended_is(const struct mmi_thread_row *r, const char *name, bool main);

/* Row i of MMI_THREAD_ROWS, of the present epoch.  ctx: any. */
const struct mmi_thread_row *mmi_ended_row(unsigned i);

/* Empty the rows of an epoch.  ctx: any, while no thread has this epoch. */
void mmi_ended_rows_clear(uint32_t epoch);

/* Atomic: counts have been moved since it was last set to 0. */
extern HIDDEN int mmi_ended_some;

#endif
