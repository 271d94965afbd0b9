/* SPDX-License-Identifier: MIT */
/* The next allocator's functions, each timed. */
#ifndef MEMMON_OPERATIONS_H
#define MEMMON_OPERATIONS_H

#include "monitor/costs/cost.h"

/* mmi_next has those that time the ones that were in it.  ctx: init. */
void mmi_operations_take(void);

/* Where the allocator's malloc() is.  ctx: any. */
uintptr_t mmi_operations_allocator(void);

/* Are they timed at all?  ctx: any. */
bool mmi_operations_on(void);

/* Does the allocator tell the usable size of its blocks?  ctx: any. */
bool mmi_operations_sizes(void);

/*
 * Operations that aren't in any class: part of another, in a signal handler
 * that has interrupted one, of a thread that is ending, or there was no memory.
 * ctx: any.
 */
uint64_t mmi_operations_uncounted(void);

/*
 * Of an allocator's own form of operator new and delete, which calls none of
 * malloc's functions: begin() before it, false: it isn't to be counted; then
 * made() or gone().  What gone() needs to know is asked for by going(), after
 * begin().  ctx: hook.
 */
bool mmi_operations_begin(void);
void mmi_operations_made(void *p, size_t size);
uint64_t mmi_operations_going(void *p);
void mmi_operations_gone(uint64_t usable);

#endif
