/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By which call paths blocks were freed: the last section of --lifetimes. */
#ifndef MEMMON_FREED_BY_H
#define MEMMON_FREED_BY_H

#include "display/grid/table.h"

/* Nothing is printed if it isn't known.  0, or -1 when out of memory. */
int freed_by_print(struct tables *t);

#endif
