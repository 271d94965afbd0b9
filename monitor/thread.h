/* SPDX-License-Identifier: MIT */
/* Who records: one struct mmi_thread for each thread that has events. */
#ifndef MEMMON_THREAD_H
#define MEMMON_THREAD_H

#include "monitor/internal.h"

/*
 * The struct to record the present event with, marked busy: the thread's own,
 * or a borrowed one when the thread was interrupted in the middle of an event,
 * or is ending.  NULL when there is no memory for one.  Give it back with
 * mmi_thread_leave().  ctx: hook.
 */
struct mmi_thread *mmi_thread_enter(void);
void mmi_thread_leave(struct mmi_thread *t);

/* The thread's own struct, or NULL when it has none (yet).  ctx: any. */
struct mmi_thread *mmi_thread_self(void);

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

/* Make the key whose destructor tells that a thread ends.  ctx: init. */
void mmi_thread_init(void);

/* Frames that a chain may have, for structs made from now on.  ctx: init. */
void mmi_thread_limit(unsigned depth);
unsigned mmi_thread_depth(void);

/* Only the calling thread is left; all counts to zero.  ctx: fork. */
void mmi_thread_fork(void);

/* All structs, to sum their counts: start with NULL.  ctx: any. */
const struct mmi_thread *mmi_thread_next(const struct mmi_thread *t);

/* Threads that had an event so far.  ctx: any. */
uint64_t mmi_thread_count(void);

#endif
