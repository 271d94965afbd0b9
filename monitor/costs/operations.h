/* SPDX-License-Identifier: MIT */
/* The next allocator's functions, each timed. */
#ifndef MEMMON_OPERATIONS_H
#define MEMMON_OPERATIONS_H

#include "monitor/costs/cost.h"

/* mmi_next has those that time the ones that were in it.  ctx: init. */
void mmi_operations_take(void);

/* Where the allocator's malloc() is.  ctx: any. */
uintptr_t mmi_operations_allocator(void);

/* The thread's first operation: its struct, or NULL.  ctx: slow. */
struct mmi_costs *mmi_costs_take(void);

#endif
