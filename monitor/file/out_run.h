/* SPDX-License-Identifier: MIT */
/* The data file's first and last record. */
#ifndef MEMMON_OUT_RUN_H
#define MEMMON_OUT_RUN_H

#include "monitor/base/emit.h"
#include "monitor/counts/heap.h"
#include "monitor/file/sums.h"

/*
 * MONOUT_RUN: how the run ends (enum monout_end), the signal that ended it, if
 * any, and how long it took, ns.  MONOUT_TOTALS: *s and *e as they were
 * written.  ctx: exit.
 */
void mmi_out_run(struct mmi_emit *o, int end, int sig, uint64_t length);
void mmi_out_totals(struct mmi_emit *o, struct mmi_tables_sums *s,
		    const struct mmi_heap_state *e, uint64_t length);

#endif
