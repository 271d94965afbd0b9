/* SPDX-License-Identifier: MIT */
/* Signals, blocked in this thread and let go again. */
#ifndef MEMMON_MASK_H
#define MEMMON_MASK_H

#include <signal.h>

#include "monitor/base/internal.h"

#define MMI_MASK_BIT(sig) (1ull << ((sig)-1))

/*
 * What the monitor blocks while it works.  The kernel ends a process that
 * blocks a signal which one of its own instructions raises.  So never SIGBUS:
 * a file that became shorter makes the image fault, and a handler mends that
 * (image.h).  Nor SIGSYS: the program's seccomp filter may raise it for a
 * system call.
 */
#define MMI_MASK_MOST (~(MMI_MASK_BIT(SIGBUS) | MMI_MASK_BIT(SIGSYS)))

/* The same, but a program that steps through itself is not ended either. */
#define MMI_MASK_STEPS (MMI_MASK_MOST & ~MMI_MASK_BIT(SIGTRAP))

/* For a thread or a process of the monitor's own, which handles none. */
#define MMI_MASK_ALL (~0ull)

struct mmi_mask {
	uint64_t was;
	bool set; /* false: the kernel refused, or a filter forbids it */
};

/* Block the signals of `mask' and no others, and back.  ctx: slow, exit. */
static inline bool
mmi_mask_block(struct mmi_mask *m, uint64_t mask)
{
	m->set = ARCH_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &m->was, 8, 0,
			  0) == 0;
	return m->set;
}

static inline void
mmi_mask_restore(const struct mmi_mask *m)
{
	if (m->set)
		ARCH_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &m->was, 0, 8, 0, 0);
}

#endif
