/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times that the program named. */
#ifndef MEMMON_REDUCE_MARKS_H
#define MEMMON_REDUCE_MARKS_H

#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"

/* Set p's marks from m, which is merged.  0, or -1 when out of memory. */
int marks_make(struct profile *p, const struct mon *m);

#endif
