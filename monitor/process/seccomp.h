/* SPDX-License-Identifier: MIT */
/*
 * A program that restricts itself by seccomp(2) mustn't be ended for what it
 * doesn't do itself.  Its filter is looked at before the kernel gets it: what
 * could do more than let a system call fail makes ARCH_SYS refuse the call from
 * then on (arch_refused()), in all threads.  When that is one that the data
 * file needs, the file is written before the filter is in place; and when it is
 * one that a fatal signal needs, the default actions are the kernel's again.
 *
 * What a thread may call at all counts, not with which arguments: those that
 * the filter asks for are taken for any.
 */
#ifndef MEMMON_SECCOMP_H
#define MEMMON_SECCOMP_H

#include <linux/filter.h>

#include "monitor/base/internal.h"

#define MMI_SECCOMP_CALLS 512u

/*
 * Set in `refused' the bits of the system calls that the filter of n
 * instructions may answer with more than an error; and that of open, when it
 * may answer one of those that make a file with an error.  `room' has n
 * entries, and is dirty afterwards.  ctx: any
 */
struct mmi_seccomp_state {
	uint32_t a, x; /* the registers, where they are known */
	uint8_t reached, knows_a, knows_x;
};
void mmi_seccomp_judge(const struct sock_filter *f, unsigned n,
		       struct mmi_seccomp_state *room,
		       uint64_t refused[MMI_SECCOMP_CALLS / 64]);

#endif
