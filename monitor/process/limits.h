/* SPDX-License-Identifier: MIT */
/*
 * Limits on memory that the program gives itself (RLIMIT_AS, RLIMIT_DATA) are
 * for its own memory.  The kernel's limits are higher by what the monitor has
 * mapped, and the program is answered what it has set.
 */
#ifndef MEMMON_LIMITS_H
#define MEMMON_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* A program is about to be executed: the kernel's limits are the program's. */
void mmi_limits_exec(void);

/* It was not: they are higher again.  ctx: any, for both. */
void mmi_limits_exec_failed(void);

/*
 * Bytes of address space that a program may have which is about to be executed;
 * or, spawned, which a child of libc's executes.  ctx: any.
 */
uint64_t mmi_limits_space(bool spawned);

#endif
