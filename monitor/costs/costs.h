/* SPDX-License-Identifier: MIT */
/*
 * What the next allocator costs: its functions are called by others that time
 * them.
 */
#ifndef MEMMON_COSTS_H
#define MEMMON_COSTS_H

#include "monitor/base/internal.h"

/*
 * From now on mmi_next has functions that time those that were in it; false:
 * MEMMON_ALLOCATOR doesn't ask for it, or it can't be.  Before the first block.
 * ctx: init.
 */
bool mmi_costs_init(void);

/*
 * The environment is there and signals have their handlers: system calls and
 * locks of the allocator are seen from now on.  ctx: init, at the end of the
 * constructor.
 */
void mmi_costs_start(void);

/* Only the calling thread is left, and nothing was counted.  ctx: fork. */
void mmi_costs_fork(void);

/* Are operations timed at all?  And ticks of their clock in a second.  ctx:
 * any. */
bool mmi_costs_on(void);
uint64_t mmi_costs_hz(void);

/*
 * Operations that aren't in any class: part of another, in a signal handler
 * that has interrupted one, of a thread that is ending, or there was no memory.
 * ctx: any.
 */
uint64_t mmi_costs_uncounted(void);

/*
 * Of an allocator's own form of operator new and delete, which calls none of
 * malloc's functions: begin() before it, false: it isn't to be counted; then
 * made() or gone().  What gone() needs to know is asked for by going(), after
 * begin().  ctx: hook.
 */
bool mmi_costs_begin(void);
void mmi_costs_made(void *p, size_t size);
uint64_t mmi_costs_going(void *p);
void mmi_costs_gone(uint64_t usable);

#endif
