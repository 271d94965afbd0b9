/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the table of leaks; only for leaks*.c. */
#ifndef MEMMON_LEAKS_H
#define MEMMON_LEAKS_H

#include "display/grid/table.h"

/*
 * Print the results of leak checks, by kind and path.  kinds: which kinds, as
 * bits 1 << enum profile_leak.  0, or -1 when out of memory.
 */
int leaks_check(struct tables *t, unsigned kinds);

/* Print the blocks that each suppression hides, if any. */
void leaks_suppressed(struct tables *t);

#endif
