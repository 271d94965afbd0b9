/* SPDX-License-Identifier: MIT */
/*
 * System calls that a signal ends with EINTR whatever its handler's flags say.
 * Those that have no end of their own, or one that is a point in time, can be
 * made once more, and the program doesn't see that there was a signal.
 */
#include "monitor/leak/leak_check.h"

#include <linux/futex.h>
#include <time.h>

/* Does it wait without a limit, or until a point in time? */
static bool
is_endless(long call, const greg_t *g)
{
	switch (call) {
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_semop:
	case SYS_msgsnd:
	case SYS_msgrcv:
		return true;
	case SYS_poll:
		return (int)g[REG_RDX] < 0;
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		return (int)g[REG_R10] < 0;
	case SYS_ppoll:
	case SYS_rt_sigtimedwait:
		return !g[REG_RDX];
	case SYS_select:
	case SYS_pselect6:
	case SYS_io_getevents:
		return !g[REG_R8];
	case SYS_semtimedop:
		return !g[REG_R10];
	case SYS_clock_nanosleep:
		return (g[REG_RSI] & TIMER_ABSTIME) != 0;
	case SYS_futex:
		return (g[REG_RSI] & FUTEX_CMD_MASK) != FUTEX_WAIT;
	default:
		return false;
	}
}

bool
mmi_leak_again(ucontext_t *c, long call)
{
	greg_t *g = c->uc_mcontext.gregs;

	if (is_endless(call, g)) {
		arch_context_again(c, call);
		return true;
	}
	/* The kernel has noted what is left, if it was to: for so long. */
	if (call == SYS_nanosleep && g[REG_RSI])
		g[REG_RDI] = g[REG_RSI];
	else if (call == SYS_clock_nanosleep && g[REG_R10])
		g[REG_RDX] = g[REG_R10];
	else
		return false;
	arch_context_again(c, call);
	return true;
}
