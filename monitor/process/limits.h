/* SPDX-License-Identifier: MIT */
/*
 * Limits on memory that the program sets for itself (RLIMIT_AS, RLIMIT_DATA)
 * apply to its own memory.  The kernel's limits are higher by the monitor's
 * mappings.  The program reads back the limits that it has set.
 */
#ifndef MEMMON_LIMITS_H
#define MEMMON_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* A program is about to be executed: sets the kernel's limits to the
 * program's. */
void mmi_limits_exec(void);

/* The exec failed: raises them again.  ctx: any, for both. */
void mmi_limits_exec_failed(void);

/*
 * Bytes of address space for a program that is about to be executed; spawned:
 * by a child process that libc starts.  ctx: any.
 */
uint64_t mmi_limits_space(bool spawned);

#endif
