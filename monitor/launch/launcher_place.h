/* SPDX-License-Identifier: MIT */
/* The place of the data file: looked at before the program runs, and after. */
#ifndef MEMMON_LAUNCHER_PLACE_H
#define MEMMON_LAUNCHER_PLACE_H

#include <stddef.h>

/*
 * Where a program of the path `exe' that this process becomes will write its
 * data file, by MEMMON_OUT.  false: nothing can be written there, and what[n]
 * says why, as "FILE: the reason".
 */
_Bool launcher_place_check(const char *exe, char *what, size_t n);

/*
 * Start a process that outlives this one, whatever program it becomes, and then
 * says on standard error if no data file has come, or if none is there and it
 * isn't known whether one was: it says nothing of one that was moved or removed
 * meanwhile.  It isn't a child of this
 * process, nor in its session, and keeps no file open but standard error.
 * Returns a descriptor that is closed by exec(3), to be given to
 * launcher_place_forget() if that fails; -1: there is no such process.  After
 * launcher_place_check() only.
 */
int launcher_place_watch(void);
void launcher_place_forget(int fd);

/*
 * For who waits for the program instead.  Before it runs; when it runs, of its
 * process; when that has ended, its data file, or NULL if none has come; and
 * the word on standard error that none came, unless one did and was moved.
 */
void launcher_place_begin(void);
void launcher_place_of(long pid);
const char *launcher_place_came(void);
void launcher_place_complain(void);

#endif
