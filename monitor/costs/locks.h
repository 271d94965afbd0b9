/* SPDX-License-Identifier: MIT */
/*
 * Locks that the allocator takes.  The allocator's object calls the C library's
 * functions for mutexes and spin locks through slots of the loader.  These
 * slots are changed to functions that count, time, and call the C library's.
 * Only calls of this object are seen, and only during an operation.  If an
 * allocator's locks are its own instructions, only those that wait in futex(2)
 * are seen.
 */
#ifndef MEMMON_LOCKS_H
#define MEMMON_LOCKS_H

#include "monitor/costs/cost.h"

/* Change the slots of the object with the function at `malloc'.  ctx: init. */
void mmi_locks_start(uintptr_t malloc);

/* How many slots were changed.  ctx: any. */
unsigned mmi_locks_slots(void);

/* Add the locks that c's operation has taken to its class.  ctx: hook. */
void mmi_locks_add(struct mmi_costs *c, unsigned of);

/* Call f for each class and lock that was taken.  ctx: exit. */
void mmi_locks_each(void (*f)(unsigned of, const struct mmi_cost_lock *l,
			      void *arg),
		    void *arg);

/* Set all counts to 0.  ctx: fork. */
void mmi_locks_fork(void);

#endif
