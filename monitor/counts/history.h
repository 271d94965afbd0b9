/* SPDX-License-Identifier: MIT */
/*
 * What cells had counted at snapshots of snapshots.h.
 *
 * A cell that is about to change, and has not seen the last snapshot, notes its
 * counts.  They were the same at the first snapshot that it has not seen and at
 * all later ones.
 */
#ifndef MEMMON_HISTORY_H
#define MEMMON_HISTORY_H

#include "monitor/counts/cells.h"

/*
 * The cell is the calling thread's and is about to change.  ctx: hook (slow).
 */
void mmi_history_note(struct mmi_thread *t, struct mmi_cell *c);

/* Is there any note?  ctx: any. */
bool mmi_history_any(void);

/* How many notes there were in all.  ctx: any. */
uint64_t mmi_history_notes(void);

/*
 * drop: the thread's cells are from before a reset; forget their notes.  reset:
 * all notes of all threads are from before the reset.  fork: all notes are the
 * parent's.  ctx: hook; any; fork.
 */
void mmi_history_drop(struct mmi_thread *t);
void mmi_history_reset(void);
void mmi_history_fork(void);

/*
 * Give back the memory of the notes of cells with numbers below `first'.  No
 * thread has an event, and none needs these notes.  ctx: slow.
 */
void mmi_history_forget(uint32_t first);

#endif
