/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that fail as MEMMON_FAULT says: for tests, and only in libraries that
 * are made with -DMEMMON_FAULT (make fault), which are never installed.
 *
 * MEMMON_FAULT is a list of rules, with commas between: NAME:N[+][:ERROR].
 * NAME is a system call or a function of libc.list; "all", any of them; or
 * "mmap-shared", an mmap of a shared mapping.  The N-th such call of the
 * process fails, and with + each one from then on.  ERROR is the name of an
 * errno; "short" for a read or write of half the bytes, or for a mincore() that
 * finds nothing in memory; or "slow" for a call that is made 30 ms later.  By
 * default it is the call's usual errno.  MEMMON_FAULT_LOG names a file: each
 * call that was made to fail adds a line "NAME N" to it; with "list" for a
 * rule, each call.
 *
 * MEMMON_RACE=N: a thread waits 50 us before one in about N of the loads and
 * stores of counts that other threads use, LOAD and STORE of internal.h.  The
 * other threads get ahead between any two of these.
 */
#ifndef MEMMON_FAULT_FAULT_H
#define MEMMON_FAULT_FAULT_H

/* The system call, as arch_syscall(), or its failure: -errno.  ctx: any */
long mmi_fault_sys(long n, long a, long b, long c, long d, long e, long f);

/* A load or a store of such a count is about to be made.  ctx: any */
extern __attribute__((visibility("hidden"))) unsigned mmi_fault_races;
void mmi_fault_race(void);
static inline void
mmi_fault_late(void)
{
	if (__builtin_expect(mmi_fault_races != 0, 0))
		mmi_fault_race();
}

/* -errno if clone(2) must fail now, or 0.  ctx: any */
long mmi_fault_clone(void);

#endif
