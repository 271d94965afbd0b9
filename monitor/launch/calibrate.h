/* SPDX-License-Identifier: MIT */
/* The run that all allocators are measured with: memmon
 * --calibrate-allocators. */
#ifndef MEMMON_CALIBRATE_H
#define MEMMON_CALIBRATE_H

/* argv[0] of a process that only does this. */
#define CALIBRATE_NAME "memmon-calibration"

/*
 * Allocate and free as programs do: by one thread, by two and by four; blocks
 * of 16 bytes to 512 KB, most of them small; with all of the allocator's
 * functions; random lifetimes; frees by another thread.  Each run does the
 * same.  Returns the status to exit with.
 */
int calibrate_run(void);

#endif
