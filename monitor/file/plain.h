/* SPDX-License-Identifier: MIT */
/* The PLAIN tables of the data file. */
#ifndef MEMMON_PLAIN_H
#define MEMMON_PLAIN_H

#include "monitor/base/emit.h"
#include "monitor/file/sums.h"

/*
 * Write the tables.  *s gets how many items each has: 0 also if the items are
 * unknown.  ctx: exit, one at a time.
 */
void mmi_plain_put(struct mmi_emit *o, struct mmi_tables_sums *s);

#endif
