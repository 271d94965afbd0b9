/* SPDX-License-Identifier: MIT */
/* What threads did: of those that have ended, rows by name. */
#ifndef MEMMON_ENDED_H
#define MEMMON_ENDED_H

#include "monitor/base/thread.h"

/*
 * Add what *d has to *to, and `allocs' more.  Any number of threads at a time.
 * ctx: hook.
 */
void mmi_ended_add(struct mmi_done *to, const struct mmi_done *d,
		   uint64_t allocs);

/*
 * Counts that were read while their threads ran: as at one time, without bytes
 * of no block, and without more frees of others' blocks than frees.  ctx: any.
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
 * What the owner of t did goes to the row of its name, which counts `threads'
 * more; then it has done nothing.  ctx: hook (slow).
 */
void mmi_ended_hand_on(struct mmi_thread *t, uint64_t threads);

/* The owner of t has done nothing yet.  ctx: hook. */
void mmi_ended_clear(struct mmi_thread *t);

/*
 * What all threads did since the start, or the last reset.  False: some of it
 * was just being handed on.  ctx: any.
 */
bool mmi_ended_sum(struct mmi_done *sum);

/*
 * Between the two, what was done is in two places, or in none; no handler of
 * this thread's runs meanwhile.  And nobody is between them.  ctx: slow; fork.
 */
void mmi_ended_moving(void);
void mmi_ended_moved(void);
void mmi_ended_fork(void);

/* Is the row in use, for threads of this name?  ctx: any. */
bool mmi_ended_is(const struct mmi_thread_row *r, const char *name, bool main);

/* Row i of MMI_THREAD_ROWS, of the present epoch.  ctx: any. */
const struct mmi_thread_row *mmi_ended_row(unsigned i);

/* Those of an epoch are empty.  ctx: any, while nobody has it. */
void mmi_ended_rows_clear(uint32_t epoch);

/* Atomic: counts have been moved since somebody set it to 0. */
extern HIDDEN int mmi_ended_some;

#endif
