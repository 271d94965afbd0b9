/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SQL over the tables of schema.h, by SQLite.  They are virtual tables: only
 * those that a statement names are read.  Statements from users can only read,
 * and have limits of memory and time.
 */
#ifndef MEMMON_SQL_H
#define MEMMON_SQL_H

#include "display/schema/schema.h"
#include "reduce/profile/profile.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The items of a row of a query: n items from sql.item[first] on. */
struct sql_group {
	size_t first, n;
};

/* Call sql_open() first, and sql_close() after any result. */
struct sql {
	sqlite3 *db;
	struct schema *s; /* NULL: can prepare statements, not run them */
	bool own;	  /* the statement that is being prepared isn't a
			   * user's */
	unsigned needs;	  /* data that statements read: bits of schema.h */
	uint64_t steps;	  /* steps of SQLite's machine, so far */
	uint64_t most;	  /* the limit of steps; sql_open() sets it */
	/* The result of gather(): the items of each row, ascending. */
	size_t *item, nitems, items_room;
	struct sql_group *group;
	size_t ngroups, groups_room;
};

/* 0, or -1 with *e set. */
int sql_open(struct sql *q, struct schema *s, struct err *e);
void sql_close(struct sql *q);

/*
 * Prepare a statement of a user, which may only read.  what: the option, for
 * messages.  The caller finalizes it.  NULL with *e set.
 */
sqlite3_stmt *sql_prepare(struct sql *q, const char *text, const char *what,
			  struct err *e);

/* The same for a statement of our own. */
sqlite3_stmt *sql_prepare_own(struct sql *q, const char *text, const char *what,
			      struct err *e);

/* Go to the next row.  1: there is a row; 0: no more; -1 with *e set. */
int sql_step(struct sql *q, sqlite3_stmt *stmt, const char *what,
	     struct err *e);

/*
 * sql_table.c: add a virtual table, which needs no CREATE; and the text of
 * CREATE for it, with all fields, or with those that a database of p has,
 * allocated by SQLite, or NULL.
 */
int sql_table_add(struct sql *q, const struct schema_table *t);
char *sql_table_create(const struct schema_table *t, const struct profile *p);

/* The type of a column with values of that kind, in CREATE. */
const char *sql_type(enum value_kind kind);

/* The kind of the values in a column of a result; VALUE_TEXT: any. */
enum value_kind sql_kind(sqlite3_stmt *stmt, int column);

/* Bind a value to a parameter of a statement. */
int sql_bind(sqlite3_stmt *stmt, int i, const struct schema_field *f,
	     const struct value *v);

/*
 * sql_group.c: add the aggregate function gather(item).  It makes a row of the
 * items, and its result is the row's number.  sql_group_tally() returns the
 * figures of the row.
 */
int sql_group_add(struct sql *q);
struct tally sql_group_tally(const struct sql *q, size_t group,
			     struct tally_room *room);

#endif
