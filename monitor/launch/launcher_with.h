/* SPDX-License-Identifier: MIT */
/* --with and --calibrate-allocators: the same with several allocators. */
#ifndef MEMMON_LAUNCHER_WITH_H
#define MEMMON_LAUNCHER_WITH_H

#include <stdbool.h>

/*
 * For each allocator of the list (names with commas between them) a process of
 * its own, one after the other, in which this returns -1, with the variables
 * set that have the program of launcher_program_elf() run with it: LD_PRELOAD,
 * MEMMON_ALLOCATOR if it isn't, and MEMMON_OUT with the name behind.  In the
 * process that called, the status to end with after the last of them: the first
 * that isn't 0.  Says on standard error how to compare them, unless quiet.
 * Ends the program, with a line that says why, when one isn't installed.
 */
int launcher_with(const char *list, bool quiet);

/*
 * The same for calibrate_run() and each allocator of the list, NULL: all that
 * are installed; what was recorded is kept for mpreduce.
 */
int launcher_with_calibrate(const char *list);

#endif
