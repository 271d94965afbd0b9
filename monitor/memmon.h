/* SPDX-License-Identifier: MIT */
/*
 * memmon.h: what a program may ask of the monitor that is linked into it.
 * Nothing here is needed to be profiled.  See libmemmon(3).
 *
 * A program that should run with and without memmon declares what it uses weak
 * and tests the address before the call.
 */
#ifndef MEMMON_H
#define MEMMON_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Counts since the start of the process, or since the fork that made it.
 * Sizes are those that the program asked for, in bytes.
 */
struct memmon_totals {
	uint64_t allocs;   /* blocks allocated */
	uint64_t bytes;	   /* bytes allocated */
	uint64_t frees;	   /* blocks freed */
	uint64_t freed;	   /* bytes freed */
	uint64_t live;	   /* bytes allocated and not freed now */
	uint64_t peak;	   /* most bytes live at one time */
	uint64_t reallocs; /* each counts as one free and one alloc too */
	uint64_t lost;	   /* allocations that couldn't be recorded */
};

/* The version of the library, "0.1.0".  Any thread; signal-safe. */
const char *memmon_version(void);

/*
 * Write the data file now; the program goes on, and the file is written anew
 * when it ends.  Returns 0, or -1 when the file couldn't be written or another
 * thread is writing it at this moment.  Any thread; signal-safe; errno is left
 * as it was.
 */
int memmon_dump(void);

/*
 * Fill *t.  While other threads allocate, the figures are of slightly different
 * moments; frees never exceed allocs.  Returns 0, or -1 when t is NULL.  Takes
 * time in proportion to the number of call chains and sizes.  Any thread;
 * signal-safe.
 */
int memmon_totals(struct memmon_totals *t);

/*
 * Which of the blocks that are live now can't the program get at any more?  The
 * data file written next has the result, by call chain.  Returns how many are
 * lost, with those that only lost ones point to; -1 when it couldn't be found
 * out (the data file says why), or another thread is doing it.  Stops the other
 * threads for some milliseconds; see libmemmon(3).  Any thread; signal-safe;
 * errno is left as it was.
 */
long memmon_leak_check(void);

/*
 * The block at p, and what it leads to, is reachable for leak checks until it
 * is freed, whether anything points to it or not.  Returns 0, or -1 when no
 * live block begins at p or there is no memory for one more.  Any thread;
 * signal-safe; errno is left as it was.
 */
int memmon_leak_ignore(const void *p);

#ifdef __cplusplus
}
#endif

#endif
