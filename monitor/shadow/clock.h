/* SPDX-License-Identifier: MIT */
/*
 * The clock of accesses.  Its steps, called epochs, are numbered from 1.  They
 * are MMI_CLOCK_UNIT long at first.  Whenever the run has become twice as long,
 * the steps become twice as long, too.  So 18 bits are always enough; when the
 * run has taken 0.4 s, a step is never longer than 1/1024 of the time so far:
 * this is less than the 0.1% below which blocks are short-lived.
 *
 * In each step, the first access to a granule takes a call, which renews its
 * word.  If this takes a thread more than 1/MMI_CLOCK_SHARE of its time, the
 * clock goes on by up to MMI_CLOCK_COARSE epochs at once.  When blocks are
 * sampled it always does so, as the words of all other blocks also need these
 * calls, without any use; how long a sample lived is known otherwise.
 *
 * A thread that only the kernel knows, and libc doesn't, moves the clock.  If
 * it can't be started, the clock moves when blocks are timed.
 */
#ifndef MEMMON_SHADOW_CLOCK_H
#define MEMMON_SHADOW_CLOCK_H

#include "monitor/shadow/access_state.h"

#ifndef MMI_CLOCK_UNIT
#define MMI_CLOCK_UNIT (2 * MONOUT_STEP) /* ns */
#endif
#define MMI_CLOCK_BITS 10u /* epochs of one length: 2^that */
#define MMI_CLOCK_COARSE 8u
#define MMI_CLOCK_SHARE 32u

/* When epoch e began, in units from the start, from 1. */
static inline uint64_t
mmi_clock_units(uint32_t e)
{
	uint32_t k = e >> MMI_CLOCK_BITS, low = 1u << MMI_CLOCK_BITS;

	if (LIKELY(k < 2))
		return e;
	return (uint64_t)(low + (e & (low - 1))) << (k - 1);
}

/* The epoch that contains unit u. */
static inline uint32_t
mmi_clock_of(uint64_t u)
{
	unsigned k;

	if (u < 2u << MMI_CLOCK_BITS)
		return (uint32_t)u;
	k = 63 - (unsigned)__builtin_clzll(u) - MMI_CLOCK_BITS;
	return (k << MMI_CLOCK_BITS) + (uint32_t)(u >> k);
}

/* The monotonic clock says `ns': move to that time.  ctx: any. */
void mmi_clock_move(uint64_t ns);

/* Start the thread that moves it, if it doesn't run yet.  ctx: slow. */
void mmi_clock_start_slow(void);
extern int mmi_clock_started;
static inline void
mmi_clock_start(void)
{
	if (UNLIKELY(!LOAD(&mmi_clock_started)))
		mmi_clock_start_slow();
}

/*
 * The most epochs that the clock has gone on at once, a power of 2: times
 * closer than that may be the same.  ctx: any.
 */
extern uint32_t mmi_clock_coarsest;

/*
 * _ticked: did its thread run?  _step: the longest step so far, in ns.  ctx:
 * any.
 */
bool mmi_clock_ticked(void);

/* The id of that thread, or 0.  ctx: any. */
long mmi_clock_tid(void);
uint64_t mmi_clock_step(void);

/* Start again.  ctx: fork. */
void mmi_clock_fork(void);

#endif
