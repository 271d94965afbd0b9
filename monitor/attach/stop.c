/* SPDX-License-Identifier: MIT */
/* Stops a thread, and lets it continue. */
#include "monitor/attach/stop.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

static void
nap(long us)
{
	struct timespec t = { 0, us * 1000 };

	nanosleep(&t, NULL);
}

int
stop_wait(pid_t tid, unsigned ms)
{
	struct timespec from, now;
	long us = 20;
	int status;
	pid_t r;

	clock_gettime(CLOCK_MONOTONIC, &from);
	for (;;) {
		r = waitpid(tid, &status, __WALL | WNOHANG);
		if (r == tid)
			return status;
		if (r < 0 && errno != EINTR)
			return -1;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if ((now.tv_sec - from.tv_sec) * 1000 +
			    (now.tv_nsec - from.tv_nsec) / 1000000 >=
		    (long)ms) {
			errno = ETIMEDOUT;
			return -1;
		}
		nap(us);
		us = us < 1000 ? 2 * us : 1000;
	}
}

bool
stop_interrupted(int status)
{
	return status >> 16 == PTRACE_EVENT_STOP;
}

int
stop_thread(pid_t tid)
{
	int status, e;

	if (ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD) != 0)
		return -1;
	if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) != 0) {
		e = errno;
		stop_release(tid);
		errno = e;
		return -1;
	}
	for (;;) {
		status = stop_wait(tid, 200);
		if (status == -1 || !WIFSTOPPED(status)) {
			e = status == -1 ? errno : ESRCH;
			stop_release(tid);
			errno = e;
			return -1;
		}
		if (stop_interrupted(status))
			return 0;
		/* A signal of the program came first. */
		ptrace(PTRACE_CONT, tid, 0, WSTOPSIG(status));
	}
}

void
stop_release(pid_t tid)
{
	int status;

	if (ptrace(PTRACE_DETACH, tid, 0, 0) == 0)
		return;
	/* It isn't stopped yet, but will be soon; or it has ended. */
	ptrace(PTRACE_INTERRUPT, tid, 0, 0);
	for (int i = 0; i < 50; i++) {
		status = stop_wait(tid, 100);
		if (status != -1 && !WIFSTOPPED(status))
			return;
		if (status == -1 && errno != ETIMEDOUT)
			return;
		if (status != -1)
			ptrace(PTRACE_DETACH, tid, 0,
			       stop_interrupted(status) ? 0 : WSTOPSIG(status));
		if (status != -1)
			return;
	}
}
