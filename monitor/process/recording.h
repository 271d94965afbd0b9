/* SPDX-License-Identifier: MIT */
/* Recording begins, is switched on or off: see thread/control.h. */
#ifndef MEMMON_RECORDING_H
#define MEMMON_RECORDING_H

#include "monitor/base/internal.h"

/*
 * Recording begins now: what was recorded before our constructor counts as from
 * before a reset.  ctx: init.
 */
void mmi_recording_begin(void);

/*
 * Recording is off from the start: what was recorded before our constructor
 * counts as from before a reset.  ctx: init.
 */
void mmi_recording_begin_off(void);

/* Switch it on, or off.  Was it on before?  ctx: any. */
bool mmi_recording_start(void);
bool mmi_recording_stop(void);

/*
 * After a reset, while no thread has an event: the memory of what was counted
 * before it is used again.  blocks: also that of blocks that were live then.
 * ctx: any.
 */
void mmi_recording_forget(bool blocks);

#endif
