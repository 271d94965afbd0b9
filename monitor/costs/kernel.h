/* SPDX-License-Identifier: MIT */
/*
 * System calls that the allocator makes.
 *
 * They are seen by system call dispatch (prctl(2),
 * PR_SET_SYSCALL_USER_DISPATCH; Linux 5.11): while a byte of the thread says
 * so, a system call made outside of this library raises SIGSYS instead.  Our
 * handler makes the same call and times it.  So even calls that the C library
 * makes itself are seen, although no symbol leads to them.  Operations without
 * system calls cost no more than setting the byte.
 *
 * SIGSYS mustn't be blocked meanwhile, as the kernel would end the process: it
 * is removed from the masks that the program sets (process/signals.c).  When
 * the program handles SIGSYS itself, no more system calls are seen.  In the
 * static library they are never seen, as the monitor's code is part of the
 * program there.
 */
#ifndef MEMMON_KERNEL_H
#define MEMMON_KERNEL_H

#include <signal.h>

#include "monitor/costs/cost.h"

/* How system calls are seen: the numbers in the data file. */
enum mmi_kernel_way { MMI_KERNEL_NOT, MMI_KERNEL_DISPATCH };

/*
 * _start: see them from now on, if possible; ctx: init.  _stop: stop it; ctx:
 * any.
 */
void mmi_kernel_start(void);
void mmi_kernel_stop(void);
enum mmi_kernel_way mmi_kernel_way(void); /* ctx: any */

/* SIGSYS is ours, and mustn't be blocked. */
extern HIDDEN int mmi_kernel_keeps;

/* The handler of SIGSYS, hidden from the program.  ctx: signal. */
void mmi_kernel_on_call(int sig, siginfo_t *info, void *context);

/*
 * SIGSYS came from somewhere else, and the program doesn't handle it.  Defined
 * in process/signals.c.  ctx: signal.
 */
void mmi_kernel_fatal(int sig, siginfo_t *info, void *context);

/*
 * _watch: the thread's system calls are seen while c->selector is 1; false:
 * they can't be seen.  _unwatch: they aren't seen any more.  ctx: slow.
 */
bool mmi_kernel_watch(struct mmi_costs *c);
void mmi_kernel_unwatch(struct mmi_costs *c);

/*
 * The counts of getrusage(2) for this thread: up to MMI_COST_COUNTED.  ctx:
 * slow.
 */
void mmi_kernel_events(uint64_t event[MMI_COST_NEVENT]);

#endif
