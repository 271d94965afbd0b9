/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write a merged struct mon in the format of mon.out(5). */
#ifndef MEMMON_REDUCE_SUM_H
#define MEMMON_REDUCE_SUM_H

#include "reduce/base/err.h"
#include "reduce/monout/emit.h"
#include "reduce/monout/merge.h"

/*
 * Write g to path, by a temporary file beside it that replaces path at the end.
 * If path isn't a regular file (a pipe, /dev/stdout), write to it directly; "-"
 * is standard output.  If one of the files was incomplete, the sums are left
 * out of the totals: open_file() then knows that this file is incomplete, too.
 * 0, or -1 with *e set.
 */
int sum_write(const struct merge *g, const char *path, struct err *e);

/* Write the whole file into memory.  Check e->failed afterwards. */
void sum_content(struct emit *e, const struct mon *m);

/* Used instead of a number of items: the table is unknown. */
#define SUM_NOT_KNOWN UINT64_MAX

/*
 * sum_tables.c: write the known tables of m.  items[] gets the number of items
 * of each table, or SUM_NOT_KNOWN.
 */
void sum_tables(struct emit *e, const struct mon *m, uint64_t items[MON_NKIND]);

/* Write n snapshots, into the open record and as many others as needed. */
void sum_put_snapshots(struct emit *e, const struct mon_snapshot *m, size_t n);

#endif
