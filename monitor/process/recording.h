/* SPDX-License-Identifier: MIT */
/* Recording begins, or is switched on or off: see thread/control.h. */
#ifndef MEMMON_RECORDING_H
#define MEMMON_RECORDING_H

#include "monitor/base/internal.h"

/*
 * Recording begins now: events before the library's constructor count as before
 * a reset.  ctx: init.
 */
void mmi_recording_begin(void);

/*
 * Recording is off from the start: events before the library's constructor
 * count as before a reset.  ctx: init.
 */
void mmi_recording_begin_off(void);

/* Switch recording on or off.  Return whether it was on before.  ctx: any. */
bool mmi_recording_start(void);
bool mmi_recording_stop(void);

/*
 * Call this after a reset, while no thread has an event: the memory of counts
 * from before the reset is used again.  blocks: also the memory of blocks that
 * were live then.  ctx: any.
 */
void mmi_recording_forget(bool blocks);

#endif
