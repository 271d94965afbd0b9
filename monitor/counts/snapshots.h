/* SPDX-License-Identifier: MIT */
/*
 * The table of snapshots, of which there are always fewer than MMI_SNAPSHOTS.
 * They are a step apart, or more where nothing happened.  When there is no room
 * for another, every second one goes and the step is twice as long.
 */
#ifndef MEMMON_SNAPSHOTS_H
#define MEMMON_SNAPSHOTS_H

#include "monitor/base/shared.h"

/*
 * Snapshots are a step of `ns' apart at first; 0 if there are none.  ctx: init.
 */
void mmi_snapshots_init(uint64_t ns);

/* How far snapshots are apart, ns; 0 if there are none.  ctx: any. */
uint64_t mmi_snapshots_step(void);

/* There were none.  ctx: fork; any, one at a time. */
void mmi_snapshots_clear(void);

/*
 * Between begin or hold, and release, no snapshot is taken.  False: somebody
 * else is at it; hold waits a little for that.  ctx: slow.
 */
bool mmi_snapshots_begin(void);
bool mmi_snapshots_hold(void);
void mmi_snapshots_release(void);

/*
 * Held: every second one goes; and the same as there is no room for what
 * changed at them, false: there are only few.  ctx: slow.
 */
void mmi_snapshots_thin(void);
bool mmi_snapshots_thin_all(void);

/* Of n snapshots the first whose number isn't less; n: none.  ctx: any. */
uint64_t mmi_snapshots_place(const struct mmi_snapshot *m, uint64_t n,
			     uint64_t of);

/*
 * Held: which snapshot is there for one of that number: the first that isn't
 * before it.  ctx: slow.
 */
uint64_t mmi_snapshots_kept(uint64_t number);

#endif
