/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that crash libelf or libdw, because they are damaged or change while
 * they are read.  A signal that would end mpreduce becomes an error of that
 * file.  Builds with sanitizers don't use this: they should find such crashes.
 */
#ifndef MEMMON_REDUCE_GUARD_H
#define MEMMON_REDUCE_GUARD_H

/* guard_run() returns this if f() failed with a signal or took too long. */
#define GUARD_FAULT (-2)

/* The message about such a file. */
#define GUARD_PROBLEM \
	"is damaged: its debug information can't be read, so its functions " \
	"have no names; restore the file, or run the program again"

/*
 * Call f(arg) and return its result, which must not be GUARD_FAULT.  f() reads
 * the file `path', usually with libraries.  A guard_run() inside of another
 * guard_run() is part of the outer one.
 *
 * From the first call on, a second process does the work; the process that was
 * started waits, and ends as the working process does.  The working process
 * ends at once when f() gets SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT, or
 * takes more than a minute of CPU time and a second for each megabyte of the
 * file.  A new process then repeats all work since the first call, but doesn't
 * call f() for this file: guard_run() returns GUARD_FAULT instead.  So no data
 * of the failed call are used.  Nothing must be printed between two calls.
 */
int guard_run(const char *path, int (*f)(void *arg), void *arg);

/*
 * Let a signal handler call f(arg) before the process ends because of a fault.
 */
void guard_before_end(void (*f)(void *arg), void *arg);

#endif
