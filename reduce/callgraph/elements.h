/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles on call paths: which frames of a path form one element. */
#ifndef MEMMON_REDUCE_ELEMENTS_H
#define MEMMON_REDUCE_ELEMENTS_H

#include "reduce/model/stages.h"

/*
 * Set entry, nfuncs and funcs of all frames.  In the array, callers come before
 * their callees.  With one function for each line, the whole function counts.
 * 0, or -1 when out of memory.
 */
int elements_find(struct profile *p);

#endif
