/* SPDX-License-Identifier: MIT */
/* Runs a stopped thread until it has left some of its frames. */
#include "monitor/attach/run_out.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "monitor/attach/registers.h"
#include "monitor/attach/stop.h"

static long
ms_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Did the breakpoint stop it?  A SIGTRAP may be the program's own. */
static bool
is_break(pid_t tid, int status)
{
	siginfo_t info;

	return WSTOPSIG(status) == SIGTRAP &&
	       ptrace(PTRACE_GETSIGINFO, tid, 0, &info) == 0 &&
	       info.si_signo == SIGTRAP && info.si_code == TRAP_HWBKPT;
}

/* The thread begins or ends a system call (PTRACE_O_TRACESYSGOOD). */
#define CALL_STOP (SIGTRAP | 0x80)

/* The thread runs: stops it at any place. */
static void
interrupt(pid_t tid)
{
	int status;

	if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) != 0)
		return;
	for (;;) {
		status = stop_wait(tid, 200);
		if (status == -1 || !WIFSTOPPED(status) ||
		    stop_interrupted(status))
			return;
		ptrace(PTRACE_CONT, tid, 0,
		       is_break(tid, status) || WSTOPSIG(status) == CALL_STOP
			       ? 0
			       : WSTOPSIG(status));
	}
}

/* Steps over the breakpoint, met in an inner call of the same function. */
static bool
pass(pid_t tid, uintptr_t pc)
{
	int status;

	registers_break(tid, 0);
	if (ptrace(PTRACE_SINGLESTEP, tid, 0, 0) != 0)
		return false;
	status = stop_wait(tid, 200);
	return status != -1 && WIFSTOPPED(status) && registers_break(tid, pc);
}

/* The thread has stopped: at its destination?  If not, *signal is the program's
 * signal. */
static bool
is_there(pid_t tid, uintptr_t pc, uintptr_t sp, int status, int *signal,
	 bool *gone)
{
	static struct registers r;

	*gone = false;
	*signal = is_break(tid, status) ? 0 : WSTOPSIG(status);
	if (*signal || !registers_get_general(tid, &r))
		return false;
	if (registers_sp(&r) >= sp)
		return true;
	*gone = !pass(tid, pc);
	return false;
}

/* The probe executes this function. */
static __attribute__((noinline)) void
probed(void)
{
	__asm__ volatile("");
}

/* The probe is stopped: does the breakpoint stop it again? */
static bool
probe_stops(pid_t child)
{
	int status = stop_wait(child, 2000);

	if (status == -1 || !WIFSTOPPED(status) ||
	    !registers_break(child, (uintptr_t)probed) ||
	    ptrace(PTRACE_CONT, child, 0, 0) != 0)
		return false;
	status = stop_wait(child, 2000);
	return status != -1 && WIFSTOPPED(status) && is_break(child, status);
}

/*
 * Do breakpoint registers work?  Some virtual machines let a process set them,
 * but never stop it.
 */
static bool
breakpoints_work(void)
{
	static int known = -1;
	pid_t child;

	if (known >= 0)
		return known;
	child = fork();
	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		probed();
		_exit(0);
	}
	known = child < 0 || probe_stops(child);
	if (child > 0) {
		kill(child, SIGKILL);
		while (waitpid(child, NULL, __WALL) < 0 && errno == EINTR)
			;
	}
	return known;
}

/*
 * Lets the thread continue (PTRACE_CONT, PTRACE_SYSCALL) with the signal, until
 * it stops.  False: it has ended; or it was stopped because the time is over or
 * its process is stopped, and won't get further.
 */
static bool
go_on(pid_t tid, int request, int signal, long until, int *status)
{
	long left;

	if (ptrace(request, tid, 0, signal) != 0)
		return false;
	left = until - ms_now();
	*status = stop_wait(tid, left > 0 ? (unsigned)left : 0);
	if (*status == -1)
		interrupt(tid);
	return *status != -1 && WIFSTOPPED(*status) &&
	       !stop_interrupted(*status);
}

/* Like run_out(), without breakpoints: until a system call has ended. */
static bool
run_to_call(pid_t tid, unsigned ms)
{
	long until = ms_now() + (long)ms;
	bool begins = false, in_call;
	int status, signal = 0;

	while (go_on(tid, PTRACE_SYSCALL, signal, until, &status)) {
		in_call = WSTOPSIG(status) == CALL_STOP;
		signal = in_call ? 0 : WSTOPSIG(status);
		begins ^= in_call;
		if (in_call && !begins)
			return true;
	}
	return false;
}

unsigned
run_out_times(void)
{
	return breakpoints_work() ? 3 : 200;
}

bool
run_out(pid_t tid, uintptr_t pc, uintptr_t sp, unsigned ms)
{
	long until = ms_now() + (long)ms;
	bool there = false, gone = false;
	int status, signal = 0;

	if (!breakpoints_work())
		return run_to_call(tid, ms);
	if (!registers_break(tid, pc))
		return false;
	while (!there && !gone &&
	       go_on(tid, PTRACE_CONT, signal, until, &status))
		there = is_there(tid, pc, sp, status, &signal, &gone);
	registers_break(tid, 0);
	return there;
}
