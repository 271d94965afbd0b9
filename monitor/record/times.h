/* SPDX-License-Identifier: MIT */
/*
 * The heap over time: moments, of which there are always fewer than
 * MMI_MOMENTS.  They are a step apart, or more where nothing happened.  When
 * there is no room for another, every second one goes and the step is twice as
 * long.
 *
 * Nobody waits for a moment: where the clock is read for a block, and now and
 * then besides, it is seen whether the next is due.
 */
#ifndef MEMMON_TIMES_H
#define MEMMON_TIMES_H

#include "monitor/base/shared.h"
#include "monitor/file/emit.h"
#include "monitor/file/tables.h"

/* The first step, in ns, unless MEMMON_TIMELINE says otherwise. */
#define MMI_TIMES_STEP 1000000u

/* Take moments from now on; step in ns, 0: take none.  ctx: init. */
void mmi_times_init(uint64_t step);

extern HIDDEN uint64_t mmi_times_due; /* monotonic clock; UINT64_MAX: never */

/* A moment, if it is due, or if it must be.  ctx: slow. */
void mmi_times_take(uint64_t now, bool must);
static inline void
mmi_times_look(uint64_t now)
{
	if (UNLIKELY(now >= LOAD(&mmi_times_due)))
		mmi_times_take(now, false);
}

/* How far moments are apart, ns; 0: there are none.  ctx: any. */
uint64_t mmi_times_step(void);

/* There were none: counts are 0.  ctx: fork; any, one at a time. */
void mmi_times_clear(void);

/*
 * Between the two no moment is taken: false, somebody else is at it.  Then
 * every second may be left out, as there is no room for what changed at them;
 * false: there are only few.  Which moment is there for one of that number: the
 * first that isn't before it.  ctx: slow.
 */
bool mmi_times_hold(void);
void mmi_times_release(void);
bool mmi_times_thin(void);
uint64_t mmi_times_kept(uint64_t number);

/*
 * For the file: moments as they are now; the place in the file that the counts
 * of a moment's number go to; the table, whose last item is the file's own
 * totals, `length' ns after the start.  Returns how many items there are.  ctx:
 * exit, one at a time.
 */
void mmi_times_begin(void);
uint64_t mmi_times_place(uint64_t number);
uint64_t mmi_times_put(struct mmi_emit *o, const struct mmi_tables_count *sum,
		       uint64_t length);

#endif
