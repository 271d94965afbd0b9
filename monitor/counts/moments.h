/* SPDX-License-Identifier: MIT */
/*
 * The table of moments, of which there are always fewer than MMI_MOMENTS.  They
 * are a step apart, or more where nothing happened.  When there is no room for
 * another, every second one goes and the step is twice as long.
 */
#ifndef MEMMON_MOMENTS_H
#define MEMMON_MOMENTS_H

#include "monitor/base/shared.h"

/* Moments are a step of `ns' apart at first; 0: there are none.  ctx: init. */
void mmi_moments_init(uint64_t ns);

/* How far moments are apart, ns; 0: there are none.  ctx: any. */
uint64_t mmi_moments_step(void);

/* There were none.  ctx: fork; any, one at a time. */
void mmi_moments_clear(void);

/*
 * Between begin or hold, and release, no moment is taken.  False: somebody else
 * is at it; hold waits a little for that.  ctx: slow.
 */
bool mmi_moments_begin(void);
bool mmi_moments_hold(void);
void mmi_moments_release(void);

/*
 * Held: every second one goes; and the same as there is no room for what
 * changed at them, false: there are only few.  ctx: slow.
 */
void mmi_moments_thin(void);
bool mmi_moments_thin_all(void);

/* Of n moments the first whose number isn't less; n: none.  ctx: any. */
uint64_t mmi_moments_place(const struct mmi_moment *m, uint64_t n, uint64_t of);

/*
 * Held: which moment is there for one of that number: the first that isn't
 * before it.  ctx: slow.
 */
uint64_t mmi_moments_kept(uint64_t number);

#endif
