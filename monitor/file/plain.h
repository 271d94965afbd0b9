/* SPDX-License-Identifier: MIT */
/* The PLAIN tables of the data file. */
#ifndef MEMMON_PLAIN_H
#define MEMMON_PLAIN_H

#include "monitor/base/emit.h"
#include "monitor/file/sums.h"

/*
 * Write them, and how many items each has to *s: 0, too, where that can't be
 * known.  ctx: exit, one at a time.
 */
void mmi_plain_put(struct mmi_emit *o, struct mmi_tables_sums *s);

#endif
