/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call paths that freed blocks: the last section of --lifetimes. */
#ifndef MEMMON_FREED_BY_H
#define MEMMON_FREED_BY_H

#include "display/grid/table.h"

/* Print the section, if it is known.  0, or -1 when out of memory. */
int freed_by_print(struct tables *t);

#endif
