/* SPDX-License-Identifier: MIT */
/* The table of threads of the data file. */
#ifndef MEMMON_THREAD_TOTALS_H
#define MEMMON_THREAD_TOTALS_H

#include "monitor/base/emit.h"
#include "monitor/file/sums.h"

/*
 * Write the table, count its items in *s, and pass the items to owners.h.  ctx:
 * exit.
 */
void mmi_thread_totals_put(struct mmi_emit *o, struct mmi_tables_sums *s);

#endif
