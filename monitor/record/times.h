/* SPDX-License-Identifier: MIT */
/*
 * The heap over time: snapshots (counts/snapshots.h) are taken.
 *
 * Nobody waits for a moment: where the clock is read for a block, and now and
 * then besides, it is seen whether the next is due.
 */
#ifndef MEMMON_TIMES_H
#define MEMMON_TIMES_H

#include "monitor/base/thread.h"

/* The first step, in ns, unless MEMMON_TIMELINE says otherwise. */
#define MMI_TIMES_STEP 100000u

/* Take snapshots from now on; step in ns, 0: take none.  ctx: init. */
void mmi_times_init(uint64_t step);

/*
 * Have mmi_times_dump() called every so many ns, 0: not; the first time that
 * long after now.  ctx: init.
 */
void mmi_times_every(uint64_t ns, uint64_t now);

/* A data file is due.  Defined in process/dump.c.  ctx: slow. */
void mmi_times_dump(void);

/*
 * Where the memory is, is to be taken down (file/moments.h), unless a file is
 * being written.  False: that can't be known.  Defined in process/dump.c.  ctx:
 * slow.
 */
bool mmi_times_moment(uint64_t now);

extern HIDDEN uint64_t mmi_times_due; /* monotonic clock; UINT64_MAX: never */

/* A snapshot, and a data file, if they are due; must: a snapshot in any case.
 * ctx: slow. */
void mmi_times_take(uint64_t now, bool must);
static inline void
mmi_times_look(uint64_t now)
{
	if (UNLIKELY(now >= LOAD(&mmi_times_due)))
		mmi_times_take(now, false);
}

/*
 * The thread's event at `now' is about to be counted: the snapshot that is due
 * is without it.  When it is counted: it was the last one so far.  ctx: hook.
 */
void mmi_times_before(struct mmi_thread *t, uint64_t now);

static inline void
mmi_times_counted(struct mmi_thread *t)
{
	if (LIKELY(!t->looked))
		return;
	t->looked = false;
	STORE(&t->look_allocs, t->pub->seq + t->pub->handlers.allocs);
	STORE(&t->look_frees, t->pub->done.frees + t->pub->handlers.frees);
}

/* The process ends: if it was quiet, there is a snapshot of when that began.
 * ctx: exit. */
void mmi_times_end(uint64_t now);

/* There were none: counts are 0.  ctx: fork; any, one at a time. */
void mmi_times_clear(void);

/*
 * Of estimates each is cut to whole blocks by itself: no more went than there
 * were.  And bytes of memory that the process has; UINT64_MAX: not known.  ctx:
 * slow, exit.
 */
void mmi_times_clamp(struct mmi_done *d);
uint64_t mmi_times_resident(void);

#endif
