/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that libelf and libdw can't cope with: damaged ones, or such as change
 * while they are read.  What would end mpreduce by a signal becomes an error of
 * that file.  Not in builds with sanitizers, which are to find such things.
 */
#ifndef MEMMON_REDUCE_GUARD_H
#define MEMMON_REDUCE_GUARD_H

/* What guard_run() returns when f() didn't. */
#define GUARD_FAULT (-2)

/* What to say of such a file. */
#define GUARD_PROBLEM \
	"is damaged: its debug information can't be read, so its functions " \
	"have no names; restore the file, or run the program again"

/*
 * Call f(arg) and return what it returns, which isn't GUARD_FAULT.  f() works
 * on the file `path', and calls in it, mostly, libraries.  One that is called
 * by another is part of that.
 *
 * Reading goes on in a process of its own from the first call on; the one that
 * was started waits, and ends as that does.  When f() runs into SIGSEGV,
 * SIGBUS, SIGFPE, SIGILL or SIGABRT, or takes more than a minute of CPU time
 * and a second for each megabyte of the file, the process ends at once, and all
 * since the first call is done again by another, in which f() of this file
 * isn't called: GUARD_FAULT is returned in its place.  So nothing is used that
 * was in work when it struck.  Nothing must be printed between two calls.
 */
int guard_run(const char *path, int (*f)(void *arg), void *arg);

/* Call f(arg) before the process ends so, in a signal handler. */
void guard_before_end(void (*f)(void *arg), void *arg);

#endif
