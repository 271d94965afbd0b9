/* SPDX-License-Identifier: MIT */
/* Signals are blocked while the file is made, or grows. */
#include "monitor/image/signal_mask.h"

#include <signal.h>
#include <time.h>

#define BIT(sig) (1ull << ((sig)-1))

bool
mmi_signal_mask_block(struct mmi_signal_mask *m)
{
	uint64_t all = ~BIT(SIGBUS);

	m->was = m->pending = 0;
	if (ARCH_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &all, &m->was, 8, 0, 0) !=
	    0)
		return false;
	ARCH_SYS(SYS_rt_sigpending, &m->pending, 8, 0, 0, 0, 0);
	return true;
}

void
mmi_signal_mask_unblock(const struct mmi_signal_mask *m)
{
	static const struct timespec now;
	uint64_t ours = BIT(SIGXFSZ) | BIT(SIGPIPE), after = 0;
	long sig;

	ARCH_SYS(SYS_rt_sigpending, &after, 8, 0, 0, 0, 0);
	ours &= after & ~m->pending;
	while (ours && (sig = ARCH_SYS(SYS_rt_sigtimedwait, &ours, 0, &now, 8,
				       0, 0)) > 0)
		ours &= ~BIT(sig);
	ARCH_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &m->was, 0, 8, 0, 0);
}
