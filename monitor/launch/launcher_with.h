/* SPDX-License-Identifier: MIT */
/* --with and --calibrate-allocators: one run with each of several
 * allocators. */
#ifndef MEMMON_LAUNCHER_WITH_H
#define MEMMON_LAUNCHER_WITH_H

#include <stdbool.h>

/*
 * Runs one process after the other, one for each allocator of the list (names
 * with commas between them).  Returns -1 in each, with the variables set that
 * make the program of launcher_program_elf() use this allocator: LD_PRELOAD;
 * MEMMON_ALLOCATOR, unless it was set; MEMMON_OUT with the allocator's name
 * appended.  Returns in the caller, after the last process, the status to exit
 * with: the first that isn't 0.  Prints on standard error how to compare the
 * files, unless quiet.  If an allocator isn't installed, says so and exits.
 */
int launcher_with(const char *list, bool quiet);

/*
 * The same for calibrate_run() and each allocator of the list; NULL: all that
 * are installed.  The results are stored for mpreduce.
 */
int launcher_with_calibrate(const char *list);

#endif
