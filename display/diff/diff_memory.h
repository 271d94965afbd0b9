/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: where the memory of the process was, and what it mapped. */
#ifndef MEMMON_DIFF_MEMORY_H
#define MEMMON_DIFF_MEMORY_H

#include "display/diff/diff_pairs.h"

/*
 * Print the lines of --memory that differ, and lines of the program that map
 * more or less; or write them as arrays "memory" and "mapped".  Nothing where
 * it isn't known of both runs.  0, or -1 when out of memory.
 */
int diff_memory_print(struct tables *t, const struct diff *d);
int diff_memory_json(struct writer *w, const struct diff *d);

#endif
