/* SPDX-License-Identifier: MIT */
/* Block the signals of this thread and restore them. */
#ifndef MEMMON_MASK_H
#define MEMMON_MASK_H

#include <signal.h>

#include "monitor/base/internal.h"

#define MMI_MASK_BIT(sig) (1ull << ((sig)-1))

/*
 * The signals that the monitor blocks while it works.  The kernel ends a
 * process that blocks a signal which one of its own instructions raises.  So
 * never SIGBUS: a file that became shorter makes the image fault, and a handler
 * repairs that (image.h).  Nor SIGSYS: the program's seccomp filter may raise
 * it for a system call.
 */
#define MMI_MASK_MOST (~(MMI_MASK_BIT(SIGBUS) | MMI_MASK_BIT(SIGSYS)))

/* The same without SIGTRAP: a program that steps through itself isn't ended. */
#define MMI_MASK_STEPS (MMI_MASK_MOST & ~MMI_MASK_BIT(SIGTRAP))

/* For a thread or a process of the monitor, which handles no signals. */
#define MMI_MASK_ALL (~0ull)

struct mmi_mask {
	uint64_t was;
	bool set; /* false: the kernel refused, or a filter forbids it */
};

/*
 * Blocks the signals of `mask' and no others; restores them.  ctx: slow, exit.
 */
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
