/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the table of leaks; for its own two files only. */
#ifndef MEMMON_LEAKS_H
#define MEMMON_LEAKS_H

#include "display/grid/table.h"

/*
 * Print what leak checks found, by kind and path: of those kinds that are bits
 * of `kinds', 1 << enum profile_leak.  0, or -1 when out of memory.
 */
int leaks_check(struct tables *t, unsigned kinds);

/* What suppressions took away, and by which; nothing if they didn't. */
void leaks_suppressed(struct tables *t);

#endif
