/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the memory of the process was when the data file was written. */
#ifndef MEMMON_REDUCE_MEMORY_H
#define MEMMON_REDUCE_MEMORY_H

#include "reduce/monout/mon.h"
#include "reduce/model/stages.h"

/* Set p's memory from m, which is merged.  0, or -1 when out of memory. */
int memory_make(struct profile *p, const struct mon *m);

#endif
