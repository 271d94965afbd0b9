/* SPDX-License-Identifier: MIT */
/*
 * A thread within the next allocator: what that allocates there by the
 * program's malloc() and free(), for calloc() say, is part of the call it makes
 * it for, so it isn't recorded again.  Not of the libc's allocator, which calls
 * none of them: there nothing is marked.
 */
#ifndef MEMMON_WITHIN_H
#define MEMMON_WITHIN_H

#include "monitor/base/thread.h"

/*
 * Have mmi_next's functions mark the thread, unless they are the libc's.  All
 * of them are found.  ctx: init.
 */
void mmi_within_init(void);

/* What a mark has replaced. */
struct mmi_within {
	uintptr_t sp;
	struct mmi_sample *sample;
};

/*
 * The thread enters the next allocator, out of the frame at sp, and leaves it.
 * A jump out of it, or an exception, does no harm.  ctx: hook.
 */
struct mmi_within mmi_within_enter(uintptr_t sp);
void mmi_within_leave(const struct mmi_within *was);

/*
 * mmi_thread_apart() is true, and the hook was called at *e: has the next
 * allocator done that?  Not a handler of a signal, nor a function of the
 * program's that the allocator calls.  ctx: hook.
 */
COLD bool mmi_within(const struct arch_entry *e);

/*
 * Is the code at pc that of the next allocator, or of another library that has
 * a malloc?  Threads of its own have no mark.  Not known in the static library.
 * ctx: hook.
 */
bool mmi_within_code(uintptr_t pc);

/* Is a hook's call at *e the monitor's own, or the next allocator's? */
static inline bool
mmi_within_any(const struct arch_entry *e) /* ctx: hook */
{
	return mmi_thread_apart() && (mmi_thread_internal() || mmi_within(e));
}

#endif
