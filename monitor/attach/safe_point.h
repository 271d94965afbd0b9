/* SPDX-License-Identifier: MIT */
/* Finds a thread of a process in which a call may be made. */
#ifndef MEMMON_SAFE_POINT_H
#define MEMMON_SAFE_POINT_H

#include "monitor/attach/target.h"

/*
 * Stops a thread that is neither in the allocator nor in the loader, and holds
 * no lock of libc that these take.  Returns the thread's id.  It examines
 * threads one by one, and lets them continue, for about `seconds'.  0: no
 * thread was found, and why[n] says what was seen last.
 */
pid_t safe_point_find(struct target *t, unsigned seconds, char *why, size_t n);

#endif
