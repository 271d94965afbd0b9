/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the allocator cost. */
#ifndef MEMMON_REDUCE_PROFILE_ALLOCATOR_H
#define MEMMON_REDUCE_PROFILE_ALLOCATOR_H

#include "reduce/file/mon.h"
#include "reduce/model/stages.h"

/*
 * Set p's allocator from m, which is merged; it stays NULL if nothing was
 * timed.  0, or -1 when out of memory.
 */
int allocator_make(struct profile *p, const struct mon *m);

#endif
