/* SPDX-License-Identifier: MIT */
/*
 * Lisp objects of ECL.  They are the collector's blocks, each counted once, by
 * its functions; ECL's own say by whom and of which type.
 */
#ifndef MEMMON_LISP_H
#define MEMMON_LISP_H

#include "monitor/base/internal.h"

/* Is ECL there? */
extern HIDDEN int mmi_lisp_on;

/*
 * Is an address in one of ECL's functions as they are here?  They have a
 * section of their own: where ECL's end with a jump to the collector's, that
 * one's caller is here.  ctx: hook.
 */
#define LISP_HOOKS __attribute__((section("lisp_hooks")))
extern const char __start_lisp_hooks[] HIDDEN, __stop_lisp_hooks[] HIDDEN;
static inline bool
mmi_lisp_is_hook(uintptr_t pc)
{
	return pc - (uintptr_t)__start_lisp_hooks <
	       (uintptr_t)__stop_lisp_hooks - (uintptr_t)__start_lisp_hooks;
}

/*
 * The collector made a block of `size' bytes for the caller at *e: it is
 * counted as ECL's. False: it isn't for ECL. ctx: hook.
 */
bool mmi_lisp_made(const void *p, size_t size, const struct arch_entry *e);

/* The last object of this thread is whole by now.  ctx: hook, exit. */
void mmi_lisp_settle(void);

#endif
