/* SPDX-License-Identifier: MIT */
/*
 * The portable way to count: what gcc and clang call when they compile with
 * -fsanitize=thread.
 */
#ifndef MEMMON_ACCESS_CALLS_H
#define MEMMON_ACCESS_CALLS_H

/*
 * NULL, or why nothing is recorded of objects compiled that way: the library of
 * the sanitizer itself has taken their calls.  Static storage.  ctx: init.
 */
const char *mmi_calls_conflict(void);

#endif
