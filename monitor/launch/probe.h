/* SPDX-License-Identifier: MIT */
/* The allocator of this very process, looked at by what it hands out. */
#ifndef MEMMON_PROBE_H
#define MEMMON_PROBE_H

/* How a process is called that is a probe and nothing else. */
#define PROBE_NAME "memmon-probe"

/* The descriptor that probe_run() writes to. */
#define PROBE_FD 3

/*
 * Find out what the allocator does with requests and write it to PROBE_FD as a
 * line of key=value, with blanks between, of what is known:
 *	style		sequential: blocks of all sizes stand side by side; or
 *			runs: each page has blocks of one size class
 *	threshold	bytes of the smallest large request, and threshold-by:
 *			mmap: each has a mapping made for it; or runs: blocks of
 *			its class don't stand side by side any more
 *	rises		1: free of a larger one raises the threshold
 *	cache		thread: a block that was freed is handed out again to
 *			the same thread, and not to another that asks before it;
 *			or shared
 *	classes		usable sizes, ascending; ".." stands for further ones as
 *			far apart as the two before it
 * Nothing may have been allocated before, and nothing is freed that could
 * change what is to be found.  Returns the status to exit with.  One thread.
 */
int probe_run(void);

#endif
