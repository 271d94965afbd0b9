/* SPDX-License-Identifier: MIT */
/*
 * Calls functions in a thread of another process.  The thread then continues as
 * if there had been no calls.
 */
#ifndef MEMMON_INJECT_H
#define MEMMON_INJECT_H

#include "monitor/attach/target.h"

/* A stopped thread, and the state that it must return to. */
struct inject;

/*
 * Prepares for calls: saves the thread's state.  Returns NULL, with errno, on
 * failure; ENOMEM: the thread's stack is too small.  inject_end() lets the
 * thread continue as before, and frees `i'.
 */
struct inject *inject_begin(const struct target *t, pid_t tid);
void inject_end(struct inject *i);

/*
 * Puts n bytes on the thread's stack, a copy of `from', or zeroes if `from' is
 * NULL.  They stay until inject_end().  0: there is not enough room.
 */
uintptr_t inject_room(struct inject *i, const void *from, size_t n);

/*
 * Calls a function with three arguments.  True: it has returned.  False: it has
 * faulted, or didn't return within `seconds', or the process has ended; why[n]
 * says which.  *result receives its result, if `result' isn't NULL: then the
 * function is executed in single steps, which takes milliseconds instead of
 * microseconds.
 */
bool inject_call(struct inject *i, uintptr_t function, const uintptr_t arg[3],
		 unsigned seconds, uintptr_t *result, char *why, size_t n);

#endif
