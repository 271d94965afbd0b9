/* SPDX-License-Identifier: MIT */
/* A thread of another process is stopped, and let go. */
#ifndef MEMMON_STOP_H
#define MEMMON_STOP_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Stop a thread (PTRACE_SEIZE, PTRACE_INTERRUPT), and let it go.  0; -1 with
 * errno: ESRCH where it ended, ETIMEDOUT where it doesn't stop.  A thread that
 * is stopped goes on if this process ends, however it does.
 */
int stop_thread(pid_t tid);
void stop_release(pid_t tid);

/*
 * Wait for the thread to stop, or to end, for so many ms.  Its status, or -1
 * with errno.
 */
int stop_wait(pid_t tid, unsigned ms);

/* Has PTRACE_INTERRUPT stopped it, or a signal that stops its process? */
bool stop_interrupted(int status);

#endif
