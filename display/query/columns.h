/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of queries: names, and values for a row. */
#ifndef MEMMON_COLUMNS_H
#define MEMMON_COLUMNS_H

#include "display/query/expr.h"
#include "display/query/rows.h"
#include "display/query/tally.h"

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
	COLUMN_N
};

/* As expressions see them; and how each is printed. */
extern const struct expr_scope columns_scope;
enum rows_kind columns_kind(enum column c);

/* What values are made from.  columns_fini() at last. */
struct columns {
	const struct tally_base *base;
	uint64_t bytes, kept; /* of which shares are */
	char *path;	      /* of the site it was asked for last */
	size_t room;
	const struct site *path_of;
	char text[16]; /* of COLUMN_MARK */
	bool failed;   /* out of memory */
};

void columns_init(struct columns *c, const struct tally_base *base);
void columns_fini(struct columns *c);

/*
 * The value of a column for a row.  Texts live until the next call for a text,
 * or longer.
 */
struct expr_value columns_value(struct columns *c, const struct tally *t,
				enum column column);

/* Is it an estimate?  As the mean lifetime, where not all was timed. */
bool columns_estimate(const struct tally *t, enum column column);

#endif
