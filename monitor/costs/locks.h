/* SPDX-License-Identifier: MIT */
/*
 * Locks that the allocator takes: where its object calls the C library's
 * functions for mutexes and spin locks, the loader's slots of these functions
 * lead to others that count and time, and call them.  Only that object's own
 * calls are seen, and only while an operation is on; an allocator whose locks
 * are its own instructions shows none but those that wait in futex(2).
 */
#ifndef MEMMON_LOCKS_H
#define MEMMON_LOCKS_H

#include "monitor/costs/cost.h"

/* Of the object that has the function at `malloc'.  ctx: init. */
void mmi_locks_start(uintptr_t malloc);

/* Slots that were changed.  ctx: any. */
unsigned mmi_locks_slots(void);

/* What c's operation has taken goes to its class.  ctx: hook. */
void mmi_locks_add(struct mmi_costs *c, unsigned of);

/* Call f for each class and lock that there was.  ctx: exit. */
void mmi_locks_each(void (*f)(unsigned of, const struct mmi_cost_lock *l,
			      void *arg),
		    void *arg);

/* There was none.  ctx: fork. */
void mmi_locks_fork(void);

#endif
