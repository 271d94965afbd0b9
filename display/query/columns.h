/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of queries: names, and values for a row. */
#ifndef MEMMON_COLUMNS_H
#define MEMMON_COLUMNS_H

#include "display/query/schema.h"

enum column {
	COLUMN_ALLOCS,
	COLUMN_BYTES,
	COLUMN_FREES,
	COLUMN_FREED,
	COLUMN_KEPT,
	COLUMN_KEPT_BLOCKS,
	COLUMN_PEAK,
	COLUMN_PEAK_BLOCKS,
	COLUMN_SIZE,
	COLUMN_SIZE_MIN,
	COLUMN_SIZE_MAX,
	COLUMN_AVERAGE,
	COLUMN_SHARE,
	COLUMN_KEPT_SHARE,
	COLUMN_PEAK_SHARE,
	COLUMN_SITES,
	/* By site. */
	COLUMN_LIFE,
	COLUMN_LIFE_MIN,
	COLUMN_LIFE_MAX,
	COLUMN_TEMPS,
	COLUMN_NEAR,
	COLUMN_FOREIGN,
	COLUMN_REALLOCS,
	COLUMN_MOVED,
	COLUMN_COPIED,
	COLUMN_LONGEST,
	COLUMN_READS,
	COLUMN_WRITES,
	COLUMN_LIFETIME,
	COLUMN_USAGE,
	COLUMN_USEFUL,
	COLUMN_COVER,
	COLUMN_MEAN,
	COLUMN_SEVERITY,
	COLUMN_SAVE,
	COLUMN_UNUSED, /* flags, as enum profile_flag */
	COLUMN_WRITE_ONLY,
	COLUMN_READ_ONLY,
	COLUMN_SHORT_LIVED,
	COLUMN_EARLY,
	COLUMN_LATE,
	COLUMN_GROWING,
	COLUMN_SHARED,
	COLUMN_LOW_COVER,
	COLUMN_LOST, /* kinds of leaks: bytes, blocks; as enum profile_leak */
	COLUMN_LOST_BLOCKS,
	COLUMN_INDIRECT,
	COLUMN_INDIRECT_BLOCKS,
	COLUMN_INTERIOR,
	COLUMN_INTERIOR_BLOCKS,
	COLUMN_REACHABLE,
	COLUMN_REACHABLE_BLOCKS,
	COLUMN_LEAKED,
	COLUMN_LEAKED_BLOCKS,
	/* Texts. */
	COLUMN_TYPE,
	COLUMN_MARK,
	COLUMN_LIVED,
	COLUMN_THREAD,
	COLUMN_MODULE,
	COLUMN_FILE,
	COLUMN_LINE,
	COLUMN_FUNCTION,
	COLUMN_SITE,
	COLUMN_N,
	/* Not of queries: numbers, and second names. */
	COLUMN_SITE_ID = COLUMN_N,
	COLUMN_FUNCTION_ID,
	COLUMN_THREAD_ID,
	COLUMN_LIVED_ID,
	COLUMN_SIZE_ID,
	COLUMN_FILE_NAME,
	COLUMN_THREAD_ALIAS,
	COLUMN_ID,
	COLUMN_ALL
};

/* Their fields, in this order. */
extern const struct schema_field columns_field[COLUMN_ALL];

/* The columns of queries, as a table without rows. */
extern const struct schema_table columns_table;

/* The value of a column for a row. */
struct schema_value columns_value(struct schema *c, const struct tally *t,
				  enum column column);

/* Is it an estimate?  As the mean lifetime, where not all was timed. */
bool columns_estimate(const struct tally *t, enum column column);

/* The number of the column of that name, as "kept.blocks"; or COLUMN_N. */
enum column columns_find(const char *name, size_t n);

#endif
