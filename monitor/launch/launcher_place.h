/* SPDX-License-Identifier: MIT */
/* The place of the data file, checked before the program runs and
 * afterwards. */
#ifndef MEMMON_LAUNCHER_PLACE_H
#define MEMMON_LAUNCHER_PLACE_H

#include <stddef.h>

/*
 * Finds out where a program with path `exe', which this process will become,
 * writes its data file by MEMMON_OUT.  false: no file can be written there;
 * what[n] says why, as "FILE: the reason".
 */
_Bool launcher_place_check(const char *exe, char *what, size_t n);

/*
 * Start a process that outlives this one, even when this one becomes another
 * program.  When this one has ended, the new process prints a message on
 * standard error if no data file has come, or if there is none and it is
 * unknown whether one came.  It prints nothing if a file came and was moved or
 * removed.  It is neither a child of this process nor in its session, and keeps
 * only standard error open.
 * Returns a descriptor that exec(3) closes; pass it to launcher_place_forget()
 * if exec fails.  -1: the process couldn't be started.  Call
 * launcher_place_check() first.
 */
int launcher_place_watch(void);
void launcher_place_forget(int fd);

/*
 * For a caller that waits for the program itself.  Call begin before the
 * program runs; of(pid) while it runs; came after its end: it returns the data
 * file, or NULL if none has come; complain prints on standard error that no
 * file came, unless one came and was moved.
 */
void launcher_place_begin(void);
void launcher_place_of(long pid);
const char *launcher_place_came(void);
void launcher_place_complain(void);

#endif
