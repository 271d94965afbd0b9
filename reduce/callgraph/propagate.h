/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of functions, arcs and cycles. */
#ifndef MEMMON_REDUCE_PROPAGATE_H
#define MEMMON_REDUCE_PROPAGATE_H

#include "reduce/base/err.h"
#include "reduce/model/result.h"

/*
 * Set the counts of funcs, arcs and cycles, then number the cycles by bytes:
 * the largest is 1.  0, or -1 with *e set: out of memory, or the call counts
 * exceed 64 bits.
 */
int propagate(struct profile *p, struct err *e);

#endif
