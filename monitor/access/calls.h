/* SPDX-License-Identifier: MIT */
/*
 * The portable way to count: what gcc and clang call when they compile with
 * -fsanitize=thread.
 */
#ifndef MEMMON_ACCESS_CALLS_H
#define MEMMON_ACCESS_CALLS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Count `add', as for mmi_access_add(), for an access of 1 to 16 bytes at a:
 * `size'.  For those that aren't simple; calls.o in programs calls it too.
 * ctx: hook.
 */
void __memmon_one(uintptr_t a, size_t size, uint64_t add);

/*
 * NULL, or why nothing is recorded of objects compiled that way: the library of
 * the sanitizer itself has taken their calls.  Static storage.  ctx: init.
 */
const char *mmi_calls_conflict(void);

#endif
