/* SPDX-License-Identifier: MIT */
/* The kernel's own functions in the process: its vDSO. */
#ifndef MEMMON_VDSO_H
#define MEMMON_VDSO_H

#include <time.h>

#include "monitor/base/internal.h"

/*
 * The kernel's clock_gettime(), or NULL if it can't be found.  Returns 0, or
 * -errno.  No library can replace it, unlike libc's function: a library that
 * fakes the time may allocate, which calls the hook again that asks for the
 * time.  Reads /proc/self/auxv.  ctx: init.
 */
typedef int mmi_vdso_clock(clockid_t id, struct timespec *ts);
mmi_vdso_clock *mmi_vdso_find(void);

#endif
