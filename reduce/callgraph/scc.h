/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles of functions that call each other. */
#ifndef MEMMON_REDUCE_SCC_H
#define MEMMON_REDUCE_SCC_H

#include "reduce/model/result.h"

/*
 * Set cycles (numbers, members), func.cycle, func.order.  0, or -1 when out of
 * memory.
 */
int scc_find(struct profile *p);

#endif
