/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrap_rt.c for the tests of monitor/wrap/wrap*.c. */
#ifndef MEMMON_TESTS_WRAP_RT_H
#define MEMMON_TESTS_WRAP_RT_H

/* Map the shadow; -1: it fails.  Until then nothing is counted. */
int rt_open(void);

/* Should some accesses go through mmi_access_slow(), or none? */
void rt_watch(int some);

/* The number of calls of mmi_access_slow(). */
unsigned long rt_touches(void);

/*
 * Returns the reads of the granule at p; *writes: its writes.  Clears both.
 * UINT32_MAX: mmi_access_slow() wasn't called for an access that needed it.
 */
unsigned rt_take(const void *p, unsigned *writes);

#endif
