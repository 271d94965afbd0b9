/* SPDX-License-Identifier: MIT */
/*
 * System calls that are made inside of the allocator.
 *
 * By system call dispatch (prctl(2), PR_SET_SYSCALL_USER_DISPATCH; Linux 5.11):
 * while a byte of the thread says so, a system call made outside of this
 * library is a SIGSYS instead.  Our handler makes the call as it was asked for,
 * and times it.  So the C library's own calls are seen, which no symbol leads
 * to, and nothing costs more than the byte where there are none.
 *
 * SIGSYS mustn't be blocked meanwhile, as the kernel would end the process: it
 * is taken out of the masks that the program sets (process/signals.c).  Once
 * the program handles it itself, no more of them are seen.  Nor are they in the
 * static library, which isn't told from the allocator.
 */
#ifndef MEMMON_KERNEL_H
#define MEMMON_KERNEL_H

#include <signal.h>

#include "monitor/costs/cost.h"

/* How they are seen: the numbers in the data file. */
enum mmi_kernel_way { MMI_KERNEL_NOT, MMI_KERNEL_DISPATCH };

/* See them from now on, if that can be.  Or no more.  ctx: init; any. */
void mmi_kernel_start(void);
void mmi_kernel_stop(void);
enum mmi_kernel_way mmi_kernel_way(void); /* ctx: any */

/* SIGSYS is ours, and mustn't be blocked. */
extern HIDDEN int mmi_kernel_keeps;

/* The handler of SIGSYS, which the program doesn't see.  ctx: signal. */
void mmi_kernel_on_call(int sig, siginfo_t *info, void *context);

/*
 * SIGSYS came from elsewhere, and the program doesn't handle it.  Defined in
 * process/signals.c.  ctx: signal.
 */
void mmi_kernel_fatal(int sig, siginfo_t *info, void *context);

/*
 * The thread's system calls are seen while c->selector is 1; false: they can't
 * be.  And not any more.  ctx: slow.
 */
bool mmi_kernel_watch(struct mmi_costs *c);
void mmi_kernel_unwatch(struct mmi_costs *c);

/* What getrusage(2) says of this thread: up to MMI_COST_COUNTED.  ctx: slow. */
void mmi_kernel_events(uint64_t event[MMI_COST_NEVENT]);

#endif
