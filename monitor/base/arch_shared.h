/* SPDX-License-Identifier: MIT */
/* Variables of inline functions for any CPU: set by process/seccomp.c. */
#ifndef MEMMON_ARCH_SHARED_H
#define MEMMON_ARCH_SHARED_H

/* Weak, so that unit programs need no file for it. */
#ifdef MEMMON_CALLS
#define ARCH_SHARED extern
#else
#define ARCH_SHARED __attribute__((weak))
#endif

/* The CPU's counter can't be read: reading it would end the process. */
ARCH_SHARED int mmi_arch_no_ticks;

#endif
