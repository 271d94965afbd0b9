/* SPDX-License-Identifier: MIT */
/* Waiting for another thread, of any priority, on any CPU. */
#ifndef MEMMON_WAIT_H
#define MEMMON_WAIT_H

#include <time.h>

#include "monitor/base/internal.h"

/*
 * The state of a wait.  The other thread may have a lower priority and the same
 * CPU.  Then neither a loop nor sched_yield(2) lets it run: this thread sleeps.
 */
struct mmi_wait {
	uint64_t since; /* CLOCK_MONOTONIC, ns; 0: it hasn't slept */
	unsigned n;	/* turns so far */
};

#define MMI_WAIT_MS 1000000u /* ns */
#define MMI_WAIT_SPINS 64u
#define MMI_WAIT_TURNS (1u << 20) /* if the clock stands still */

/*
 * Waits a little: a few instructions at first, then 20 us, then 0.2 ms.  False,
 * at once, if `ns' have passed.  Sleeps by pselect6(2), like mmi_wait_ms(); if
 * a filter refuses that, it only yields the CPU.  ctx: slow.
 */
static inline bool
mmi_wait_more(struct mmi_wait *w, uint64_t ns)
{
	struct timespec now = { 0, 0 };
	long t[2] = { 0, w->n < 2 * MMI_WAIT_SPINS ? 20000 : 200000 };
	uint64_t at;

	if (w->n++ < MMI_WAIT_SPINS) {
		arch_pause();
		return true;
	}
	ARCH_SYS(SYS_clock_gettime, CLOCK_MONOTONIC, &now, 0, 0, 0, 0);
	at = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	if (!w->since)
		w->since = at | 1;
	else if (at > w->since && at - w->since > ns)
		return false;
	if (ARCH_SYS(SYS_pselect6, 0, 0, 0, 0, t, 0) == -1 /* EPERM */)
		ARCH_SYS(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
	return w->n < MMI_WAIT_TURNS;
}

#endif
