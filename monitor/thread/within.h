/* SPDX-License-Identifier: MIT */
/*
 * A thread within the next allocator.  If the allocator calls the program's
 * malloc() and free() there, for example in calloc(), this is part of the call
 * that it serves, so it isn't recorded again.  The libc's allocator calls none
 * of them: nothing is marked there.
 */
#ifndef MEMMON_WITHIN_H
#define MEMMON_WITHIN_H

#include "monitor/base/thread.h"

/*
 * Replace the functions in mmi_next by functions that mark the thread, unless
 * they are the libc's.  All of them must be found before.  ctx: init.
 */
void mmi_within_init(void);

/* The state before a mark. */
struct mmi_within {
	uintptr_t sp;
	struct mmi_sample *sample;
};

/*
 * The thread enters the next allocator, from the frame at sp, and leaves it.  A
 * jump or an exception out of the allocator does no harm.  ctx: hook.
 */
struct mmi_within mmi_within_enter(uintptr_t sp);
void mmi_within_leave(const struct mmi_within *was);

/*
 * mmi_thread_apart() is true, and the hook was called at *e: did the next
 * allocator call it?  False for a signal handler, and for a function of the
 * program that the allocator calls.  ctx: hook.
 */
COLD bool mmi_within(const struct arch_entry *e);

/*
 * Does the code at pc belong to the next allocator, or to another library with
 * a malloc?  The allocator's own threads have no mark.  Unknown in the static
 * library.  ctx: hook.
 */
bool mmi_within_code(uintptr_t pc);

/* Did the monitor itself, or the next allocator, call the hook at *e? */
static inline bool
mmi_within_any(const struct arch_entry *e) /* ctx: hook */
{
	return mmi_thread_apart() && (mmi_thread_internal() || mmi_within(e));
}

#endif
