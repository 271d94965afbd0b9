/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queries: which items are asked for, what is put together, what is shown of
 * it, as described in mpreduce-queries(7).
 */
#ifndef MEMMON_QUERY_H
#define MEMMON_QUERY_H

#include "display/schema/columns.h"
#include "display/query/result.h"
#include "display/query/sql.h"
#include "display/query/cond.h"
#include "display/text/settings.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/* What items are put together by. */
enum query_by {
	QUERY_TYPE,
	QUERY_SITE,
	QUERY_FUNCTION,
	QUERY_FILE,
	QUERY_MODULE,
	QUERY_THREAD,
	QUERY_SIZE,
	QUERY_LIFETIME,
	QUERY_NBY
};

/* The name of each, its heading in titles (.meaning), its column (.at). */
extern const struct schema_field query_by[QUERY_NBY];

enum { QUERY_SORTS = 8 };

struct query_sort {
	enum column column;
	bool reverse;
};

/* All zero asks for all sites.  Texts are of what it was made from. */
struct query {
	const char
		*sql; /* a statement, with which nothing else goes; or NULL */
	struct cond *where; /* all must hold, for blocks or rows */
	size_t nwhere;
	enum query_by by[QUERY_NBY];
	size_t nby;
	struct query_sort sort[QUERY_SORTS];
	size_t nsort;
	enum column column[COLUMN_N];
	size_t ncolumns; /* 0: the usual ones */
	size_t top;	 /* rows; 0: all */
};

/* What options ask for.  0, or -1 with *e set and nothing to free. */
int query_init(struct query *q, const struct options *o, struct err *e);
void query_fini(struct query *q);

/* Can a query be made of the options?  0, or -1 with *e set. */
int query_check(const struct options *o, struct err *e);

/* How options want the query printed.  0, or -1 with *e set. */
enum query_way { QUERY_TABLE, QUERY_JSON, QUERY_CSV };
int query_way(const struct options *o, enum query_way *way, struct err *e);

/* What has to be read for the query: bits of schema.h. */
unsigned query_needs(const struct options *o);

/* query_sql.c: the rows of a query.  query_groups_fini() in any case. */
struct query_groups {
	const struct query *q;
	struct sql *sql;
	struct schema *s;
	size_t *group; /* numbers of sql.group, in their order */
	size_t n;
};

/*
 * The statement that --where and its like become, whose rows are the numbers of
 * groups; columns: to be selected besides, or "".  Allocated; NULL: out of
 * memory.
 */
char *query_statement(const struct query *q, const char *columns);

/*
 * Does --where compare, within one condition, figures of rows with something of
 * blocks that differs within a row?  -1 with *e set, else 0.
 */
int query_together(const struct query *q, struct err *e);

/* 0, or -1 with *e set. */
int query_groups_init(struct query_groups *g, const struct query *q,
		      struct sql *sql, struct err *e);
void query_groups_fini(struct query_groups *g);

/* The figures of a row. */
struct tally query_tally(const struct query_groups *g, size_t i,
			 struct tally_room *room);

/*
 * query_names.c: does the profile have the names that a condition compares
 * with?  One that it hasn't is an error: 0, or -1 with *e set.  A pattern that
 * matches nothing, or a figure that isn't known of any row, gets a warning on
 * standard error.
 */
int query_names(struct sql *sql, const struct cond *w, struct err *e);
int query_names_known(struct sql *sql, const struct cond *w, struct err *e);

/* query_answer.c: what a statement of a user gives.  0, or -1 with *e set. */
int query_answer(struct result *r, struct sql *sql, const struct query *q,
		 struct err *e);

/* query_rows.c: cells of a query's rows, for the first `top' of them. */
struct query_rows {
	struct result rows;
	struct result_column column[COLUMN_N];
	struct result_cell total[COLUMN_N], others[COLUMN_N];
	enum column which[COLUMN_N];
	uint64_t bytes, allocs; /* of all rows */
};
int query_rows_make(struct query_rows *r, const struct query_groups *g,
		    const struct options *o);

/* Rows that are asked for by --where, --group-by, --columns, --sql. */
int query_print(const struct profile *p, const struct options *o, FILE *out,
		struct err *e);
/* Does o ask for such? */
bool query_wanted(const struct options *o);

#endif
