/* SPDX-License-Identifier: MIT */
/*
 * The table of snapshots; it always has fewer than MMI_SNAPSHOTS.  Snapshots
 * are a step apart, or more when nothing happened.  When the table is full,
 * every second snapshot is deleted and the step doubles.
 */
#ifndef MEMMON_SNAPSHOTS_H
#define MEMMON_SNAPSHOTS_H

#include "monitor/base/shared.h"

/* Snapshots are `ns' apart at first; 0: there are none.  ctx: init. */
void mmi_snapshots_init(uint64_t ns);

/* The time between snapshots, ns; 0: there are none.  ctx: any. */
uint64_t mmi_snapshots_step(void);

/* Forget all snapshots.  ctx: fork; any, one thread at a time. */
void mmi_snapshots_clear(void);

/*
 * No snapshot is taken between begin or hold, and release.  False: another
 * thread holds the table; hold first waits a little for it.  ctx: slow.
 */
bool mmi_snapshots_begin(void);
bool mmi_snapshots_hold(void);
void mmi_snapshots_release(void);

/*
 * Call both while you hold the table.  thin deletes every second snapshot.
 * thin_all calls thin to save memory, unless there are only few snapshots:
 * false.  ctx: slow.
 */
void mmi_snapshots_thin(void);
bool mmi_snapshots_thin_all(void);

/*
 * The first of n snapshots whose number is at least `of'; n: none.  ctx: any.
 */
uint64_t mmi_snapshots_place(const struct mmi_snapshot *m, uint64_t n,
			     uint64_t of);

/*
 * Call it while you hold the table.  The number of the snapshot that is kept
 * for that number: the first that isn't before it.  ctx: slow.
 */
uint64_t mmi_snapshots_kept(uint64_t number);

#endif
