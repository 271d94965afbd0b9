/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles on chains: what a path has one element for. */
#ifndef MEMMON_REDUCE_ELEMENTS_H
#define MEMMON_REDUCE_ELEMENTS_H

#include "reduce/model/stages.h"

/*
 * Set entry, nfuncs and funcs of all frames, whose callers come before them; a
 * line's function is its whole one.  0, or -1 when out of memory.
 */
int elements_find(struct profile *p);

#endif
