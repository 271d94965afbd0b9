/* SPDX-License-Identifier: MIT */
/* Stops a thread of another process, and lets it continue. */
#ifndef MEMMON_STOP_H
#define MEMMON_STOP_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * stop_thread: stops a thread (PTRACE_SEIZE, PTRACE_INTERRUPT); returns 0; -1
 * with errno: ESRCH if the thread has ended, ETIMEDOUT if it doesn't stop.
 * stop_release: lets it continue.  If this process ends, however it ends, a
 * stopped thread continues.
 */
int stop_thread(pid_t tid);
void stop_release(pid_t tid);

/*
 * Waits for at most `ms' milliseconds until the thread stops or ends.  Returns
 * its status, or -1 with errno.
 */
int stop_wait(pid_t tid, unsigned ms);

/* Did PTRACE_INTERRUPT stop it, or a signal that stops its process? */
bool stop_interrupted(int status);

#endif
