/* SPDX-License-Identifier: MIT */
/* The next allocator's functions, each timed. */
#ifndef MEMMON_OPERATIONS_H
#define MEMMON_OPERATIONS_H

#include "monitor/costs/cost.h"

/* Replace the functions in mmi_next by functions that time them.  ctx: init. */
void mmi_operations_take(void);

/* Where the allocator's malloc() is.  ctx: any. */
uintptr_t mmi_operations_allocator(void);

/* Are operations timed at all?  ctx: any. */
bool mmi_operations_on(void);

/* Can the allocator report the usable size of its blocks?  ctx: any. */
bool mmi_operations_sizes(void);

/*
 * Operations that are in no class: they were part of another operation, in a
 * signal handler that interrupted one, or of an ending thread; or there was no
 * memory.  ctx: any.
 */
uint64_t mmi_operations_uncounted(void);

/*
 * For an allocator's own operator new and delete that call none of malloc's
 * functions: call begin() first; false: don't count this operation.  Then call
 * made() or gone().  gone() needs what going() returned after begin().  ctx:
 * hook.
 */
bool mmi_operations_begin(void);
void mmi_operations_made(void *p, size_t size);
uint64_t mmi_operations_going(void *p);
void mmi_operations_gone(uint64_t usable);

#endif
