/* SPDX-License-Identifier: MIT */
/* A thread of a process that a call may be made in. */
#ifndef MEMMON_SAFE_POINT_H
#define MEMMON_SAFE_POINT_H

#include "monitor/attach/target.h"

/*
 * Stop a thread that is neither in the allocator nor in the loader, nor holds
 * a lock of the libc's that they take: its id.  Threads are looked at one by
 * one, and let go again, for about `seconds'.  0: there is none, and why[n]
 * says what was seen last.
 */
pid_t safe_point_find(struct target *t, unsigned seconds, char *why, size_t n);

#endif
