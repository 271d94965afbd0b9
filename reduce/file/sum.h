/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a merged struct mon in the format of mon.out(5). */
#ifndef MEMMON_REDUCE_SUM_H
#define MEMMON_REDUCE_SUM_H

#include "reduce/base/err.h"
#include "reduce/file/emit.h"
#include "reduce/file/merge.h"

/*
 * Write g to path: into a temporary file beside it that then takes its place;
 * what isn't a plain file (a pipe, /dev/stdout) is written to directly, and "-"
 * is standard output.  The sums among the totals are left out when some file
 * wasn't whole: by that open_file() knows that this one isn't either.  0, or -1
 * with *e set.
 */
int sum_write(const struct merge *g, const char *path, struct err *e);

/* The same into memory: all of the file.  e->failed says whether it worked. */
void sum_content(struct emit *e, const struct mon *m);

/* Instead of a number of items: the table isn't there. */
#define SUM_NOT_KNOWN UINT64_MAX

/*
 * sum_tables.c: write the tables of m that are known; items[] gets how many
 * items each has, or SUM_NOT_KNOWN.
 */
void sum_tables(struct emit *e, const struct mon *m, uint64_t items[MON_NKIND]);

/* The items of n snapshots, in the record that is open and others. */
void sum_put_snapshots(struct emit *e, const struct mon_snapshot *m, size_t n);

#endif
