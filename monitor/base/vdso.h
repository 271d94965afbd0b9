/* SPDX-License-Identifier: MIT */
/* The kernel's own functions in the process: its vDSO. */
#ifndef MEMMON_VDSO_H
#define MEMMON_VDSO_H

#include <time.h>

#include "monitor/base/internal.h"

/*
 * The kernel's clock_gettime(), or NULL if it can't be found.  Returns 0, or
 * -errno.  Unlike libc's function nobody can stand in for it: a library that
 * fakes the time may allocate, and so may come back to the hook that asks.
 * Reads /proc/self/auxv.  ctx: init.
 */
typedef int mmi_vdso_clock(clockid_t id, struct timespec *ts);
mmi_vdso_clock *mmi_vdso_find(void);

#endif
