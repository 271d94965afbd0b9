/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by thread. */
#ifndef MEMMON_REDUCE_THREADS_H
#define MEMMON_REDUCE_THREADS_H

#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"

/*
 * Set p's threads from m, which is merged; none when m doesn't know them.  0,
 * or -1 when out of memory.
 */
int threads_make(struct profile *p, const struct mon *m);

#endif
