/* SPDX-License-Identifier: MIT */
/* What all allocators are measured with: memmon --calibrate-allocators. */
#ifndef MEMMON_CALIBRATE_H
#define MEMMON_CALIBRATE_H

/* How a process is called that does this and nothing else. */
#define CALIBRATE_NAME "memmon-calibration"

/*
 * Allocate and free as programs do, by one thread, by two and by four: blocks
 * of 16 bytes to 512 KB, most of them small, by all of the allocator's
 * functions; lives of random length; frees by another thread.  The same each
 * time.  Returns the status to exit with.
 */
int calibrate_run(void);

#endif
