/* SPDX-License-Identifier: MIT */
/* The table of snapshots of the data file. */
#ifndef MEMMON_SNAPSHOTS_PUT_H
#define MEMMON_SNAPSHOTS_PUT_H

#include "monitor/base/emit.h"
#include "monitor/file/sums.h"

/*
 * _begin: note the snapshots that exist now.  _place: the place in the file for
 * the counts of the snapshot with this number.  mmi_snapshots_put: write the
 * table; its last item has the file's own totals, `length' ns after the start;
 * returns how many items there are.  ctx: exit, one at a time.
 */
void mmi_snapshots_put_begin(void);
uint64_t mmi_snapshots_put_place(uint64_t number);
uint64_t mmi_snapshots_put(struct mmi_emit *o,
			   const struct mmi_tables_count *sum, uint64_t length);

#endif
