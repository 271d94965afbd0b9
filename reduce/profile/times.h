/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap over time: profile.time. */
#ifndef MEMMON_REDUCE_TIMES_H
#define MEMMON_REDUCE_TIMES_H

#include "reduce/monout/mon.h"
#include "reduce/model/result.h"

/*
 * Note the marks, before a filter removes them.  0, or -1 when out of memory,
 * as for the next function.
 */
int times_begin(struct profile *p, const struct mon *m);

/* Fill p->time.  p has its sites, threads and, if there are any, items. */
int times_make(struct profile *p, const struct mon *m);

/* Fill p->resident, from the snapshots of one run. */
void times_resident(struct profile *p, const struct mon *m);

#endif
