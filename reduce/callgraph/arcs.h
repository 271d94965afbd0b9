/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arcs between functions, and each function's lists of them. */
#ifndef MEMMON_REDUCE_ARCS_H
#define MEMMON_REDUCE_ARCS_H

#include "reduce/model/result.h"

/*
 * Set p's total, life and peak_blocks from its sites; make the arcs, with calls
 * 0 and no counts, and the functions' lists of them.  0, or -1 when out of
 * memory.
 */
int arcs_build(struct profile *p);

#endif
