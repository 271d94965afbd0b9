/* SPDX-License-Identifier: MIT */
/*
 * A program that restricts itself by seccomp(2) must not be killed for the
 * monitor's system calls.  The monitor examines the filter before the kernel
 * gets it.  If the filter could do more to a system call than let it fail,
 * ARCH_SYS refuses this call from then on (arch_refused()), in all threads.  If
 * the data file needs a refused call, the file is written before the filter is
 * installed.  If a fatal signal needs it, the kernel's default actions are
 * restored.
 *
 * Only the system call's number counts: if the filter looks at arguments, any
 * value is assumed.
 */
#ifndef MEMMON_SECCOMP_H
#define MEMMON_SECCOMP_H

#include <linux/filter.h>

#include "monitor/base/internal.h"

#define MMI_SECCOMP_CALLS 512u

/*
 * Set in `refused' the bits of the system calls for which the filter of n
 * instructions may return more than an error.  Also sets the bit of open if the
 * filter may return an error for a call that is needed to make a file.  `room'
 * has n entries, and is dirty afterwards.  ctx: any
 */
struct mmi_seccomp_state {
	uint32_t a, x; /* the registers, if known */
	uint8_t reached, knows_a, knows_x;
};
void mmi_seccomp_judge(const struct sock_filter *f, unsigned n,
		       struct mmi_seccomp_state *room,
		       uint64_t refused[MMI_SECCOMP_CALLS / 64]);

#endif
