/* SPDX-License-Identifier: MIT */
/*
 * What cells had counted at snapshots of snapshots.h.
 *
 * A cell that is about to change, and hasn't heard of the last snapshot, notes
 * what it has counted till now: it had that at the first snapshot that it
 * hasn't heard of, and at those after it.
 */
#ifndef MEMMON_HISTORY_H
#define MEMMON_HISTORY_H

#include "monitor/counts/cells.h"

/* The cell, which is the thread's, is about to change.  ctx: hook (slow). */
void mmi_history_note(struct mmi_thread *t, struct mmi_cell *c);

/* Is there a note?  ctx: any. */
bool mmi_history_any(void);

/* How many notes there were in all.  ctx: any. */
uint64_t mmi_history_notes(void);

/*
 * The thread's cells are of before a reset: their notes are forgotten.  And all
 * are of before it, of whatever thread; or of before a fork.  ctx: hook; any;
 * fork.
 */
void mmi_history_drop(struct mmi_thread *t);
void mmi_history_reset(void);
void mmi_history_fork(void);

/*
 * No thread has an event, and none of them needs notes of cells with numbers
 * below that: their memory is given back.  ctx: slow.
 */
void mmi_history_forget(uint32_t first);

#endif
