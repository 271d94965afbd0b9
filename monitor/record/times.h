/* SPDX-License-Identifier: MIT */
/*
 * The heap over time: takes snapshots (counts/snapshots.h).
 *
 * No thread waits for the time of a snapshot: when the clock is read for a
 * block, and sometimes in between, memmon checks whether the next one is due.
 */
#ifndef MEMMON_TIMES_H
#define MEMMON_TIMES_H

#include "monitor/base/thread.h"

/* The first step, in ns, unless MEMMON_TIMELINE says otherwise. */
#define MMI_TIMES_STEP 100000u

/* Take snapshots from now on; step in ns, 0: take none.  ctx: init. */
void mmi_times_init(uint64_t step);

/*
 * Call mmi_times_dump() every `ns' ns, 0: never; the first time that long after
 * `now'.  ctx: init.
 */
void mmi_times_every(uint64_t ns, uint64_t now);

/* A data file is due.  Defined in process/dump.c.  ctx: slow. */
void mmi_times_dump(void);

/*
 * Note where the memory is (file/moments.h), unless a file is being written.
 * False: it can't be found out.  Defined in process/dump.c.  ctx: slow.
 */
bool mmi_times_moment(uint64_t now);

extern HIDDEN uint64_t mmi_times_due; /* monotonic clock; UINT64_MAX: never */

/*
 * Take a snapshot and a data file if they are due; must: a snapshot in any
 * case.  ctx: slow.
 */
void mmi_times_take(uint64_t now, bool must);
static inline void
mmi_times_look(uint64_t now)
{
	if (UNLIKELY(now >= LOAD(&mmi_times_due)))
		mmi_times_take(now, false);
}

/*
 * before: the thread's event at `now' is about to be counted; takes the
 * snapshot that is due, without this event.  counted: the event was counted; it
 * is the last one so far.  ctx: hook.
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

/*
 * The process ends: if it was quiet, takes a snapshot with the time when the
 * quiet began.  ctx: exit.
 */
void mmi_times_end(uint64_t now);

/* Forget all snapshots; counts are 0.  ctx: fork; any, one thread at a time. */
void mmi_times_clear(void);

/*
 * clamp: estimates are rounded to whole blocks one by one; makes frees at most
 * as many as allocations.  resident: bytes of the process in memory;
 * UINT64_MAX: not known.  ctx: slow, exit.
 */
void mmi_times_clamp(struct mmi_done *d);
uint64_t mmi_times_resident(void);

#endif
