/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SQL over the tables of schema.h, by SQLite: they are virtual tables, of which
 * only those are looked at that a statement names.  What users say can only
 * read, and has limits of memory and time.
 */
#ifndef MEMMON_SQL_H
#define MEMMON_SQL_H

#include "display/schema/schema.h"
#include "reduce/profile/profile.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Items of one row of a query: so many from that place of sql.item. */
struct sql_group {
	size_t first, n;
};

/* sql_open(), and sql_close() in any case. */
struct sql {
	sqlite3 *db;
	struct schema *s; /* NULL: statements can be prepared, not run */
	bool own;	  /* the statement being prepared isn't a user's */
	unsigned needs;	  /* what statements read: bits of schema.h */
	uint64_t steps;	  /* of SQLite's machine, so far */
	uint64_t most;	  /* the limit of steps; sql_open() sets it */
	/* What gather() has put together: items, ascending in each row. */
	size_t *item, nitems, items_room;
	struct sql_group *group;
	size_t ngroups, groups_room;
};

/* 0, or -1 with *e set. */
int sql_open(struct sql *q, struct schema *s, struct err *e);
void sql_close(struct sql *q);

/*
 * A statement of a user: one that reads.  what: where it is from.  NULL, with
 * *e set; the caller finalizes it.
 */
sqlite3_stmt *sql_prepare(struct sql *q, const char *text, const char *what,
			  struct err *e);

/* The same for a statement of ours. */
sqlite3_stmt *sql_prepare_own(struct sql *q, const char *text, const char *what,
			      struct err *e);

/* The next row.  1: there is one, 0: none is left, -1 with *e set. */
int sql_step(struct sql *q, sqlite3_stmt *stmt, const char *what,
	     struct err *e);

/*
 * sql_table.c: a table, as a virtual one that needs no CREATE; and as CREATE
 * has it, with hidden fields or without, allocated by SQLite, or NULL.
 */
int sql_table_add(struct sql *q, const struct schema_table *t);
char *sql_table_create(const struct schema_table *t, bool hidden);

/* The type of a column of such values, as CREATE has it. */
const char *sql_type(enum value_kind kind);

/* The kind of the values of a column of a result; VALUE_TEXT: any. */
enum value_kind sql_kind(sqlite3_stmt *stmt, int column);

/* Put a value into a parameter of a statement. */
int sql_bind(sqlite3_stmt *stmt, int i, const struct schema_field *f,
	     const struct value *v);

/*
 * sql_group.c: gather(item), an aggregate function, whose result is the number
 * of a row of the table `rows': the figures of these items together.
 */
int sql_group_add(struct sql *q);
struct tally sql_group_tally(const struct sql *q, size_t group,
			     struct tally_room *room);

#endif
