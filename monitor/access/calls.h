/* SPDX-License-Identifier: MIT */
/*
 * The portable way to count accesses: the functions that gcc and clang call
 * when they compile with -fsanitize=thread.
 */
#ifndef MEMMON_ACCESS_CALLS_H
#define MEMMON_ACCESS_CALLS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Counts `add', as for mmi_access_add(), for an access of `size' bytes, 1 to
 * 16, at a.  For accesses that need more than the fast path; calls.o in
 * programs calls it, too.  ctx: hook.
 */
void __memmon_one(uintptr_t a, size_t size, uint64_t add);

/*
 * NULL, or why nothing is recorded in objects compiled that way: the
 * sanitizer's own library is loaded and receives their calls.  Static storage.
 * ctx: init.
 */
const char *mmi_calls_conflict(void);

#endif
