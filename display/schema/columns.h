/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of queries: names, and their values for a row. */
#ifndef MEMMON_COLUMNS_H
#define MEMMON_COLUMNS_H

#include "display/schema/columns_list.h"
#include "display/schema/schema.h"

/* In the order of columns_list.h.  --columns has those before COLUMN_N. */
enum column {
#define C(id, ...) COLUMN_##id,
#define ERROR(id, ...) COLUMN_##id##_ERROR,
	COLUMNS(C) COLUMNS_ERRORS COLUMN_N,
	COLUMN_LAST = COLUMN_N - 1,
	COLUMNS_OTHER(C) COLUMN_ALL
#undef ERROR
#undef C
};

/* The fields of the columns, in the order of enum column. */
extern const struct schema_field columns_field[COLUMN_ALL];

/* The columns of queries, as a table without rows. */
extern const struct schema_table columns_table;

/* The value of a column for a row. */
struct value columns_value(struct schema *c, const struct tally *t,
			   enum column column);

/* Write a range of columns as members of an object. */
void columns_write(struct schema *c, const struct tally *t, struct writer *w,
		   enum column from, enum column to);

/* Is the value an estimate?  Lifetimes are, if not all blocks were timed. */
bool columns_estimate(const struct tally *t, enum column column);

#endif
