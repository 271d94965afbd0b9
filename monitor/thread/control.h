/* SPDX-License-Identifier: MIT */
/*
 * Recording is switched off and on, and counts are reset, while the program
 * runs.
 *
 * Whoever changes something writes it here and then sets `attention' of all
 * structs of threads; each looks here before its next event (resync.h), so that
 * an event costs no more than before.  One that had begun before that is from
 * before the change.
 *
 * The epoch rises at each reset.  A thread's counts are of the epoch that its
 * struct has: what is of an older one is in cells that nobody reads any more
 * (cells_first in shared.h), and the rest of it goes when the struct gets the
 * new one.
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
 * A reset that waits takes place now, if t, or NULL, isn't busy.  The first is
 * defined in process/recording.c.  ctx: hook.
 */
void mmi_control_waiting(void);
static inline void
mmi_control_pending(const struct mmi_thread *t)
{
	if (UNLIKELY(LOAD(&mmi_shared.control.waits)) && (!t || !t->busy))
		mmi_control_waiting();
}

/* For the file.  Times in ns. */
struct mmi_control_times {
	uint64_t off;	/* how long it was off since the start, or reset */
	uint64_t reset; /* of the last reset, after the start; 0: none */
};
void mmi_control_times(struct mmi_control_times *t); /* ctx: any */

/* Off times count from `now' on, ns on the monotonic clock.  ctx: any. */
void mmi_control_times_begin(uint64_t now);

/* Times count anew.  ctx: fork. */
void mmi_control_fork(void);

#endif
