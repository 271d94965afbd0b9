/* SPDX-License-Identifier: MIT */
/* Probes the allocator of this process: what does it return for requests? */
#ifndef MEMMON_PROBE_H
#define MEMMON_PROBE_H

/* argv[0] of a process that only is a probe. */
#define PROBE_NAME "memmon-probe"

/* The descriptor that probe_run() writes to. */
#define PROBE_FD 3

/*
 * Find out how the allocator handles requests, and write the known facts to
 * PROBE_FD as a line of key=value, with blanks between:
 *
 *	style		sequential: blocks of all sizes are adjacent; or
 *			runs: each page has blocks of one size class
 *	threshold	bytes of the smallest large request, and threshold-by:
 *			mmap: each has a mapping made for it; or runs: blocks of
 *			its class aren't adjacent any more
 *	rises		1: free of a larger one raises the threshold
 *	cache		thread: a freed block is returned again to the same
 *			thread, and not to another that asks before it;
 *			or shared
 *	classes		usable sizes, ascending; ".." means further sizes, as
 *			far apart as the two before it
 *
 * Must run before any allocation; frees nothing that could change the result.
 * Returns the status to exit with.  One thread.
 */
int probe_run(void);

#endif
