/* SPDX-License-Identifier: MIT */
/*
 * What the next allocator costs: its functions are called by others that time
 * them.
 */
#ifndef MEMMON_COSTS_H
#define MEMMON_COSTS_H

#include "monitor/base/internal.h"

/*
 * From now on mmi_next has functions that time those that were in it, and the
 * allocator's system calls are seen, if MEMMON_ALLOCATOR asks for it.  Before
 * the first block.  ctx: init.
 */
void mmi_costs_init(void);

/*
 * The loader is idle: locks of the allocator are seen from now on.  ctx: init,
 * at the end of the constructor.
 */
void mmi_costs_start(void);

/* Only the calling thread is left, and nothing was counted.  ctx: fork. */
void mmi_costs_fork(void);

/* Ticks of the clock of operations in a second.  ctx: any. */
uint64_t mmi_costs_hz(void);

#endif
