/* SPDX-License-Identifier: MIT */
/* Signals are blocked while the file is made, or grows. */
#include "monitor/image/signal_mask.h"

#include <signal.h>
#include <time.h>

#include "monitor/base/process.h"

bool
mmi_signal_mask_block(struct mmi_signal_mask *m)
{
	m->pending = 0;
	if (!mmi_mask_block(&m->mask, MMI_MASK_MOST))
		return false;
	ARCH_SYS(SYS_rt_sigpending, &m->pending, 8, 0, 0, 0, 0);
	return true;
}

void
mmi_signal_mask_unblock(const struct mmi_signal_mask *m)
{
	static const struct timespec now;
	uint64_t ours = MMI_MASK_BIT(SIGXFSZ) | MMI_MASK_BIT(SIGPIPE),
		 after = 0;
	siginfo_t info = { 0 };
	long sig;

	ARCH_SYS(SYS_rt_sigpending, &after, 8, 0, 0, 0, 0);
	ours &= after & ~m->pending;
	while (ours && (sig = ARCH_SYS(SYS_rt_sigtimedwait, &ours, &info, &now,
				       8, 0, 0)) > 0) {
		ours &= ~MMI_MASK_BIT(sig);
		/* Another process sent it: the program must get it. */
		if (info.si_pid != (pid_t)mmi_process.pid)
			ARCH_SYS(SYS_rt_sigqueueinfo, mmi_process.pid, sig,
				 &info, 0, 0, 0);
	}
	mmi_mask_restore(&m->mask);
}
