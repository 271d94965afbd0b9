/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of monitor/wrap/wrap*.c find in wrap_rt.c. */
#ifndef MEMMON_TESTS_WRAP_RT_H
#define MEMMON_TESTS_WRAP_RT_H

/* Map the shadow; -1: it can't be had.  Until then nothing is counted. */
int rt_open(void);

/* Are some accesses to go by mmi_access_slow(), or none? */
void rt_watch(int some);

/* Calls of mmi_access_slow(). */
unsigned long rt_touches(void);

/*
 * Reads of the granule at p, and writes; these counts are 0 then.  UINT32_MAX:
 * something was counted without mmi_access_slow() where that was needed.
 */
unsigned rt_take(const void *p, unsigned *writes);

#endif
