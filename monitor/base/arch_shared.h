/* SPDX-License-Identifier: MIT */
/* What inline functions of any CPU ask for: set by process/seccomp.c. */
#ifndef MEMMON_ARCH_SHARED_H
#define MEMMON_ARCH_SHARED_H

/* Weak, so that unit programs need no file for it. */
#ifdef MEMMON_CALLS
#define ARCH_SHARED extern
#else
#define ARCH_SHARED __attribute__((weak))
#endif

/* The CPU's counter can't be read: that would end the process. */
ARCH_SHARED int mmi_arch_no_ticks;

#endif
