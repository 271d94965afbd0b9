/* SPDX-License-Identifier: MIT */
/*
 * Recording is switched off and on, and counts are reset, while the program
 * runs.
 *
 * A thread that changes something writes it here and then sets `attention' in
 * the structs of all threads.  Each thread looks here before its next event
 * (resync.h), so an event costs no more than before.  An event that had already
 * begun belongs to the time before the change.
 *
 * The epoch rises at each reset.  A thread's counts belong to the epoch in its
 * struct.  Counts of an older epoch are in cells that no code reads any more
 * (cells_first in shared.h); the other counts are cleared when the struct gets
 * the new epoch.
 */
#ifndef MEMMON_CONTROL_H
#define MEMMON_CONTROL_H

#include "monitor/base/thread.h"

/* Is recording off?  ctx: any. */
static inline bool
mmi_control_off(void)
{
	return LOAD(&mmi_shared.control.off) != 0;
}

/*
 * If a reset waits, do it now, unless t is busy; t may be NULL.  The first is
 * defined in process/recording.c.  ctx: hook.
 */
void mmi_control_waiting(void);
static inline void
mmi_control_pending(const struct mmi_thread *t)
{
	if (UNLIKELY(LOAD(&mmi_shared.control.waits)) && (!t || !t->busy))
		mmi_control_waiting();
}

/* Times for the file, ns. */
struct mmi_control_times {
	/* How long it was off since the start or the last reset. */
	uint64_t off;
	uint64_t reset; /* of the last reset, after the start; 0: none */
};
void mmi_control_times(struct mmi_control_times *t); /* ctx: any */

/* Count off times from `now' on, ns on the monotonic clock.  ctx: any. */
void mmi_control_times_begin(uint64_t now);

/* Count times from zero again.  ctx: fork. */
void mmi_control_fork(void);

#endif
