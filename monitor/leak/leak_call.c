/* SPDX-License-Identifier: MIT */
/*
 * System calls that fail with EINTR after a signal, even if its handler has
 * SA_RESTART.  A call that waits without a limit, or until a point in time, can
 * be repeated: the program doesn't notice the signal.
 */
#include "monitor/leak/leak_check.h"

#include <linux/futex.h>
#include <string.h>
#include <time.h>

#include "monitor/base/calls.h"
#include "monitor/base/peek.h"

/* Does it wait without a limit, or until a point in time? */
static bool
is_endless(long call, const uintptr_t a[6])
{
	switch (call) {
#ifdef SYS_pause /* not on all CPUs */
	case SYS_pause:
		return true;
	case SYS_poll:
		return (int)a[2] < 0;
	case SYS_epoll_wait:
		return (int)a[3] < 0;
	case SYS_select:
		return !a[4];
#endif
	case SYS_rt_sigsuspend:
	case SYS_semop:
	case SYS_msgsnd:
	case SYS_msgrcv:
		return true;
	case SYS_epoll_pwait:
		return (int)a[3] < 0;
	case SYS_ppoll:
	case SYS_rt_sigtimedwait:
		return !a[2];
	case SYS_pselect6:
	case SYS_io_getevents:
		return !a[4];
	case SYS_semtimedop:
		return !a[3];
	case SYS_clock_nanosleep:
		return (a[1] & TIMER_ABSTIME) != 0;
	case SYS_futex:
		return (a[1] & FUTEX_CMD_MASK) != FUTEX_WAIT;
	default:
		return false;
	}
}

bool
mmi_leak_again(ucontext_t *c, long call, const uintptr_t seen[6], bool even_so)
{
	unsigned char code[CALLS_KERNEL];
	uintptr_t a[6];

	arch_context_arguments(c, a);
#ifdef ARCH_FIRST_LOST
	/* Does it look like the same call? */
	if (memcmp(a + 1, seen + 1, 5 * sizeof(*a)) != 0)
		return false;
	a[0] = seen[0];
#else
	(void)seen;
#endif
	/* The thread was stopped and continued. */
	if (call == SYS_restart_syscall &&
	    mmi_peek_now(code, arch_context_pc(c) - sizeof(code), sizeof(code)))
		call = calls_restarted(code);
	/*
	 * The kernel has stored the time that is left, if asked to: use that.
	 */
	if (call == SYS_nanosleep && a[1])
		a[0] = a[1];
	else if (call == SYS_clock_nanosleep && !(a[1] & TIMER_ABSTIME) && a[3])
		a[2] = a[3];
	else if (!even_so && !is_endless(call, a))
		return false;
	arch_context_again(c, call, a);
	return true;
}
