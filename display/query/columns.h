/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of queries: names, and values for a row. */
#ifndef MEMMON_COLUMNS_H
#define MEMMON_COLUMNS_H

#include "display/query/columns_list.h"
#include "display/query/schema.h"

/* In the order of columns_list.h; those behind COLUMN_N are not of queries. */
enum column {
#define C(id, ...) COLUMN_##id,
	COLUMNS(C) COLUMN_N,
	COLUMN_LAST = COLUMN_N - 1,
	COLUMNS_OTHER(C) COLUMN_ALL
#undef C
};

/* Their fields, in this order. */
extern const struct schema_field columns_field[COLUMN_ALL];

/* The columns of queries, as a table without rows. */
extern const struct schema_table columns_table;

/* The value of a column for a row. */
struct schema_value columns_value(struct schema *c, const struct tally *t,
				  enum column column);

/* Write the columns from one to another as members.  schema_start() is enough.
 */
void columns_write(struct schema *c, const struct tally *t, struct writer *w,
		   enum column from, enum column to);

/* Is it an estimate?  As the mean lifetime, where not all was timed. */
bool columns_estimate(const struct tally *t, enum column column);

/* The number of the column of that name, as "kept.blocks"; or COLUMN_N. */
enum column columns_find(const char *name, size_t n);

#endif
