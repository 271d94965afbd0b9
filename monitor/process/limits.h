/* SPDX-License-Identifier: MIT */
/*
 * Limits on memory that the program gives itself (RLIMIT_AS, RLIMIT_DATA) are
 * for its own memory.  The kernel's limits are higher by what the monitor has
 * mapped, and the program is answered what it has set.
 */
#ifndef MEMMON_LIMITS_H
#define MEMMON_LIMITS_H

/* A program is about to be executed: the kernel's limits are the program's. */
void mmi_limits_exec(void);

/* It was not: they are higher again.  ctx: any, for both. */
void mmi_limits_exec_failed(void);

#endif
