/* SPDX-License-Identifier: MIT */
/*
 * What the next allocator costs: functions that time the allocator's functions
 * are called instead of them.
 */
#ifndef MEMMON_COSTS_H
#define MEMMON_COSTS_H

#include "monitor/base/internal.h"

/*
 * Replace the functions in mmi_next by functions that time them, and see the
 * allocator's system calls, if MEMMON_ALLOCATOR asks for it.  Call it before
 * the first block.  ctx: init.
 */
void mmi_costs_init(void);

/*
 * See the locks of the allocator from now on; the loader must be idle.  ctx:
 * init, at the end of the constructor.
 */
void mmi_costs_start(void);

/* Only the calling thread is left, and all counts are 0.  ctx: fork. */
void mmi_costs_fork(void);

/* Ticks per second of the clock that times operations.  ctx: any. */
uint64_t mmi_costs_hz(void);

#endif
