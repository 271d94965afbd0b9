/* SPDX-License-Identifier: MIT */
/*
 * Calls of functions in a thread of another process, which goes on as if there
 * had been none.
 */
#ifndef MEMMON_INJECT_H
#define MEMMON_INJECT_H

#include "monitor/attach/target.h"

/* A thread that is stopped, as it is to be later. */
struct inject;

/*
 * Calls are about to be made: what has to be kept is read.  NULL, with errno,
 * if that can't be done; ENOMEM: the thread's stack is too small.  inject_end()
 * lets the thread go on as it was, and gives `i' back.
 */
struct inject *inject_begin(const struct target *t, pid_t tid);
void inject_end(struct inject *i);

/*
 * n bytes on the thread's stack, a copy of `from', or zeroed where NULL, until
 * inject_end().  0: there is no room.
 */
uintptr_t inject_room(struct inject *i, const void *from, size_t n);

/*
 * Call a function with three arguments.  True: it has returned.  False: it has
 * faulted, or didn't return for `seconds', or the process has ended; why[n]
 * says which.  *result is what it returned, if `result' isn't NULL: then the
 * function is executed step by step, which takes milliseconds where a call
 * takes microseconds.
 */
bool inject_call(struct inject *i, uintptr_t function, const uintptr_t arg[3],
		 unsigned seconds, uintptr_t *result, char *why, size_t n);

#endif
