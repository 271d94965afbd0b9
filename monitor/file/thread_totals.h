/* SPDX-License-Identifier: MIT */
/* The table of threads of the data file. */
#ifndef MEMMON_PERSONS_H
#define MEMMON_PERSONS_H

#include "monitor/base/emit.h"
#include "monitor/file/sums.h"

/*
 * Write it, count its items in *s, and tell lanes.h which they are.  ctx: exit.
 */
void mmi_persons_put(struct mmi_emit *o, struct mmi_tables_sums *s);

#endif
