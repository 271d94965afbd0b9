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
	"is damaged: its debug information can't be read, and its functions " \
	"have no names; put the file there again, or run the program again"

/*
 * Call f(arg) and return what it returns, which isn't GUARD_FAULT; or that,
 * when it ran into SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT: then nothing
 * that it worked on may be used or freed.  f() works on the file `path', and
 * calls in it, mostly, libraries.  When it takes more than a minute of CPU
 * time, and a second for each megabyte of the file, mpreduce says so and ends.
 * One that is called by another is part of that.
 */
int guard_run(const char *path, int (*f)(void *arg), void *arg);

/* When mpreduce ends so, call f(arg) first, in a signal handler. */
void guard_before_end(void (*f)(void *arg), void *arg);

#endif
