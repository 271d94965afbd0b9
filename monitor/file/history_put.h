/* SPDX-License-Identifier: MIT */
/* The table of changes of the data file: see counts/history.h. */
#ifndef MEMMON_HISTORY_PUT_H
#define MEMMON_HISTORY_PUT_H

#include "monitor/base/emit.h"
#include "monitor/counts/cells.h"
#include "monitor/file/sums.h"

/*
 * Put the history of cells into the file.  _begin: the table of changes begins.
 * _cell: the changes of a cell, with its numbers in the table of cells (sites:
 * of its site) and its last counts.  _new: the counts of cells that were made
 * after the file's last snapshot.  _lost and _end: the table is complete.  _end
 * returns how many items there are; UINT64_MAX: some are unknown.  ctx: exit,
 * one at a time.
 */
void mmi_history_put_begin(struct mmi_emit *o);
void mmi_history_put_cell(const struct mmi_cell *c, uint64_t site,
			  uint64_t thread, uint64_t size,
			  const struct mmi_cell_counts *r);
void mmi_history_put_new(uint64_t site, uint64_t size,
			 const struct mmi_cell_counts *r);
void mmi_history_put_lost(void);
uint64_t mmi_history_put_end(void);

#endif
