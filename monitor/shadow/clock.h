/* SPDX-License-Identifier: MIT */
/*
 * The clock of accesses.  Its steps, called epochs, are numbered from 1 and are
 * MMI_CLOCK_UNIT long at first; whenever the run has become twice as long they
 * are doubled, so that 18 bits last for ever and a step is never longer than
 * 1/1024 of the time run so far, once that is 0.4 s: less than 0.1%, by which
 * blocks are short-lived.
 *
 * In each step each granule that is accessed takes a call, which renews its
 * word.  While this takes a thread more than 1/MMI_CLOCK_SHARE of its time, the
 * clock goes on by up to MMI_CLOCK_COARSE epochs at once.  Where blocks are
 * sampled it always does, as the words of all other blocks take the calls, too,
 * for nothing; how long a sample lived is known apart.
 *
 * A thread of the kernel's alone, of which libc knows nothing, moves it; where
 * that can't be had it moves when blocks are timed.
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

/* The epoch in which unit u is. */
static inline uint32_t
mmi_clock_of(uint64_t u)
{
	unsigned k;

	if (u < 2u << MMI_CLOCK_BITS)
		return (uint32_t)u;
	k = 63 - (unsigned)__builtin_clzll(u) - MMI_CLOCK_BITS;
	return (k << MMI_CLOCK_BITS) + (uint32_t)(u >> k);
}

/* It is `ns' on the monotonic clock: move to there.  ctx: any. */
void mmi_clock_move(uint64_t ns);

/* Let it move by itself, if it doesn't yet.  ctx: slow. */
void mmi_clock_start_slow(void);
extern int mmi_clock_started;
static inline void
mmi_clock_start(void)
{
	if (UNLIKELY(!LOAD(&mmi_clock_started)))
		mmi_clock_start_slow();
}

/*
 * By how many epochs the clock has gone on at most, a power of 2: times closer
 * than that may be the same.  ctx: any.
 */
extern uint32_t mmi_clock_coarsest;

/* Did it?  The longest step so far, in ns.  ctx: any. */
bool mmi_clock_ticked(void);

/* The id of that thread, or 0.  ctx: any. */
long mmi_clock_tid(void);
uint64_t mmi_clock_step(void);

/* It starts anew.  ctx: fork. */
void mmi_clock_fork(void);

#endif
