/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arcs between functions, and each function's lists of them. */
#ifndef MEMMON_REDUCE_ARCS_H
#define MEMMON_REDUCE_ARCS_H

#include "reduce/model/result.h"

/*
 * Set p's total, life and peak_blocks from its sites, arcs with calls 0
 * and no counts, and the lists in funcs.  0, or -1 when out of memory.
 */
int arcs_build(struct profile *p);

#endif
